import { createHash } from 'node:crypto';
import { pack } from './pack/pack.js';
import type { ListedTests, Runner } from './runner.js';

/** A test file, by its path from the folder of the workspace, and what it took. */
export interface FileTime {
  readonly file: string;
  readonly seconds: number;
}

/** One part of a suite: which files it runs. */
export interface FilePart {
  readonly files: readonly string[];
  /** The same for all parts that were cut out of the same list in the same way. */
  readonly list: string;
}

/** Nothing takes no time. */
const LEAST_SECONDS = 0.001;
/** More would not fit on every system's command line. */
const LONGEST_LIST = 100_000;

/**
 * The files of one part, so that the longest part is as short as can be; files without a time count as much as the others on average.
 * `undefined`: they cannot be named to the runner one by one, or there are not enough of them; then the runner cuts the suite by itself.
 * Every shard comes to the same answer for the same files.
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

/** Of what only looks like the files of a suite, by name: no list of a runner has the same. */
export function markOfNames(files: readonly string[], version: string): string {
  return markOf({ names: files, version });
}

function markOf(list: unknown): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('hex').slice(0, 16);
}

/** What parts of a suite take, by part, longest first; `undefined` where it would not be cut by files. */
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
 * vitest takes a name for a part of paths, in any case of letters, and node may take it for a pattern: each must mean one file and nothing
 * else. Of files outside of the workspace a report does not tell.
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

/** Of many thousand files, all with all would take minutes: a name that is part of another one is found in the text of all, twice. */
function isPartOfAnother(files: readonly string[]): boolean {
  const all = `\n${files.join('\n')}\n`;
  return files.some((file) => all.indexOf(file) !== all.lastIndexOf(file));
}

/** The words that make a runner run these files and no others. `folder`: of the workspace, absolute. */
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
