import { type Git, plumbing } from '@tributary/git/git';
import { mergeTrees } from '@tributary/git/merge-trees';
import { resolveNames } from '@tributary/git/objects';
import { parseRawDiff } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import { isInside, parseRepoPath, type RepoPath } from '@tributary/model/paths';
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
 * Finds the merge that kept a sync's history and none of its files, as `git merge --strategy ours` does: its folder is that of a side without the sync, although git alone would have
 * merged more into it. `undefined` where there is none, or a later commit brought the files. Throws `GIT_FAILED`, and as `withStagingArea` where a merge has to be made again.
 */
export async function findDroppedSync(
  target: LocalRepository,
  sync: ContainedSync,
  { head, signal }: { readonly head: CommitId; readonly signal: AbortSignal },
): Promise<DroppedSync | undefined> {
  for (const suspect of await listSuspects(target, sync, head)) {
    const lost = await mergeAgain(target, { ...suspect, path: sync.path }, signal);
    if (lost.length > 0 && !(await cameLater(target, lost, { after: suspect.by, head })))
      return { by: suspect.by, files: lost.map(({ file }) => file) };
  }
  return undefined;
}

/** A merge whose folder is that of a parent that lacks the sync. */
interface Suspect {
  readonly by: CommitId;
  readonly without: CommitId;
  readonly joined: CommitId;
}

/** The oldest first. */
async function listSuspects({ git }: LocalRepository, { path, merge }: ContainedSync, head: CommitId): Promise<readonly Suspect[]> {
  const output = await git.text(['rev-list', '--parents', '--ancestry-path', '--reverse', head, `^${merge}`]);
  const lines = output.split('\n').map((line) => line.split(' ') as CommitId[]);
  const holders = new Set<string>([merge, ...lines.map(([commit = '']) => commit)]);
  const pairs = lines.flatMap(([by, ...parents]): Suspect[] => {
    const [without, joined] = [parents.find((one) => !holders.has(one)), parents.find((one) => holders.has(one))];
    return by === undefined || without === undefined || joined === undefined ? [] : [{ by, without, joined }];
  });
  const found = await resolveNames(
    git,
    pairs.flatMap(({ by, without, joined }) => [by, without, joined].map((commit) => `${commit}:${path}`)),
  );
  return pairs.filter((_, at) => {
    const [after, before, brought] = found.slice(3 * at, 3 * at + 3);
    return before !== undefined && brought !== undefined && after?.id === before.id && after.id !== brought.id;
  });
}

/** A file that a merge would have changed, and did not. */
interface LostChange {
  readonly file: RepoPath;
  /** What would have been there, as merged or as the sync has it; nothing, where it would have been deleted. */
  readonly wanted: readonly (ObjectId | undefined)[];
}

/** What git would have merged cleanly into the folder. What conflicts was decided by a person. */
async function mergeAgain(
  target: LocalRepository,
  { by, without, joined, path }: Suspect & Pick<ContainedSync, 'path'>,
  signal: AbortSignal,
): Promise<readonly LostChange[]> {
  const { git, gitDir, format } = target;
  const base = await git.attempt(['merge-base', without, joined]);
  const names = [`${base.stdout.toString('utf8').trim()}^{tree}`, `${without}^{tree}`, `${joined}^{tree}`, `${by}^{tree}`];
  const [from, ours, theirs, made] = await resolveNames(git, names);
  if (base.exit !== 0 || from === undefined || ours === undefined || theirs === undefined || made === undefined) return [];
  return withStagingArea(target, async (stagingArea) => {
    const sides = { base: from.id, ours: { tree: ours.id, label: 'ours' }, theirs: { tree: theirs.id, label: 'theirs' } };
    const scratch = stagingArea.newScratch('merge');
    const settings = { alternates: [objectsOf(gitDir)], signal };
    const { tree, stages } = await mergeTrees(scratch, sides, { ...settings, format });
    const conflicts = new Set(stages.map((one) => nameAsText(one.path)));
    const view = plumbing(scratch, settings);
    const output = await view.bytes(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', made.id, tree]);
    const lost = parseRawDiff(output.toString('utf8')).filter((one) => isInside(one.path, path) && !conflicts.has(one.path));
    const named = lost.slice(0, LOOKED_AT).map((one) => parseRepoPath(one.path));
    return Promise.all(named.map(async (file) => ({ file, wanted: await idsOf(view, [`${tree}:${file}`, `${joined}:${file}`]) })));
  });
}

/** A sync has many files; a few of them tell whether it came later. */
const LOOKED_AT = 50;

async function idsOf(git: Git, names: readonly string[]): Promise<readonly (ObjectId | undefined)[]> {
  return (await resolveNames(git, names)).map((one) => one?.id);
}

/** Whether a commit behind the merge has a file as it should have been, which a cherry-pick of the sync brings. */
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
    if (lost.some(({ wanted }, at) => wanted.includes(now[at]))) return true;
  }
  return false;
}
