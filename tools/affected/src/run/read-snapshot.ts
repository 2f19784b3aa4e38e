import { isToolError } from '@tributary/model/errors';
import { readLockMembers } from '@tributary/workspaces/lock/members';
import { withResolutions } from '@tributary/workspaces/lock/resolved-members';
import { listCommit, type RootTexts } from '../io/reading.js';
import type { GraphSource, Snapshot, Unreadable } from '../snapshot.js';
import type { AffectedInputs } from './inputs.js';
import { readRootRules } from './root-rules.js';

type Where = Pick<AffectedInputs, 'git' | 'place' | 'files'>;

interface How {
  readonly texts: RootTexts;
  readonly source: GraphSource;
  /** The other side, so that what both share is read once. */
  readonly other?: Snapshot | undefined;
}

/**
 * Reads a commit. Throws `CONFIG_INVALID` for settings that Yarn rejects, and `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME`,
 * `TARGET_NOT_A_MONOREPO` for invalid manifests.
 */
export async function readSnapshot(where: Where, commit: string, how: How): Promise<Snapshot | Unreadable> {
  const { texts, source, other } = how;
  // Git lists the files while the lockfile is read here.
  const listing = source === 'manifests' ? listCommit(where.git, commit) : undefined;
  const rules = await readRootRules(texts, where.files);
  if ('all' in rules) return rules;
  const lock = texts['yarn.lock'] === undefined ? undefined : readLockMembers(texts['yarn.lock'], other?.lock);
  const snapshot = { ...rules, lock, linked: lock?.kind === 'berry' ? lock.linked : [] };
  if (source === 'lockfile' && lock?.kind === 'berry')
    return { ...snapshot, graph: withResolutions(lock, rules.rootManifest.resolutions), project: undefined };
  const { withManifests } = await import('./read-manifests.js');
  return withManifests(where, commit, { ...snapshot, project: other?.project }, listing);
}

/** Reads the base, in which a mistake that the change fixes must not be an error. */
export async function orUnreadable(read: () => Promise<Snapshot | Unreadable>): Promise<Snapshot | Unreadable> {
  try {
    return await read();
  } catch (error) {
    if (
      !isToolError(error) ||
      !/^(CONFIG_INVALID|MANIFEST_INVALID|WORKSPACE_DUPLICATE_NAME|TARGET_NOT_A_MONOREPO|PACKAGE_MANAGER_UNSUPPORTED)$/.test(error.code)
    )
      throw error;
    return { all: { code: 'BASE_UNREADABLE', reason: `The base cannot be read: ${error.message}` } };
  }
}
