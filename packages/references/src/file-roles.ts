/** What a file of a workspace is for, judged by its name. `source`: everything that is nothing else. */
export type FileRole = 'documentation' | 'manifest' | 'tests' | 'source';

const CODE = /\.(?:[cm]?[jt]sx?|mdx|vue|svelte|astro|json|ya?ml)$/i;
/** beachball keeps a changelog as data, too. */
const PROSE = /(?:\.(?:md|markdown|rst|adoc)|^changelog\.json)$/i;
const PROSE_NAMES =
  /^(?:readme|changelog|changes|history|license|licence|copying|notice|authors|contributors|contributing|code_of_conduct|security|third-party-notices)(?:[-._][\w.-]*)?$/i;
const IMAGE_OF_DOCUMENTATION = /^docs?\/.*\.(?:png|jpe?g|gif|svg|webp|avif|ico)$/i;

/** Folders and files that Jest, Vitest, Mocha, AVA, `node --test`, Jasmine, Playwright and Cypress search, by their documentation. */
const TEST_FOLDER = /(?:^|\/)(?:__(?:tests?|mocks|snapshots|fixtures|testfixtures)__|tests?|specs?|e2e|cypress)\//;
const TEST_FILE = /(?:^|\/)(?:[^/]+[._-](?:test|spec|cy|e2e|test-d)|tests?|test-[^/]+)\.[cm]?[jt]sx?$|\.snap$|\.stories\.[jt]sx?$/;
/** Settings of test runners, coverage, linters and formatters. */
const TEST_SETTINGS = new RegExp(
  `(?:^|/)(?:${[
    String.raw`(?:jest|vitest|ava|karma|playwright|cypress|web-test-runner|wdio)(?:[.-][\w.-]+)?\.(?:config|conf|setup|workspace)(?:\.[\w-]+)*`,
    String.raw`(?:jest|vitest)\.[\w-]+\.[cm]?[jt]s`,
    String.raw`\.(?:mocharc|nycrc|c8rc|eslintrc|prettierrc|stylelintrc|oxlintrc|markdownlint)(?:\.\w+)?`,
    String.raw`(?:eslint|prettier|stylelint)\.config\.\w+`,
    String.raw`\.(?:eslint|prettier|stylelint)ignore`,
  ].join('|')})$`,
);

/** Returns what a file is for. `path`: below the folder of its workspace. */
export function roleOf(path: string): FileRole {
  if (path === 'package.json') return 'manifest';
  if (TEST_FOLDER.test(path) || TEST_FILE.test(path) || TEST_SETTINGS.test(path)) return 'tests';
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (PROSE.test(name) || (PROSE_NAMES.test(name) && !CODE.test(name)) || IMAGE_OF_DOCUMENTATION.test(path)) return 'documentation';
  return 'source';
}
