import { createHash } from 'node:crypto';
import { pack } from './pack/pack.js';
import type { ListedTests, Runner } from './runner.js';

/** A test file, by its path relative to the workspace, with its seconds. */
export interface FileTime {
  readonly file: string;
  readonly seconds: number;
}

/** One part of a suite, with its files. */
export interface FilePart {
  readonly files: readonly string[];
  /** An id that all parts of one list have in common if they were split in the same way. */
  readonly list: string;
}

/** Times are never zero. */
const LEAST_SECONDS = 0.001;
/** In characters: longer lists exceed the command line of some systems. */
const LONGEST_LIST = 100_000;

/**
 * Returns the files of one part, so that the longest part is as short as possible. Files without a time count as the mean of the others.
 * `undefined` if they cannot be passed to the runner individually, or if there are too few; the runner then splits the suite itself. Every
 * shard computes the same result for the same files.
 */
export function cutFiles(
  runner: Runner,
  files: readonly string[],
  { times, part: [part, of] }: { readonly times: readonly FileTime[]; readonly part: readonly [number, number] },
): FilePart | undefined {
  const sorted = [...new Set(files)].sort();
  if (!canBeNamed(runner, sorted)) return undefined;
  const items = secondsOf(sorted, times).map(({ file, seconds }) => ({ name: file, seconds, builds: [] }));
  const { shards } = pack({ items, buildSeconds: [] }, of);
  if (shards.length < of) return undefined;
  const parts = shards.map((places) => places.flatMap((place) => items[place]?.name ?? []).sort());
  return { files: parts[part - 1] ?? [], list: markOf(parts) };
}

/** Of a list that the runner cuts by itself: another version of it may cut in another way. */
export function markOfList({ files, titles }: ListedTests, version: string): string {
  return markOf({ listed: [...new Set(files)].sort(), titles, version });
}

/** Returns the id of files that look like the tests of a suite by name. It never equals that of a runner's list. */
export function markOfNames(files: readonly string[], version: string): string {
  return markOf({ names: files, version });
}

function markOf(list: unknown): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('hex').slice(0, 16);
}

/** Returns the seconds of a suite's parts, longest first; `undefined` if it would not be split by files. */
export function secondsOfParts(runner: Runner | undefined, times: readonly FileTime[], of: number): readonly number[] | undefined {
  if (
    runner === undefined ||
    !canBeNamed(
      runner,
      times.map(({ file }) => file),
    )
  )
    return undefined;
  const items = times.map(({ file, seconds }) => ({ name: file, seconds: Math.max(LEAST_SECONDS, seconds), builds: [] }));
  const { loads } = pack({ items, buildSeconds: [] }, of);
  return loads.length < of ? undefined : loads;
}

function secondsOf(files: readonly string[], times: readonly FileTime[]): readonly FileTime[] {
  const known = new Map(times.map(({ file, seconds }) => [file, seconds]));
  const mean = times.reduce((sum, { seconds }) => sum + seconds, 0) / Math.max(1, times.length);
  return files.map((file) => ({ file, seconds: Math.max(LEAST_SECONDS, known.get(file) ?? mean) }));
}

/**
 * Tells whether each name selects exactly one file. vitest matches a part of the path, ignoring case, and node may read a name as a
 * pattern. Reports omit files outside the workspace.
 */
function canBeNamed(runner: Runner, files: readonly string[]): boolean {
  if (files.length === 0 || files.join(' ').length > LONGEST_LIST || files.some((file) => /^-|^\.\.\//.test(file))) return false;
  switch (runner) {
    case 'jest':
      return true;
    case 'vitest':
      return !isPartOfAnother(files.map((file) => file.toLowerCase()));
    case 'node':
      return !files.some((file) => /[*?[\]{}()!+@|\\]/.test(file));
    case 'playwright':
      return false;
  }
}

/**
 * Tells whether a name is part of another. Comparing many thousands of files pairwise would take minutes, so it searches each name twice in
 * the joined list.
 */
function isPartOfAnother(files: readonly string[]): boolean {
  const all = `\n${files.join('\n')}\n`;
  return files.some((file) => all.indexOf(file) !== all.lastIndexOf(file));
}

/** Returns the arguments that make a runner run only these files. `folder`: the absolute path of the workspace. */
export function fileArguments(runner: Runner, files: readonly string[], folder: string): readonly string[] {
  switch (runner) {
    case 'jest':
      return ['--runTestsByPath', ...files];
    case 'vitest':
      return files.map((file) => `${folder}/${file}`);
    case 'node':
    case 'playwright':
      return files;
  }
}
