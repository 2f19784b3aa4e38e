import { nameOf } from '@tributary/lockfile/descriptors';
import { indexLock, type LockIndex } from '@tributary/lockfile/lock-index';
import { plainRange } from '@tributary/lockfile/lockfile';
import { descriptorsOf, versionOf } from '@tributary/lockfile/record';
import type { LockedVersions } from '../project.js';
import { brokenLock } from './broken.js';
import { compareVersions } from './content.js';

/**
 * Returns the versions in the monorepo's own yarn.lock; `undefined` if it is empty or of Yarn 1. Workspaces and links
 * are omitted, because they have no version. `resolutions` are not applied. Throws `LOCKFILE_INVALID`.
 */
export function readRootLock(text: string): LockedVersions | undefined {
  const index = readIndex(text);
  if (index === undefined) return undefined;
  const resolved = new Map<string, string>();
  const versions = new Map<string, Set<string>>();
  for (const record of index.records) {
    const version = record.workspace === undefined ? versionOf(record) : '';
    if (!/^\d/.test(version) || version === '0.0.0-use.local') continue;
    const name = nameOf(record.resolution);
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
    for (const descriptor of descriptorsOf(record)) resolved.set(descriptor, version);
  }
  return {
    resolve: (name, range) => resolved.get(`${name}@npm:${plainRange(range).replace(/^npm:/, '')}`) ?? resolved.get(`${name}@${range}`),
    versionsOf: (name) => [...(versions.get(name) ?? [])].sort(compareVersions),
  };
}

/** Returns the index of a yarn.lock; `undefined` if it is empty or of Yarn 1. Throws `LOCKFILE_INVALID`. */
export function readIndex(text: string): LockIndex | undefined {
  if (text.trim() === '') return undefined;
  const index = indexLock(text);
  if (index.kind === 'berry') return index;
  if (index.kind === 'classic') return undefined;
  throw brokenLock('The yarn.lock of the monorepo', index.reason);
}
