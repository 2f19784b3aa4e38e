import { ALL_CI_FILES } from '@tributary/workspaces/ci-files';
import { compileGlob } from '@tributary/workspaces/glob';
import picomatch from 'picomatch';
import { namesOfEntry, type PublishedFiles } from './entry-files.js';

/** Tells whether a file, relative to its package, counts as published. */
export type PublishedTest = (path: string) => boolean;

/**
 * Returns a function that tells which files count as published.
 * For a package that ships its sources and declares its files, those are the files that npm packs. Otherwise, for example if it ships build
 * output, they are all files except tests, docs and CI. `isThere` tells whether the commit has a file. It ignores .npmignore files in
 * subfolders, which exclude more.
 */
export function publishedTest(said: PublishedFiles, isThere: (path: string) => boolean): PublishedTest {
  if (!shipsSources(said, isThere)) return (path) => !isAside(path);
  const rules = said.files === undefined ? ignoreRules(said.npmignore ?? '') : fileRules(said.files);
  const isChosen = lastMatch(rules, said.files === undefined);
  const entries = new Set(said.entries.flatMap(namesOfEntry));
  return (path) => !NEVER.test(path) && (ALWAYS.test(path) || entries.has(path) || isChosen(path));
}

/** Folders of build output, even if it is committed. */
const BUILT = /^(?:dist|build|out|output|umd|cjs|esm|es|bundles?)\//;

/** If in doubt, returns false, so that more files count. */
function shipsSources({ files, npmignore, entries }: PublishedFiles, isThere: (path: string) => boolean): boolean {
  if (files === undefined && npmignore === undefined) return false;
  return entries.every((entry) => !BUILT.test(entry) && namesOfEntry(entry).some(isThere));
}

// The rules of npm-packlist 10.
const ALWAYS = /^(?:package\.json|(?:readme|copying|licen[cs]e)(?:\.[^/]*)?)$/i;
const NEVER =
  /(?:^|\/)(?:node_modules|\.git|\.svn|\.hg|CVS)\/|(?:^|\/)(?:\.npmrc|\.gitignore|\.npmignore|\.DS_Store|\.[^/]*\.swp|\._[^/]*|[^/]*\.orig)$|^(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml)$/;

interface Rule {
  readonly matches: (path: string) => boolean;
  readonly publishes: boolean;
}

/** The last rule that matches a file or one of its folders decides. */
function lastMatch(rules: readonly Rule[], without: boolean): PublishedTest {
  return (path) => rules.findLast(({ matches }) => pathAndFolders(path).some(matches))?.publishes ?? without;
}

function pathAndFolders(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

function fileRules(patterns: readonly string[]): readonly Rule[] {
  return patterns.map((pattern) => {
    const isNegative = pattern.startsWith('!');
    const plain = pattern.slice(isNegative ? 1 : 0).replace(/^\.?\/+|\/+$/g, '');
    return { matches: plain === '' || plain === '.' ? () => true : glob(plain), publishes: !isNegative };
  });
}

/** Reads the patterns as git reads a .gitignore. */
function ignoreRules(text: string): readonly Rule[] {
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isNegative = line.startsWith('!');
      const plain = line.slice(isNegative ? 1 : 0).replace(/\/+$/, '');
      const isAnchored = plain.includes('/');
      return { matches: glob(isAnchored ? plain.replace(/^\/+/, '') : `**/${plain}`), publishes: isNegative };
    });
}

function glob(pattern: string): Rule['matches'] {
  // One beyond the limits may match each file: then more files count.
  const isMatch = compileGlob(pattern, { dot: true, posix: true }) ?? (() => true);
  return (path) => path === pattern || isMatch(path);
}

const isRun = picomatch([...ALL_CI_FILES], { dot: true });
/** Files of CI engines that affected does not know, and settings of services. */
const CI =
  /^(?:\.github|\.gitlab|\.azure-pipelines|\.semaphore|\.woodpecker)\/|^(?:\.gitlab-ci\.yaml|\.travis\.ya?ml|\.?appveyor\.ya?ml|bitbucket-pipelines\.ya?ml|\.drone\.ya?ml|\.?codecov\.ya?ml|CODEOWNERS)$/;
const TEST =
  /(?:^|\/)(?:__tests__|__mocks__|__snapshots__|__fixtures__|tests?|e2e)\/|\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:jest|vitest|karma|playwright|cypress)\.(?:config|conf|setup)\.[^/]*$|(?:^|\/)\.(?:mocharc|nycrc)[^/]*$/;
/** Markdown in deeper folders may be a template that the package publishes. */
const DOCS =
  /^(?:docs?|documentation|examples?|website)\/|^[^/]*\.(?:md|mdx|markdown|rst)$|(?:^|\/)(?:readme|changelog|history|contributing|authors|licen[cs]e)(?:\.[^/]*)?$/i;

/** Tells by its path, relative to the package, whether a file is a test, a document or a CI setting. When in doubt, returns false. */
export function isAside(path: string): boolean {
  return isRun(path) || CI.test(path) || TEST.test(path) || DOCS.test(path);
}
