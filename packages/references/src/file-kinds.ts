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
