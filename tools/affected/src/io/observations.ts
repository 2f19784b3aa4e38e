import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { writeOutput } from '@tributary/process/output-file';
import { orUnusable } from '@tributary/process/unusable-file';
import type { NamedObservation } from '../check/observed.js';
import { type Observation, parseObservation } from '../observe/observation.js';

/**
 * Reads one observation, or all `.json` files of a folder, in the order of their names. Throws `OBSERVATION_INVALID`, and `FILE_UNUSABLE`
 * for what cannot be read and for a folder without one.
 */
export function readObservations(path: AbsolutePath): readonly NamedObservation[] {
  const isFolder = orUnusable(path, 'read', () => statSync(path).isDirectory());
  const files = isFolder ? orUnusable(path, 'read', () => readdirSync(path)).filter((name) => name.endsWith('.json')) : [];
  if (isFolder && files.length === 0) {
    const hint = 'Make one with `affected trace -- <command>`.';
    throw new ToolError({ code: 'FILE_UNUSABLE', message: `There is no observation in ${path}.`, hint, data: { file: path } });
  }
  return (isFolder ? files.sort().map((name) => join(path, name)) : [path]).map((file) => ({
    file,
    observation: parseObservation(
      orUnusable(file, 'read', () => readFileSync(file, 'utf8')),
      file,
    ),
  }));
}

/** Beside the receipt of the shard; a line for each piece. The name is none of a receipt. Throws `FILE_UNUSABLE`, `DISK_FULL`. */
export function writePieceObservations(folder: string, shard: string, observations: readonly Observation[]): void {
  writeOutput(pathIn(folder, shard), observations.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

/** What an earlier run of the shard left. Throws `FILE_UNUSABLE`. */
export function removePieceObservations(folder: string, shard: string): void {
  const path = pathIn(folder, shard);
  orUnusable(path, 'written', () => rmSync(path, { force: true }));
}

const OF_PIECES = '.observations.ndjson';

function pathIn(folder: string, shard: string): string {
  return join(folder, `${shard}${OF_PIECES}`);
}
