import type { Git } from '@tributary/git/git';
import { resolveNames } from '@tributary/git/objects';
import { splitNul } from '@tributary/git/parse';
import type { CommitId } from '@tributary/model/ids';
import { isInside, type RepoPath } from '@tributary/model/paths';

/** Where a package's folder is in a commit, and which commit on its first-parent line brought it there. */
export type FolderTrace =
  | { readonly state: 'here'; readonly origin: CommitId }
  | { readonly state: 'moved'; readonly origin: CommitId | undefined; readonly by: CommitId; readonly to: RepoPath }
  | { readonly state: 'gone'; readonly by: CommitId }
  /** It never existed on the part of the line that was followed. */
  | { readonly state: 'never' };

export interface FolderQuestion {
  readonly path: RepoPath;
  /** Commits on the line that brought the folder by an import. Earlier commits are not needed. */
  readonly landings: ReadonlySet<CommitId>;
  /** The line is followed to the parents of this commit; `undefined`: to its beginning. */
  readonly since: CommitId | undefined;
}

/**
 * Follows a folder along the first-parent line of a commit, even when it is moved. The folder exists while it has a
 * package.json. If it was removed and restored unchanged, or moved away and back, it is still the same folder. Throws
 * `GIT_FAILED`.
 */
export async function traceFolder(git: Git, head: string, question: FolderQuestion): Promise<FolderTrace> {
  const events = await listEvents(git, head, question);
  // If the folder existed before the import, follow the line to its beginning.
  if (question.since !== undefined && events.at(-1)?.kind !== 'added') return traceFolder(git, head, { ...question, since: undefined });
  const [last, ...before] = events;
  if (last === undefined) return { state: 'never' };
  if (last.kind === 'added') return { state: 'here', origin: await originOf(git, events, question) };
  const to = await movedTo(git, question.path, { from: `${last.commit}^1`, to: last.commit });
  if (to === undefined) return { state: 'gone', by: last.commit };
  const origin = before.length === 0 ? undefined : await originOf(git, before, question);
  const onward = await traceFolder(git, head, { path: to, landings: new Set(), since: last.commit });
  if (onward.state === 'gone') return onward;
  return onward.state === 'moved' ? { ...onward, origin } : { state: 'moved', origin, by: last.commit, to };
}

/** Returns where a folder of one commit is in another one, if it was moved in between. Throws `GIT_FAILED`. */
export async function movedTo(
  git: Git,
  path: RepoPath,
  commits: { readonly from: string; readonly to: string },
): Promise<RepoPath | undefined> {
  const to = (await listMoves(git, commits)).find(({ from }) => from === manifestOf(path))?.to;
  return to?.replace(/\/?package\.json$/, '') as RepoPath | undefined;
}

/** A commit on the line that added or removed the folder. */
interface FolderEvent {
  readonly kind: 'added' | 'removed';
  readonly commit: CommitId;
}

/** Returns the events, the newest first. Additions and removals alternate. */
async function listEvents(git: Git, head: string, { path, since }: FolderQuestion): Promise<readonly FolderEvent[]> {
  const manifest = manifestOf(path);
  const stop = since === undefined ? [] : ['--not', `${since}^@`];
  const output = await git.text(['--literal-pathspecs', 'rev-list', '--first-parent', head, ...stop, '--', manifest]);
  const commits = output.split('\n').filter((line) => line !== '') as CommitId[];
  const found = await resolveNames(
    git,
    commits.flatMap((commit) => [`${commit}^1:${manifest}`, `${commit}:${manifest}`]),
  );
  return commits.flatMap((commit, at): readonly FolderEvent[] => {
    const [wasThere, isThere] = [found[2 * at] !== undefined, found[2 * at + 1] !== undefined];
    return wasThere === isThere ? [] : [{ kind: isThere ? 'added' : 'removed', commit }];
  });
}

/** Returns the commit that brought the folder. `events` start with the one that added it. */
async function originOf(git: Git, events: readonly FolderEvent[], question: FolderQuestion): Promise<CommitId> {
  const [added, removed, ...earlier] = events;
  if (added === undefined) throw new Error('a folder without a beginning');
  if (question.landings.has(added.commit) || removed === undefined || earlier.length === 0) return added.commit;
  return (await isBack(git, question.path, { added: added.commit, removed: removed.commit }))
    ? originOf(git, earlier, question)
    : added.commit;
}

async function isBack(
  git: Git,
  path: RepoPath,
  { added, removed }: { readonly added: CommitId; readonly removed: CommitId },
): Promise<boolean> {
  const [after, before] = await resolveNames(git, [`${added}:${path}`, `${removed}^1:${path}`]);
  if (after !== undefined && after.id === before?.id) return true;
  return (await listMoves(git, { from: `${added}^1`, to: added })).some(({ from, to }) => to === manifestOf(path) && !isInside(from, path));
}

/** Returns the files that were moved between two commits. */
async function listMoves(
  git: Git,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly { readonly from: string; readonly to: string }[]> {
  const output = await git.bytes(['diff-tree', '-r', '-M', '-z', '--name-status', '--diff-filter=R', from, to]);
  const words = splitNul(output.toString('utf8'));
  return Array.from({ length: words.length / 3 }, (_, at) => ({ from: words[3 * at + 1] ?? '', to: words[3 * at + 2] ?? '' }));
}

/** Returns the file whose presence means that a folder exists. */
export function manifestOf(path: RepoPath): string {
  return `${path}/package.json`;
}
