import type { Git } from '@tributary/git/git';
import { readObjects } from '@tributary/git/objects';
import { ToolError } from '@tributary/model/errors';
import { type CommitId, parseRefName, type RefName, shortRef } from '@tributary/model/ids';
import { isAsMade } from '../history/made-mark.js';
import type { FoundImport } from '../io/imports.js';
import { readRefs } from '../io/refs.js';
import { surveyImports } from '../io/survey.js';
import { type LocalRepository, readHeadState } from '../io/target.js';
import { isLost } from './choose-import.js';

/** Refuses to delete a branch that somebody uses or has added to. `imports` are those on the branch. Throws `IMPORT_IN_USE`. */
export async function refuseToLose(target: LocalRepository, branch: RefName, imports: readonly FoundImport[]): Promise<void> {
  await refuseInUse(target, branch, imports);
  await refuseOwnCommits(target, branch, imports);
  await refuseLastHistory(target, branch);
}

async function refuseInUse(target: LocalRepository, branch: RefName, imports: readonly FoundImport[]): Promise<void> {
  const worktrees = await target.userGit.text(['worktree', 'list', '--porcelain']);
  if (worktrees.split('\n').includes(`branch ${branch}`)) {
    throw new ToolError({
      code: 'IMPORT_IN_USE',
      message: `The branch ${shortRef(branch)} is checked out.`,
      hint: 'Switch to another branch first.',
    });
  }
  for (const { merge } of imports) {
    const holders = await target.git.text(['for-each-ref', '--contains', merge, '--format=%(refname)', 'refs/heads', 'refs/remotes']);
    const others = holders.split('\n').filter((ref) => ref !== branch && ref !== '');
    if (others.length === 0) continue;
    throw new ToolError({
      code: 'IMPORT_IN_USE',
      message: `Other branches contain this migration: ${others.map((ref) => shortRef(parseRefName(ref))).join(', ')}.`,
      hint: 'To undo the migration, first delete or move those branches.',
      data: { others },
    });
  }
}

/** Refuses a branch with commits that people added or changed. Throws `IMPORT_IN_USE`. */
async function refuseOwnCommits(target: LocalRepository, branch: RefName, imports: readonly FoundImport[]): Promise<void> {
  const base = await oldestBase(target, branch, new Set(imports.map(({ merge }) => merge)));
  const added = (await isAsHandedOver(target, branch)) ? [] : await listForeign(target.git, branch, base);
  if (added.length === 0) return;
  throw new ToolError({
    code: 'IMPORT_IN_USE',
    message: `The branch ${shortRef(branch)} has ${added.length === 1 ? 'a commit' : `${added.length} commits`} that the migration did not create, or that were changed: ${added
      .slice(0, 3)
      .map((line) => line.slice(0, 60))
      .join('; ')}.`,
    hint: `Move them to another branch first, or delete the branch yourself with "git branch -D ${shortRef(branch)}".`,
    data: { added },
  });
}

/** Refuses a branch that can restore lost history: HEAD has the files of its import, but not the import. Throws `IMPORT_IN_USE`. */
async function refuseLastHistory({ git, userGit }: LocalRepository, branch: RefName): Promise<void> {
  const { imports } = await surveyImports(git, await readHeadState(userGit));
  const lost = imports.find((one) => one.branch === branch && isLost(one));
  if (lost === undefined) return;
  const { package: name } = lost.record;
  throw new ToolError({
    code: 'IMPORT_IN_USE',
    message: `HEAD has the files of ${name} without their history, which only ${shortRef(branch)} has.`,
    hint: `"migrate-repo verify ${name}" shows how to restore it. If you want to lose it, delete the branch yourself with "git branch -D ${shortRef(branch)}".`,
    data: { name },
  });
}

/** Whether a run left the branch at its current commit. The reflog covers branches from before commits were marked. */
async function isAsHandedOver(target: LocalRepository, branch: RefName): Promise<boolean> {
  const log = await target.git.attempt(['reflog', 'show', '--format=%H %gs', branch]);
  const [id, ...words] = (log.stdout.toString('utf8').trimEnd().split('\n').at(-1) ?? '').split(' ');
  return log.exit === 0 && words[0] === 'migrate-repo:' && id === (await readRefs(target.git)).get(branch);
}

/** Returns id and subject of the branch's commits that no migration made, or that were changed since, the newest first. */
async function listForeign(git: Git, branch: RefName, base: string): Promise<readonly string[]> {
  const ids = (await git.text(['rev-list', '--first-parent', branch, `^${base}`])).split('\n').filter((id) => id !== '') as CommitId[];
  const foreign = (await readObjects(git, ids)).filter(({ content }) => !isAsMade(content)).map(({ id }) => id);
  if (foreign.length === 0) return [];
  return (await git.text(['log', '--no-walk=unsorted', '--encoding=UTF-8', '--format=%H %s', ...foreign])).split('\n');
}

/**
 * Returns the commit that the migration was built on: the first parent of its first merge. An import outside the
 * branch's first-parent line came with a person's merge, so its base is older than that merge.
 */
async function oldestBase(target: LocalRepository, branch: RefName, merges: ReadonlySet<CommitId>): Promise<string> {
  const line = (await target.git.text(['rev-list', '--first-parent', '--merges', branch]))
    .split('\n')
    .filter((id) => merges.has(id as CommitId));
  const beside = [...merges].find((merge) => !line.includes(merge));
  const first = beside ?? line.at(-1);
  return first === undefined ? branch : `${first}^1`;
}
