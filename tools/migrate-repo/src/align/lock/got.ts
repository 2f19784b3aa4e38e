import { type LockIndex, ownerOf } from '@tributary/lockfile/lock-index';
import { pairsOf, versionOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import { parsePackageExtensions } from '@tributary/workspaces/lock/package-extensions';
import { type LockRules, References } from '@tributary/workspaces/lock/references';
import type { WorkspaceLocation } from '../declared.js';
import type { Monorepo } from '../project.js';
import { readCatalogs, readRootSettings } from '../root-settings.js';
import { readIndex } from './root-lock.js';

/**
 * Returns a function for the version of a workspace's dependency, according to a yarn.lock, `resolutions` and catalogs.
 * It returns `undefined` for a missing dependency, or one with several versions. Throws `LOCKFILE_INVALID`,
 * `CONFIG_INVALID`.
 */
export function readGot(lock: string, project: Monorepo): (workspace: WorkspaceLocation, name: string) => string | undefined {
  const find = readRecords(lock, project);
  return (workspace, name) => {
    const versions = new Set(find(workspace, name).map(versionOf));
    return versions.size === 1 ? [...versions][0] : undefined;
  };
}

/** Returns a function for the entries of a workspace's dependency; empty if it is not in the lockfile. Throws as `readGot`. */
export function readRecords(lock: string, project: Monorepo): (workspace: WorkspaceLocation, name: string) => readonly LockRecord[] {
  const index = readIndex(lock);
  if (index === undefined) return () => [];
  const references = new References(index, rulesOf(project));
  const records = workspaceRecords(index);
  return ({ path }, name) => {
    const parent = records.get(path);
    const range = parent === undefined ? undefined : pairsOf(parent).find(([asked]) => asked === name)?.[1];
    if (parent === undefined || range === undefined) return [];
    return descriptorsFor(references, { parent, name, range }).flatMap((number) => ownerOf(index, number) ?? []);
  };
}

/** Returns the entries of workspaces, by path. */
export function workspaceRecords({ records }: LockIndex): ReadonlyMap<string, LockRecord> {
  return new Map(records.flatMap((record) => (record.workspace === undefined ? [] : [[record.workspace, record] as const])));
}

/** Returns the numbers of the descriptors that a request of an entry may lead to; empty if the lockfile has none. */
export function descriptorsFor(references: References, request: Parameters<References['findExact']>[0]): readonly number[] {
  const plain = references.findPlain(request.name, request.range);
  return plain === undefined ? references.findExact(request) : [plain];
}

/** Returns the root's settings that affect its lockfile. Throws `CONFIG_INVALID`. */
export function rulesOf(project: Monorepo): LockRules {
  const root = project.workspaces.find(({ path }) => path === '')?.manifest;
  const extensions = parsePackageExtensions(readRootSettings(project.files).packageExtensions);
  return { resolutions: root?.resolutions ?? new Map(), extensions, catalogs: readCatalogs(project) };
}
