import { isToolError } from '@tributary/model/errors';
import { isInside, type RepoFolder } from '@tributary/model/paths';
import type { LockMembers } from '@tributary/workspaces/lock/berry-members';
import { readLockMembers } from '@tributary/workspaces/lock/members';
import { membersOf } from '@tributary/workspaces/manifest-members';
import { readProject } from '../io/project.js';
import type { RootTexts } from '../io/reading.js';
import type { GraphSource, Side, Unreadable } from '../side.js';
import { readRootRules } from './root-rules.js';
import type { Situation } from './situation.js';

/** Reads a commit. Throws `CONFIG_INVALID` for settings that Yarn refuses, `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME`, `TARGET_NOT_A_MONOREPO` for what its manifests say. */
export async function readSide(
  { git, place, files }: Pick<Situation, 'git' | 'place' | 'files'>,
  commit: string,
  more: { texts: RootTexts; source: GraphSource },
): Promise<Side | Unreadable> {
  const { texts, source } = more;
  const known = await readRootRules(texts, files);
  if ('all' in known) return known;
  const lock = readLockMembers(texts['yarn.lock'] ?? '');
  const linked = lock.kind === 'berry' ? lock.linked : [];
  const lockProblem = texts['yarn.lock'] !== undefined && lock.kind === 'unreadable' ? lock.reason : undefined;
  if (source === 'lockfile' && lock.kind === 'berry') return { ...known, linked, lockProblem, graph: lock.graph, workspaces: undefined };
  const { workspaces, hidden } = await readProject(git, commit, place.project);
  const member = hiddenMember(lock, hidden);
  if (member !== undefined)
    return {
      all: {
        code: 'SUBMODULE',
        reason: `The workspace ${member} lies in a submodule, or behind a symbolic link, and is not seen from here.`,
      },
    };
  return { ...known, linked, lockProblem, graph: membersOf(workspaces, known.settings), workspaces };
}

/** The same for the base, where a mistake that the change mends must not be an error. */
export async function readBase(
  situation: Situation,
  commit: string,
  more: { texts: RootTexts; source: GraphSource },
): Promise<Side | Unreadable> {
  try {
    return await readSide(situation, commit, more);
  } catch (error) {
    if (!isToolError(error) || !/^(CONFIG_INVALID|MANIFEST_INVALID|WORKSPACE_DUPLICATE_NAME|TARGET_NOT_A_MONOREPO)$/.test(error.code))
      throw error;
    return { all: { code: 'BASE_UNREADABLE', reason: `The base cannot be read: ${error.message}` } };
  }
}

function hiddenMember(lock: LockMembers, hidden: readonly RepoFolder[]): string | undefined {
  if (lock.kind !== 'berry') return undefined;
  return lock.graph.members.find(({ path }) => hidden.some((folder) => isInside(path, folder)))?.path;
}
