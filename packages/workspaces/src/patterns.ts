import { isNegativeGlob } from '@tributary/model/config';
import { ToolError } from '@tributary/model/errors';
import type { RepoFolder } from '@tributary/model/paths';
import braces from 'braces';
import { isBelow, resolveFolder } from './folders.js';
import { compileGlob, isOpenEnded, type PathTest } from './glob.js';

/** Returns whether a folder (relative to the project root) matches. */
type FolderMatcher = (folder: RepoFolder) => boolean;

/** Yarn's own list. It keeps the walk out of these folders; a pattern that starts inside one still matches. */
const IGNORED = ['**/node_modules', '**/.git', '**/.yarn'];

/**
 * Builds the matcher for the `workspaces` patterns of the manifest in folder `from`: whether fast-glob, called as Yarn calls it, would find
 * a folder. Order does not matter and a negative pattern always wins. It does not check whether the folder exists or has a manifest, and
 * does not follow symbolic links, as fast-glob does. Without patterns, nothing matches. Source: `Workspace.setup` of @yarnpkg/core 4.9.1;
 * fast-glob 3.3.3, `managers/tasks` and `providers/filters`.
 */
export function buildFolderMatcher(patterns: readonly string[], from: RepoFolder): FolderMatcher {
  const positive = expand(patterns.filter((pattern) => !isNegativeGlob(pattern)));
  const negative = [...expand(patterns.filter(isNegativeGlob)).map((pattern) => pattern.slice(1)), ...IGNORED].filter(
    (pattern) => !/^(\/|$)/.test(pattern),
  );
  const excluded = anyOf(negative, { dot: true });
  const exact = positive.filter((pattern) => !isDynamic(pattern)).flatMap((pattern) => buildExact(pattern, from, excluded));
  const closed = anyOf(negative.filter(closesFolder), { dot: false });
  const walks = groupByBase(positive.filter(isDynamic)).flatMap((group) => buildWalk(group, from, { excluded, closed }));
  return (folder) => exact.includes(folder) || walks.some((matches) => matches(folder));
}

function expand(patterns: readonly string[]): readonly string[] {
  const all = patterns.flatMap((pattern) => expandBraces(pattern));
  return all.filter((pattern) => pattern !== '').map((pattern) => pattern.replace(/(?!^)\/{2,}/g, '/'));
}

/** Expands braces as fast-glob does. Throws `MANIFEST_INVALID` for a pattern that stands for more than 1,000. Source: `micromatch.braces`. */
function expandBraces(pattern: string): readonly string[] {
  const open = pattern.indexOf('{');
  if (open === -1 || pattern.indexOf('}', open) === -1) return [pattern];
  if (isOpenEnded(pattern)) throw tooMuch(pattern);
  return braces(pattern, { expand: true, keepEscaping: true });
}

function tooMuch(pattern: string): ToolError {
  return new ToolError({
    code: 'MANIFEST_INVALID',
    message: `The pattern ${JSON.stringify(pattern.slice(0, 60))} in "workspaces" has too many stars or choices.`,
    hint: 'Name the folders, or use one star for each name.',
  });
}

/** Returns `isDynamicPattern` of fast-glob, after expanding braces. Any other pattern is looked up, not searched for. */
function isDynamic(pattern: string): boolean {
  return (
    /\\|[*?]|^!|\[[^[]*\]/.test(pattern) ||
    /(?:^|[^!*+?@])\([^(]*\|[^|]*\)/.test(pattern) ||
    /[!*+?@]\([^(]*\)/.test(pattern) ||
    /\{[^}]*(,|\.\.)[^}]*\}/.test(pattern)
  );
}

/** Returns whether a negative pattern keeps the walk out of a folder, instead of only excluding the folder itself from the result. */
function closesFolder(pattern: string): boolean {
  const last = pattern.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return pattern.endsWith('/**') || !isDynamic(last);
}

function anyOf(patterns: readonly string[], options: { readonly dot: boolean }): PathTest {
  const tests = patterns.map((pattern) => {
    const test = compileGlob(pattern, { dot: options.dot, posix: true, strictSlashes: false });
    if (test === undefined) throw tooMuch(pattern);
    return test;
  });
  return (path) => tests.some((test) => test(path));
}

/** Returns whether a folder matches. A pattern may end with a slash, which means folders. */
function matchesFolder(path: string, test: PathTest): boolean {
  return test(path) || test(`${path}/`);
}

function buildExact(pattern: string, from: RepoFolder, excluded: PathTest): readonly RepoFolder[] {
  const folder = resolveFolder(from, pattern);
  const path = withoutLeadingDot(pattern);
  return folder === undefined || !anyOf([pattern], { dot: false })(path) || matchesFolder(path, excluded) ? [] : [folder];
}

interface Group {
  /** Where the walk begins, as written in the pattern: `.`, `packages`, `../other`. */
  readonly base: string;
  readonly patterns: readonly string[];
}

/** Returns one walk for each base. A walk that starts at the folder itself includes all others except those that lead out of it. */
function groupByBase(patterns: readonly string[]): readonly Group[] {
  const groups = new Map<string, string[]>();
  const startsHere = patterns.some((pattern) => baseOf(pattern) === '.');
  for (const pattern of patterns) {
    const base = startsHere && !/^(\.\/)?\.\./.test(pattern) ? '.' : baseOf(pattern);
    groups.set(base, [...(groups.get(base) ?? []), pattern]);
  }
  return [...groups].map(([base, members]) => ({ base, patterns: members }));
}

/**
 * Returns the folders before the first dynamic one: `glob-parent` 5. It does not treat a lone `?` as dynamic, so `?/a` is searched in a
 * folder named `?` and Yarn finds nothing. This function does the same.
 */
function baseOf(pattern: string): string {
  const names = pattern.split('/').slice(0, -1);
  const special = names.findIndex((name) => /[*[{(]|[\].+)]\?/.test(name.replace(/\\./g, '')));
  const base = (special === -1 ? names : names.slice(0, special)).join('/') || '.';
  return base.replace(/\\([!*?|[\](){}])/g, '$1');
}

function buildWalk(group: Group, from: RepoFolder, never: { excluded: PathTest; closed: PathTest }): readonly FolderMatcher[] {
  const start = resolveFolder(from, group.base);
  if (start === undefined) return [];
  const wanted = anyOf(group.patterns, { dot: false });
  const pathTo = (below: string): string => withoutLeadingDot(group.base === '.' ? below : `${group.base}/${below}`);
  const walk = (folder: RepoFolder): boolean => {
    if (!isBelow(folder, start)) return false;
    const names = folder.slice(start === '' ? 0 : start.length + 1).split('/');
    const path = pathTo(names.join('/'));
    if (!matchesFolder(path, wanted) || matchesFolder(path, never.excluded)) return false;
    return !names.slice(1).some((_, index) => never.closed(pathTo(names.slice(0, index + 1).join('/'))));
  };
  return [walk];
}

function withoutLeadingDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}
