import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CommitId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { readTextFile } from '@tributary/process/unusable-file';
import { parseJson } from '../model/parse-json.js';
import { COLLECTED_FOLDER, collectedFile, readCollectedFile } from './collected-file.js';
import { replaceFile } from './durable.js';

/** The part of a repository that is already in the record. */
export interface Collected {
  readonly schemaVersion: 1;
  /** The last commit of its main line. */
  readonly head: CommitId;
  /** The first one; missing in records of earlier versions. */
  readonly first: CommitId | undefined;
  /** Merges whose second parent was the main line, of which only an earlier tip tells. */
  readonly swapped?: readonly CommitId[];
  /** The ids of all events, in short form. */
  readonly events: readonly string[];
  /** By event key: the highest recorded revision, if there is one. */
  readonly revisions: Readonly<Record<string, number>>;
}

/** Returns `undefined` if nothing of the repository was recorded. Throws `RECORD_INVALID`. */
export function readCollected(record: AbsolutePath, repo: string): Collected | undefined {
  const hint = 'Collect with --full, which rewrites it; no event is counted twice.';
  return readCollectedFile(collectedFile(record, repo, '.json'), isCollected, hint);
}

function isCollected(value: unknown): value is Collected {
  return (
    isPlainObject(value) &&
    value['schemaVersion'] === 1 &&
    [value['head'], value['first'] ?? value['head']].every(isCommit) &&
    (value['swapped'] === undefined || (Array.isArray(value['swapped']) && value['swapped'].every(isCommit))) &&
    Array.isArray(value['events']) &&
    isPlainObject(value['revisions'])
  );
}

/** Whether it is an id: git would read other texts as options. */
function isCommit(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(value);
}

/** Lists the collected repositories by name, even those without events. Skips damaged files, which `readCollected` reports. */
export function listCollected(record: AbsolutePath): readonly { readonly repo: string; readonly hasEvents: boolean }[] {
  const folder = join(record, COLLECTED_FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((entry) => {
    const value = entry.endsWith('.json') ? parseJson(readTextFile(join(folder, entry))) : undefined;
    const repo = repoIn(entry);
    return isCollected(value) && repo !== undefined ? [{ repo, hasEvents: value.events.length > 0 }] : [];
  });
}

function repoIn(entry: string): string | undefined {
  try {
    return decodeURIComponent(entry.slice(0, -'.json'.length));
  } catch {
    return undefined;
  }
}

/**
 * Call it when the events are on disk: if the process is killed in between, they are recorded again but count once. Throws `DISK_FULL`,
 * `FILE_UNUSABLE`.
 */
export function writeCollected(record: AbsolutePath, repo: string, collected: Collected): void {
  replaceFile(collectedFile(record, repo, '.json'), `${JSON.stringify(collected)}\n`);
}
