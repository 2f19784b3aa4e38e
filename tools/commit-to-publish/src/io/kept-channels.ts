import { existsSync } from 'node:fs';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { readTextFile } from '@tributary/process/unusable-file';
import type { KnownChannels } from '../collect/publications.js';
import { parseJson } from '../model/parse-json.js';
import { collectedFile, damagedCollectedFile } from './collected-file.js';
import { replaceFile } from './durable.js';

/**
 * Returns the dist-tags that versions of a repository were seen with, because a registry reports only the current ones. `all` ignores a
 * damaged file. Throws `RECORD_INVALID`.
 */
export function readKeptChannels(record: AbsolutePath, repo: string, what: 'new' | 'all'): KnownChannels {
  const file = collectedFile(record, repo, '.channels.json');
  const value = existsSync(file) ? parseJson(readTextFile(file)) : { schemaVersion: 1, channels: {} };
  if (
    isPlainObject(value) &&
    value['schemaVersion'] === 1 &&
    isPlainObject(value['channels']) &&
    Object.values(value['channels']).every(isPlainObject)
  )
    return new Map(
      Object.entries(value['channels']).map(([name, versions]) => [name, new Map(Object.entries(versions as Record<string, string>))]),
    );
  if (what === 'all') return new Map();
  throw damagedCollectedFile(file, 'Collect with --full, which rewrites it.');
}

/** Writes the known dist-tags; no file if there are none. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
export function writeKeptChannels(record: AbsolutePath, repo: string, known: KnownChannels): void {
  const channels = Object.fromEntries(
    [...known].filter(([, versions]) => versions.size > 0).map(([name, versions]) => [name, Object.fromEntries(versions)]),
  );
  if (Object.keys(channels).length > 0)
    replaceFile(collectedFile(record, repo, '.channels.json'), `${JSON.stringify({ schemaVersion: 1, channels })}\n`);
}
