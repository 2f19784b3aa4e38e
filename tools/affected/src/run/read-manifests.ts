import { isInside, type RepoFolder } from '@tributary/model/paths';
import type { LockMembers } from '@tributary/workspaces/lock/members';
import { readManifestGraph } from '@tributary/workspaces/manifest-graph';
import { readProject } from '../io/project.js';
import { listCommit } from '../io/reading.js';
import type { Snapshot, UnreadableSnapshot } from '../snapshot.js';
import type { AffectedInputs } from './inputs.js';

/**
 * Returns the commit with the graph of its manifests. The snapshot's `project` is that of a similar commit, if known; `listing` is that of
 * `listCommit`. Throws the errors of `readSnapshot`.
 */
export async function withManifests(
  { git, repository }: Pick<AffectedInputs, 'git' | 'repository'>,
  commit: string,
  snapshot: Omit<Snapshot, 'graph'>,
  listing = listCommit(git, commit),
): Promise<Snapshot | UnreadableSnapshot> {
  const project = await readProject(git, repository.project, { listing: await listing, other: snapshot.project });
  const member = hiddenMember(snapshot.lock, project.hidden);
  if (member === undefined) return { ...snapshot, graph: readManifestGraph(project.workspaces, snapshot.settings), project };
  const reason = `The workspace ${member} lies in a submodule, or behind a symbolic link, so it cannot be read here.`;
  return { all: { code: 'SUBMODULE', reason } };
}

function hiddenMember(lock: LockMembers | undefined, hidden: readonly RepoFolder[]): string | undefined {
  if (lock?.kind !== 'berry') return undefined;
  return lock.graph.members.find(({ path }) => hidden.some((folder) => isInside(path, folder)))?.path;
}
