import picomatch from 'picomatch';
import { isAside } from './aside.js';
import { namesOfEntry, type PublishedFiles } from './entry-files.js';

/** Whether a file, named from the folder of its package, counts as published. */
export type PublishedTest = (path: string) => boolean;

/**
 * Returns which files count as published. Where a package ships its sources and says which, they are those that npm packs. Else, as where it ships what is built from them, they are all but tests, docs and CI.
 * `isThere`: whether the commit has a file. Does not read .npmignore files of folders inside, which leave out more.
 */
export function publishedTest(said: PublishedFiles, isThere: (path: string) => boolean): PublishedTest {
  if (!shipsSources(said, isThere)) return (path) => !isAside(path);
  const rules = said.files === undefined ? ignoreRules(said.npmignore ?? '') : fileRules(said.files);
  const isChosen = lastMatch(rules, said.files === undefined);
  const entries = new Set(said.entries.flatMap(namesOfEntry));
  return (path) => !NEVER.test(path) && (ALWAYS.test(path) || entries.has(path) || isChosen(path));
}

/** Folders that hold what is built, also where it is committed. */
const BUILT = /^(?:dist|build|out|output|umd|cjs|esm|es|bundles?)\//;

/** In doubt it does not: more counts then. */
function shipsSources({ files, npmignore, entries }: PublishedFiles, isThere: (path: string) => boolean): boolean {
  if (files === undefined && npmignore === undefined) return false;
  return entries.every((entry) => !BUILT.test(entry) && namesOfEntry(entry).some(isThere));
}

// As npm-packlist 10 has them.
const ALWAYS = /^(?:package\.json|(?:readme|copying|licen[cs]e)(?:\.[^/]*)?)$/i;
const NEVER =
  /(?:^|\/)(?:node_modules|\.git|\.svn|\.hg|CVS)\/|(?:^|\/)(?:\.npmrc|\.gitignore|\.npmignore|\.DS_Store|\.[^/]*\.swp|\._[^/]*|[^/]*\.orig)$|^(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml)$/;

interface Rule {
  readonly matches: (path: string) => boolean;
  readonly publishes: boolean;
}

/** The last rule that matches a file, or a folder that it is in, decides. */
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

/** As git reads a .gitignore. */
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
  const isMatch = picomatch(pattern, { dot: true, posix: true });
  return (path) => isMatch(path);
}
