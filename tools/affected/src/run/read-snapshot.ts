import { isToolError } from '@tributary/model/errors';
import type { LockIndex } from '@tributary/workspaces/lock/indexed';
import { readLockMembers } from '@tributary/workspaces/lock/members';
import type { ProjectFiles } from '../io/project.js';
import type { RootTexts } from '../io/reading.js';
import type { GraphSource, Snapshot, Unreadable } from '../snapshot.js';
import type { AffectedInputs } from './inputs.js';
import { readRootRules } from './root-rules.js';

type Where = Pick<AffectedInputs, 'git' | 'place' | 'files'>;

interface How {
  readonly texts: RootTexts;
  readonly source: GraphSource;
  /** The lockfile of the other side: what is the same in both is read once. */
  readonly similar?: LockIndex | undefined;
  /** The manifests of the other side, likewise. */
  readonly otherProject?: ProjectFiles | undefined;
}

/** Reads a commit. Throws `CONFIG_INVALID` for settings that Yarn refuses, `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME`, `TARGET_NOT_A_MONOREPO` for what its manifests say. */
export async function readSnapshot(where: Where, commit: string, how: How): Promise<Snapshot | Unreadable> {
  const { texts, source, similar } = how;
  const rules = await readRootRules(texts, where.files);
  if ('all' in rules) return rules;
  const lock = texts['yarn.lock'] === undefined ? undefined : readLockMembers(texts['yarn.lock'], similar);
  const snapshot = { ...rules, lock, linked: lock?.kind === 'berry' ? lock.linked : [] };
  if (source === 'lockfile' && lock?.kind === 'berry') return { ...snapshot, graph: lock.graph, project: undefined };
  const { withManifests } = await import('./read-manifests.js');
  return withManifests(where, commit, { ...snapshot, project: how.otherProject });
}

/** Reads the base, where a mistake that the change mends must not be an error. */
export async function orUnreadable(read: () => Promise<Snapshot | Unreadable>): Promise<Snapshot | Unreadable> {
  try {
    return await read();
  } catch (error) {
    if (!isToolError(error) || !/^(CONFIG_INVALID|MANIFEST_INVALID|WORKSPACE_DUPLICATE_NAME|TARGET_NOT_A_MONOREPO)$/.test(error.code))
      throw error;
    return { all: { code: 'BASE_UNREADABLE', reason: `The base cannot be read: ${error.message}` } };
  }
}
