import { type Git, plumbing } from '@tributary/git/git';
import { mergeTrees } from '@tributary/git/merge-trees';
import { resolveNames } from '@tributary/git/objects';
import { parseRawDiff } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import { parseRepoPath, type RepoPath } from '@tributary/model/paths';
import { withStagingArea } from '../io/staging-area.js';
import type { LocalRepository } from '../io/target.js';
import { objectsOf } from './site.js';

/** A sync that a ref contains. */
export interface ContainedSync {
  readonly path: RepoPath;
  /** Its merge commit. */
  readonly merge: CommitId;
}

/** A merge that joined a branch with a sync, and left out what the sync had brought. */
export interface DroppedSync {
  readonly by: CommitId;
  /** From the root of the repository: what lacks, some of it. */
  readonly files: readonly RepoPath[];
}

/**
 * Finds the merge that kept a sync's history and left out files of it, as `git merge --strategy ours` does, also where somebody changed other files in that merge. `undefined` where
 * there is none, or a later commit brought the files. `made`: merges of imports and syncs, which are proven in another way: the side without
 * this sync is a history of the source, which has its commits. Throws `GIT_FAILED`, and as `withStagingArea` where a merge has to be made again.
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

/** A merge of a side with the sync and one without, whose folder is not that of the side with it. */
interface Suspect {
  readonly by: CommitId;
  readonly without: CommitId;
  readonly joined: CommitId;
}

/** The oldest first. */
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

/** A file that a merge would have changed, and did not. */
interface LostChange {
  readonly file: RepoPath;
  /** What would have been there, as merged or as the sync has it; nothing, where it would have been deleted. */
  readonly wanted: readonly (ObjectId | undefined)[];
  /** What is there instead. */
  readonly made: ObjectId | undefined;
}

/** The trees of a merge that was made. */
interface MadeMerge {
  readonly base: ObjectId;
  readonly without: ObjectId;
  readonly joined: ObjectId;
  readonly made: ObjectId;
}

/** Finds files that the sync changed, that git would have merged, and that the merge has as the side without the sync. */
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
  // A merge has to be made again only where a file of the sync stayed as it was.
  if (![...brought].some((file) => open.has(file) && !changed.has(file))) return [];
  return mergeAgain(target, { base: from.id, without: ours.id, joined: theirs.id, made: made.id }, { path, brought, signal });
}

/**
 * Merges as git alone does. A file that only the side with the sync has changed conflicts with nothing, so it must be as merged. What both sides have changed may have been decided
 * by a person or a merge driver: it is lost only where nothing else of the sync came.
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

/** Files below a folder whose content is not the same in two trees. */
async function changedFiles({ git, path }: { readonly git: Git; readonly path: RepoPath }, one: ObjectId, other: ObjectId) {
  const options = ['-r', '-z', '--raw', '--no-renames', '--no-abbrev'];
  const output = await git.bytes(['--literal-pathspecs', 'diff-tree', ...options, one, other, '--', path]);
  const changes = parseRawDiff(output.toString('utf8')).filter(({ oldId, newId }) => oldId !== newId);
  return new Set(changes.map((change) => change.path));
}

/** A sync has many files; a few of them tell whether it came later. */
const LOOKED_AT = 50;

async function idsOf(git: Git, names: readonly string[]): Promise<readonly (ObjectId | undefined)[]> {
  return (await resolveNames(git, names)).map((one) => one?.id);
}

/** Whether a commit behind the merge has changed all files, and has one as it should have been: a cherry-pick of the sync does that. */
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
