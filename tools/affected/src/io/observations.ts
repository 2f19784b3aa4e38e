import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Git } from '@tributary/git/git';
import { resolveNames } from '@tributary/git/objects';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { writeOutput } from '@tributary/process/output-file';
import { orUnusable } from '@tributary/process/unusable-file';
import type { NamedObservation } from '../check/observed.js';
import { formatObservations, type KeptObservation, keptInMemory, keptOf, parseIndex } from '../observe/kept-observation.js';
import { type Observation, parseObservation } from '../observe/observation.js';
import { addObservations, parseObservationLines, parseObservations } from '../observe/observation-store.js';
import type { RepoLocation } from './locate.js';
import { listFiles, pathOfReceipt, readReceipt } from './receipts.js';

/**
 * Reads one observation, or all `.json` files of a folder, in the order of their names. Throws `OBSERVATION_INVALID`, and `FILE_UNUSABLE`
 * for an unreadable file and a folder without any.
 */
export function readObservations(path: AbsolutePath): readonly NamedObservation[] {
  const isFolder = orUnusable(path, 'read', () => statSync(path).isDirectory());
  const files = isFolder ? orUnusable(path, 'read', () => readdirSync(path)).filter((name) => name.endsWith('.json')) : [];
  if (isFolder && files.length === 0) throw noObservations(path);
  return (isFolder ? files.sort().map((name) => join(path, name)) : [path]).map((file) => ({
    file,
    observation: parseObservation(
      orUnusable(file, 'read', () => readFileSync(file, 'utf8')),
      file,
    ),
  }));
}

export function noObservations(path: string): ToolError {
  const hint = 'Make one with `affected trace -- <command>`, or with `affected run-shard --trace` and `affected timings collect`.';
  return new ToolError({ code: 'FILE_UNUSABLE', message: `No observation found in ${path}.`, hint, data: { file: path } });
}

/** Writes them beside the receipt of the shard, a line for each piece. No receipt has such a name. Throws `FILE_UNUSABLE`, `DISK_FULL`. */
export function writePieceObservations(folder: string, shard: string, observations: readonly Observation[]): void {
  writeOutput(pathIn(folder, shard), observations.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

/** Removes the observations of an earlier run of the shard. Throws `FILE_UNUSABLE`. */
export function removePieceObservations(folder: string, shard: string): void {
  const path = pathIn(folder, shard);
  orUnusable(path, 'written', () => rmSync(path, { force: true }));
}

/** The observations of one shard. */
export interface ShardObservations {
  /** Relative to the folder of receipts. */
  readonly file: string;
  readonly observations: readonly Observation[];
  /** Whether the receipt of the same shard and plan is next to it; otherwise another run left the file. */
  readonly hasReceipt: boolean;
}

/** Returns all observations in a folder of receipts and below. Throws `OBSERVATION_INVALID`, `FILE_UNUSABLE`. */
export function readPieceObservations(folder: string): readonly ShardObservations[] {
  return listFiles(folder, OF_PIECES).map((file) => {
    const path = join(folder, file);
    const text = orUnusable(path, 'read', () => readFileSync(path, 'utf8'));
    const observations = parseObservationLines(text, path);
    const shard = basename(file, OF_PIECES);
    const receipt = readReceipt(pathOfReceipt(dirname(path), shard));
    const hasReceipt = !('problem' in receipt) && receipt.shard === shard && observations.every(({ plan }) => plan === receipt.plan);
    return { file, observations, hasReceipt };
  });
}

/** Reads a file of `affected timings collect --observations`; none if it does not exist. Throws the errors of `readPieceObservations`. */
export function readKeptObservations(file: string): readonly Observation[] {
  if (!existsSync(file)) return [];
  return parseObservations(
    orUnusable(file, 'read', () => readFileSync(file, 'utf8')),
    file,
  );
}

/**
 * Does the same, but reads only the index of a file that has one, and each observation when it is asked for. A file whose length does not fit
 * is read as a whole.
 */
export function openKeptObservations(file: string): readonly KeptObservation[] {
  const first = existsSync(file) ? orUnusable(file, 'read', () => readFirstLine(file)) : undefined;
  const index = first === undefined ? undefined : parseIndex(first.text);
  if (first === undefined || index === undefined || first.bytes + index.bytes !== first.size)
    return readKeptObservations(file).map(keptInMemory);
  let all: Buffer | undefined;
  return keptOf(index, file, {
    read: (start, end) => {
      all ??= orUnusable(file, 'read', () => readFileSync(file));
      return all.toString('utf8', first.bytes + start, first.bytes + end);
    },
    parse: (text) => parseObservation(text, file),
  });
}

/** `bytes`: the length of the line with its line break. `size`: that of the file. `undefined`: there is no line break. */
function readFirstLine(file: string): { readonly text: string; readonly bytes: number; readonly size: number } | undefined {
  const descriptor = openSync(file, 'r');
  try {
    const parts: Buffer[] = [];
    for (;;) {
      const part = Buffer.alloc(65_536);
      const length = readSync(descriptor, part);
      const end = part.subarray(0, length).indexOf('\n');
      parts.push(part.subarray(0, end < 0 ? length : end));
      if (length === 0) return undefined;
      if (end < 0) continue;
      const line = Buffer.concat(parts);
      return { text: line.toString('utf8'), bytes: line.length + 1, size: fstatSync(descriptor).size };
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Tells whether a tree has a file, even through a link. Throws `GIT_FAILED`. */
export async function isInCommit(
  git: Git,
  { tree, place: { workTree }, file }: { readonly tree: string; readonly place: RepoLocation; readonly file: string },
): Promise<boolean> {
  if (workTree === undefined) return false;
  const top = realpathSync.native(workTree);
  const paths = [relative(workTree, file), ...(existsSync(file) ? [relative(top, realpathSync.native(file))] : [])];
  const inside = paths.filter((path) => path !== '' && !path.startsWith('..') && !isAbsolute(path));
  const found = await resolveNames(
    git,
    inside.map((path) => `${tree}:${path.split(sep).join('/')}`),
  );
  return found.some((one) => one !== undefined);
}

/** Adds observations to a file, and returns their new number. Throws the errors of `readKeptObservations`, and `DISK_FULL`. */
export function keepObservations(file: string, more: readonly Observation[]): number {
  const all = addObservations(readKeptObservations(file), more);
  writeOutput(file, formatObservations(all));
  return all.length;
}

const OF_PIECES = '.observations.ndjson';

function pathIn(folder: string, shard: string): string {
  return join(folder, `${shard}${OF_PIECES}`);
}
