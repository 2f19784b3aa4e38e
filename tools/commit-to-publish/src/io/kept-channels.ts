import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import type { KnownChannels } from '../collect/publications.js';
import { collectedFile, readCollectedFile } from './collected-file.js';
import { replaceFile } from './durable.js';

/** Package -> version -> dist-tag. */
interface KeptChannels {
  readonly channels: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const HINT = 'Collect with --full, which rewrites it.';

/**
 * Returns the dist-tags that versions of a repository were seen with, because a registry reports only the current ones. `all` ignores a
 * damaged file. Throws `RECORD_INVALID`.
 */
export function readKeptChannels(record: AbsolutePath, repo: string, what: 'new' | 'all'): KnownChannels {
  const kept = readCollectedFile(collectedFile(record, repo, '.channels.json'), isKept, what === 'all' ? undefined : HINT);
  return new Map(Object.entries(kept?.channels ?? {}).map(([name, versions]) => [name, new Map(Object.entries(versions))]));
}

function isKept(value: unknown): value is KeptChannels {
  if (!isPlainObject(value) || value['schemaVersion'] !== 1 || !isPlainObject(value['channels'])) return false;
  return Object.values(value['channels']).every(isPlainObject);
}

/** Writes the known dist-tags; no file if there are none. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
export function writeKeptChannels(record: AbsolutePath, repo: string, known: KnownChannels): void {
  const channels = Object.fromEntries(
    [...known].filter(([, versions]) => versions.size > 0).map(([name, versions]) => [name, Object.fromEntries(versions)]),
  );
  if (Object.keys(channels).length > 0)
    replaceFile(collectedFile(record, repo, '.channels.json'), `${JSON.stringify({ schemaVersion: 1, channels })}\n`);
}
