import { type Git, plumbing } from '@tributary/git/git';
import { mergeTrees } from '@tributary/git/merge-trees';
import { resolveNames } from '@tributary/git/objects';
import { parseRawDiff } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import { parseRepoPath, type RepoPath } from '@tributary/model/paths';
import { withStagingArea } from '../io/staging-area.js';
import type { LocalRepository } from '../io/target.js';
import { objectsOf } from './scratch-branch.js';

/** A sync that a ref contains. */
export interface ContainedSync {
  readonly path: RepoPath;
  /** Its merge commit. */
  readonly merge: CommitId;
}

/** A merge that contains a sync, but not the files that it brought. */
export interface DroppedSync {
  readonly by: CommitId;
  /** Some of the missing files, relative to the root of the repository. */
  readonly files: readonly RepoPath[];
}

/**
 * Returns the merge that kept a sync's history and dropped its files, as `git merge --strategy ours` does. Such a merge
 * is found even if it also changes other files. Returns `undefined` if there is none, or if a later commit brought the
 * files.
 *
 * `made` has the merges of imports and syncs, which have another proof: their side without this sync is a history of
 * the source, which has its commits. Throws `GIT_FAILED`, and as `withStagingArea` if a merge must be repeated.
 */
export async function findDroppedSync(
  target: LocalRepository,
  sync: ContainedSync,
  { head, made, signal }: { readonly head: CommitId; readonly made: ReadonlySet<CommitId>; readonly signal: AbortSignal },
): Promise<DroppedSync | undefined> {
  for (const suspect of await listSuspects(target, sync, { head, made })) {
    const lost = await findLost(target, { ...suspect, ...sync }, signal);
    if (lost.length > 0 && !(await cameLater(target, lost, { after: suspect.by, head })))
      return { by: suspect.by, files: lost.map(({ file }) => file) };
  }
  return undefined;
}

/** A merge of a side with the sync and a side without it, where the folder differs from the side with the sync. */
interface Suspect {
  readonly by: CommitId;
  readonly without: CommitId;
  readonly joined: CommitId;
}

/** Returns the suspects, the oldest first. */
async function listSuspects(
  { git }: LocalRepository,
  { path, merge }: ContainedSync,
  { head, made }: { readonly head: CommitId; readonly made: ReadonlySet<CommitId> },
): Promise<readonly Suspect[]> {
  const output = await git.text(['rev-list', '--parents', '--ancestry-path', '--reverse', head, `^${merge}`]);
  const lines = output.split('\n').map((line) => line.split(' ') as CommitId[]);
  const holders = new Set<string>([merge, ...lines.map(([commit = '']) => commit)]);
  const pairs = lines.flatMap(([by, ...parents]): Suspect[] => {
    const [without, joined] = [parents.find((one) => !holders.has(one)), parents.find((one) => holders.has(one))];
    return by === undefined || made.has(by) || without === undefined || joined === undefined ? [] : [{ by, without, joined }];
  });
  const found = await resolveNames(
    git,
    pairs.flatMap(({ by, without, joined }) => [by, without, joined].map((commit) => `${commit}:${path}`)),
  );
  return pairs.filter((_, at) => {
    const [after, before, brought] = found.slice(3 * at, 3 * at + 3);
    return before !== undefined && brought !== undefined && after !== undefined && after.id !== brought.id;
  });
}

/** A file that a merge should have changed, but did not. */
interface LostChange {
  readonly file: RepoPath;
  /** The expected contents: as merged, or as in the sync. A missing one stands for a deleted file. */
  readonly wanted: readonly (ObjectId | undefined)[];
  /** The actual content. */
  readonly made: ObjectId | undefined;
}

/** The trees of an existing merge. */
interface MadeMerge {
  readonly base: ObjectId;
  readonly without: ObjectId;
  readonly joined: ObjectId;
  readonly made: ObjectId;
}

/** Returns files that the sync changed and git would have merged, but that the merge took from the side without the sync. */
async function findLost(target: LocalRepository, suspect: Suspect & ContainedSync, signal: AbortSignal): Promise<readonly LostChange[]> {
  const { by, without, joined, path, merge } = suspect;
  const { git } = target;
  const base = await git.attempt(['merge-base', without, joined]);
  const commits = [base.stdout.toString('utf8').trim(), without, joined, by, `${merge}^1`, merge];
  const [from, ours, theirs, made, ahead, synced] = await resolveNames(
    git,
    commits.map((commit) => `${commit}^{tree}`),
  );
  if (base.exit !== 0 || !from || !ours || !theirs || !made || !ahead || !synced) return [];
  const differ = { path, git };
  const [brought, changed, open] = [
    await changedFiles(differ, ahead.id, synced.id),
    await changedFiles(differ, ours.id, made.id),
    await changedFiles(differ, from.id, theirs.id),
  ];
  // Repeat the merge only if a file of the sync was not changed.
  if (![...brought].some((file) => open.has(file) && !changed.has(file))) return [];
  return mergeAgain(target, { base: from.id, without: ours.id, joined: theirs.id, made: made.id }, { path, brought, signal });
}

/**
 * Repeats the merge with git's defaults. A file that only the side with the sync has changed cannot conflict, so it
 * must be as merged. For a file that both sides changed, a person or a merge driver may have decided. It is lost only
 * if nothing else of the sync came.
 */
async function mergeAgain(
  target: LocalRepository,
  { base, without, joined, made }: MadeMerge,
  { path, brought, signal }: { readonly path: RepoPath; readonly brought: ReadonlySet<string>; readonly signal: AbortSignal },
): Promise<readonly LostChange[]> {
  return withStagingArea(target, async (stagingArea) => {
    const sides = { base, ours: { tree: without, label: 'ours' }, theirs: { tree: joined, label: 'theirs' } };
    const scratch = stagingArea.newScratch('merge');
    const settings = { alternates: [objectsOf(target.gitDir)], signal };
    const { tree, stages } = await mergeTrees(scratch, sides, { ...settings, format: target.format });
    const conflicts = new Set(stages.map((one) => nameAsText(one.path)));
    const git = plumbing(scratch, settings);
    const between = (one: ObjectId, other: ObjectId): Promise<ReadonlySet<string>> => changedFiles({ git, path }, one, other);
    const [merged, changed, own] = [await between(without, tree), await between(without, made), await between(base, without)];
    const [unlikeMerged, unlikeJoined] = [await between(made, tree), await between(made, joined)];
    const came = (file: string): boolean =>
      changed.has(file) && (conflicts.has(file) || (merged.has(file) && !(unlikeMerged.has(file) && unlikeJoined.has(file))));
    const left = [...brought].filter((file) => merged.has(file) && !changed.has(file) && !conflicts.has(file));
    const certain = left.filter((file) => !own.has(file));
    const lost = certain.length > 0 || [...brought].some(came) ? certain : left;
    const named = lost.slice(0, LOOKED_AT).map((file) => parseRepoPath(file));
    return Promise.all(
      named.map(async (file) => {
        const [there, ...wanted] = await idsOf(git, [`${made}:${file}`, `${tree}:${file}`, `${joined}:${file}`]);
        return { file, wanted, made: there };
      }),
    );
  });
}

/** Returns files below a folder whose content differs between two trees. */
async function changedFiles({ git, path }: { readonly git: Git; readonly path: RepoPath }, one: ObjectId, other: ObjectId) {
  const options = ['-r', '-z', '--raw', '--no-renames', '--no-abbrev'];
  const output = await git.bytes(['--literal-pathspecs', 'diff-tree', ...options, one, other, '--', path]);
  const changes = parseRawDiff(output.toString('utf8')).filter(({ oldId, newId }) => oldId !== newId);
  return new Set(changes.map((change) => change.path));
}

/** The number of files to check. A sync may have many, and a few show whether it came later. */
const LOOKED_AT = 50;

async function idsOf(git: Git, names: readonly string[]): Promise<readonly (ObjectId | undefined)[]> {
  return (await resolveNames(git, names)).map((one) => one?.id);
}

/** Whether a commit after the merge changed all these files and gave one its expected content, as a cherry-pick of the sync does. */
async function cameLater(
  { git }: LocalRepository,
  lost: readonly LostChange[],
  { after, head }: { readonly after: CommitId; readonly head: CommitId },
): Promise<boolean> {
  const files = lost.map(({ file }) => file);
  const output = await git.text(['--literal-pathspecs', 'rev-list', '--full-history', head, `^${after}`, '--', ...files]);
  for (const commit of output.split('\n').filter((line) => line !== '')) {
    const now = await idsOf(
      git,
      files.map((file) => `${commit}:${file}`),
    );
    if (lost.every(({ made }, at) => now[at] !== made) && lost.some(({ wanted }, at) => wanted.includes(now[at]))) return true;
  }
  return false;
}
