import type { RepoPath } from '@tributary/model/paths';

/** Tells whether to scan a file for imports. Files that Yarn installed are not the project's code. */
export function isCodeFile(path: RepoPath): boolean {
  return /\.([cm]?[jt]sx?|vue|svelte|astro)$/.test(path) && !/(^|\/)(\.yarn|node_modules)\//.test(path);
}

const SETTINGS =
  /(^|\/)(package|[jt]sconfig[^/]*|jest[^/]*|babel\.config|typedoc|api-extractor|project|\.babelrc|\.swcrc|\.eslintrc|\.mocharc|\.nycrc)\.json$/;

/** Tells whether a file is JSON with paths to examine: manifests, tsconfig files, settings of test runners and build tools. */
export function isSettingsFile(path: RepoPath): boolean {
  return (
    (SETTINGS.test(path) || /(^|\/)\.(babelrc|swcrc|eslintrc|mocharc|nycrc)$/.test(path)) && !/(^|\/)(\.yarn|node_modules)\//.test(path)
  );
}

const TEST_MATERIAL = /(^|\/)(__fixtures__|__testfixtures__|fixtures?|__snapshots__|test-?data)\//i;

/** Tells whether imports of a file need not be imports of its workspace: fixtures, and templates of other packages. */
export function isFixture(below: string): boolean {
  return TEST_MATERIAL.test(below) || /(^|\/)templates?\//i.test(below);
}

/** Tells whether a file is a document, which breaks no test. */
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

/** Tells whether only tests, linters and benchmarks read a file; the path is relative to its workspace. */
export function isTestFile(below: string): boolean {
  return isSuite(below) || TEST_FOLDER.test(below) || TEST_MATERIAL.test(below);
}

/** Tells whether a test runner or linter starts with a file, so that no other file imports it. */
export function isSuite(below: string): boolean {
  return TEST_SUITE.test(below) || OTHER_SETTING.test(below) || TEST_SETUP.test(below);
}

/** Tells whether a path contains a test folder. */
export function namesTestFolder(text: string): boolean {
  return TEST_FOLDER.test(text);
}

/** Tells whether a source may contain a path with a test folder; a quick check with false positives. */
export function mayNameTestFolder(source: string): boolean {
  return TEST_FOLDER_IN_TEXT.test(source);
}

/** Tells whether a source may contain a path out of its folder; also a quick check. */
export function mayLeadOut(source: string): boolean {
  return /\.\.["'`/]|["'`]\/[\w@.-]/.test(source);
}

const BUILD_SETTING =
  /(^|\/)\.?(babel(rc)?|swc(rc)?|rollup|webpack|vite|tsup|tsdown|unbuild|build|esbuild|parcel(rc)?|rspack|rslib|rsbuild|next|gulpfile|gruntfile|makefile|craco|metro|turbo|nx|project|postcss|tailwind|svgr|codegen|api-extractor)([.-][^/]*)?$/i;

/** Tells whether a file contains settings of a compiler or bundler. */
export function isBuildSetting(path: string): boolean {
  return (
    !isSuite(path) &&
    /(^\.?[\w-]+|\.([cm]?[jt]s|json5?|ya?ml|sh))$/i.test(path.slice(path.lastIndexOf('/') + 1)) &&
    BUILD_SETTING.test(path)
  );
}

/**
 * Tells whether to search the text of a file for dev dependencies, because it may define how its workspace is built. Such files are
 * settings of compilers and bundlers, scripts in folders such as `scripts`, and style sheets. Not settings of test runners, nor tsconfig
 * files, which are scanned instead.
 */
export function isBuildFile(path: RepoPath): boolean {
  // A manifest names its own dev dependencies anyway; its scripts are examined separately.
  if (/(^|\/)(\.yarn|node_modules)\/|(^|\/)package\.json$/.test(path)) return false;
  if (/\.(css|scss|sass|less|styl)$/.test(path)) return true;
  const isConfig = /(^|\/)[^/]+\.config\.[cm]?[jt]s$/i.test(path) && !isSuite(path);
  return (
    isConfig ||
    isBuildSetting(path) ||
    /^(?!.*\/src\/)(.*\/)?(scripts?|build|bin|tasks|tools?|config)\/[^/]+\.([cm]?[jt]s|sh|json)$/.test(path)
  );
}
