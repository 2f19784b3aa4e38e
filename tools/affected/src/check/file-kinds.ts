import type { RepoPath } from '@tributary/model/paths';

/** Whether the imports of a file are to be scanned. What Yarn itself put into the repository is not the project's code. */
export function isCodeFile(path: RepoPath): boolean {
  return /\.([cm]?[jt]sx?|vue|svelte|astro)$/.test(path) && !/(^|\/)(\.yarn|node_modules)\//.test(path);
}

const SETTINGS =
  /(^|\/)(package|[jt]sconfig[^/]*|jest[^/]*|babel\.config|typedoc|api-extractor|project|\.babelrc|\.swcrc|\.eslintrc|\.mocharc|\.nycrc)\.json$/;

/** Whether a file is JSON whose paths are to be looked at: manifests, tsconfig files, settings of test runners and build tools. */
export function isSettingsFile(path: RepoPath): boolean {
  return (
    (SETTINGS.test(path) || /(^|\/)\.(babelrc|swcrc|eslintrc|mocharc|nycrc)$/.test(path)) && !/(^|\/)(\.yarn|node_modules)\//.test(path)
  );
}

const TEST_MATERIAL = /(^|\/)(__fixtures__|__testfixtures__|fixtures?|__snapshots__|test-?data)\//i;

/** Whether what a file imports need not be what its workspace imports: material of tests, templates of other packages. */
export function isFixture(below: string): boolean {
  return TEST_MATERIAL.test(below) || /(^|\/)templates?\//i.test(below);
}

/** Text for people: no test breaks by it. */
export function isDocument(path: string): boolean {
  return /(\.(md|mdx|markdown|rst|adoc|txt)|(^|\/)(LICEN[CS]E|NOTICE|AUTHORS|CONTRIBUTORS|README|CHANGELOG|PATENTS)(\.[^/]*)?)$/i.test(
    path,
  );
}

const TEST_FOLDERS =
  '__tests__|__test__|__mocks__|__benchmarks__|tests?|specs?|e2e|e2e-tests|integration-tests?|benchmarks?|cypress|playwright|stories|\\.storybook|chromatic';
const TEST_FOLDER = new RegExp(`(^|/)(${TEST_FOLDERS})(/|$)`);
const TEST_FOLDER_IN_TEXT = new RegExp(`["'\`/ ](?:${TEST_FOLDERS})["'\`/\\s]`);
const TEST_SUITE = /\.(test|spec|bench|stories|story|e2e|cy|tst|parceltest)(-d)?\.[cm]?[jt]sx?$/;
/** Settings of test runners, linters and other tools that build nothing. */
const OTHER_SETTING =
  /(^|\/)\.?(jest|vitest|playwright|cypress|karma|mocharc|ava|wdio|nycrc|stryker|eslint|prettier|commitlint|lint-?staged|typedoc|stylelint|release|knip|yarn|syncpack|depcheck|constraints|lerna|renovate)([.-]?(rc|config|conf|setup|preset)[^/]*)?\.([cm]?[jt]sx?|json5?|ya?ml)$/i;
const TEST_SETUP = /(^|\/)((jest|vitest)[.-]?[^/]*|setup-?(tests?|jest|vitest))\.[cm]?[jt]sx?$/i;

/** Whether only tests, linters and benchmarks read a file; the path is that below the folder of its workspace. */
export function isTestFile(below: string): boolean {
  return isSuite(below) || TEST_FOLDER.test(below) || TEST_MATERIAL.test(below);
}

/** Whether a file is one that a test runner or a linter starts with, so that nobody else imports it. */
export function isSuite(below: string): boolean {
  return TEST_SUITE.test(below) || OTHER_SETTING.test(below) || TEST_SETUP.test(below);
}

/** Whether a text leads into a folder of tests. */
export function namesTestFolder(text: string): boolean {
  return TEST_FOLDER.test(text);
}

/** Whether a source may hold a text that leads into a folder of tests: a quick look, which says yes too often. */
export function mayNameTestFolder(source: string): boolean {
  return TEST_FOLDER_IN_TEXT.test(source);
}

/** Whether a source may hold a path that leads out of its folder: a quick look as well. */
export function mayLeadOut(source: string): boolean {
  return /\.\.["'`/]|["'`]\/[\w@.-]/.test(source);
}

const BUILD_SETTING =
  /(^|\/)\.?(babel(rc)?|swc(rc)?|rollup|webpack|vite|tsup|tsdown|unbuild|build|esbuild|parcel(rc)?|rspack|rslib|rsbuild|next|gulpfile|gruntfile|makefile|craco|metro|turbo|nx|project|postcss|tailwind|svgr|codegen|api-extractor)([.-][^/]*)?$/i;

/** Whether a file is the settings of a compiler or a bundler. */
export function isBuildSetting(path: string): boolean {
  return (
    !isSuite(path) &&
    /(^\.?[\w-]+|\.([cm]?[jt]s|json5?|ya?ml|sh))$/i.test(path.slice(path.lastIndexOf('/') + 1)) &&
    BUILD_SETTING.test(path)
  );
}

/**
 * Whether the text of a file is to be searched for the names of dev dependencies, since it may tell how its workspace is built: settings
 * of compilers and bundlers, scripts in folders such as `scripts`, style sheets; not those of test runners, nor tsconfig files, which are
 * scanned.
 */
export function isBuildFile(path: RepoPath): boolean {
  // A manifest names its own dev dependencies, wherever it lies; its scripts are looked at by themselves.
  if (/(^|\/)(\.yarn|node_modules)\/|(^|\/)package\.json$/.test(path)) return false;
  if (/\.(css|scss|sass|less|styl)$/.test(path)) return true;
  const isConfig = /(^|\/)[^/]+\.config\.[cm]?[jt]s$/i.test(path) && !isSuite(path);
  return (
    isConfig ||
    isBuildSetting(path) ||
    /^(?!.*\/src\/)(.*\/)?(scripts?|build|bin|tasks|tools?|config)\/[^/]+\.([cm]?[jt]s|sh|json)$/.test(path)
  );
}
