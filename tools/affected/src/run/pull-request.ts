import { parseRevision } from '@tributary/git/changeset';
import { isToolError } from '@tributary/model/errors';
import type { Forge, PullRequestFiles } from '@tributary/model/forge';
import { parentsOf } from '../io/history.js';
import { hostedRepository, openForge } from '../io/open-forge.js';
import { type ChangeSource, type Changes, compare } from './compare.js';

/**
 * Returns the changes of a pull request on the forge that hosts this repository. Throws `USAGE` if that is unknown, and the errors of
 * `Forge`.
 */
export async function readPullRequest(scene: ChangeSource, number: number): Promise<Changes> {
  const forge = await openForge(await hostedRepository(scene.git), scene.services.signal);
  return changesOfPullRequest(scene, forge, number);
}

/**
 * Returns the files of a pull request as the forge lists them, which needs no history. The graph is that of the checked-out commit. The
 * base for manifests and the lockfile is the pull request's own, if it is in this clone. If the forge's list is incomplete, git is asked;
 * if git cannot tell either, every workspace is affected.
 */
export async function changesOfPullRequest(scene: ChangeSource, forge: Forge, number: number): Promise<Changes> {
  const answer = await forge.readPullRequestFiles(number);
  if (!(await isUnderTest(scene, answer))) {
    const reason = `${scene.head} does not contain the pull request's last commit, ${answer.head.slice(0, 10)}: workspaces in it are not visible here.`;
    return { base: answer.base, mergeBase: null, files: [], all: { code: 'HEAD_UNRELATED', reason }, warnings: [] };
  }
  const local = await compareHere(scene, { base: answer.base, branch: answer.baseRef });
  if (answer.completeness.kind === 'complete') {
    return { base: answer.base, mergeBase: local?.mergeBase ?? null, files: answer.files, all: undefined, warnings: [] };
  }
  if (local !== undefined && local.all === undefined)
    return { ...local, warnings: [...local.warnings, `${answer.completeness.reason}. So affected used git.`] };
  return {
    base: answer.base,
    mergeBase: null,
    files: [],
    all: { code: 'API_INCOMPLETE', reason: `${answer.completeness.reason}.` },
    warnings: [],
  };
}

/**
 * Tells whether the head's graph is that of the pull request: the head is its last commit, the trial merge, or contains the pull request.
 */
async function isUnderTest({ git, head }: ChangeSource, { head: last, mergeCommit }: PullRequestFiles): Promise<boolean> {
  const id = await git.text(['rev-parse', '--verify', `${head}^{commit}`]);
  if (id === last || id === mergeCommit || (await parentsOf(git, head)).includes(last)) return true;
  return (await git.attempt(['merge-base', '--is-ancestor', last, id])).exit === 0;
}

async function compareHere(scene: ChangeSource, { base, branch }: { base: string; branch: string }): Promise<Changes | undefined> {
  try {
    const refspecs = [`+refs/heads/${branch}:refs/remotes/origin/${branch}`];
    return await compare(scene, {
      kind: 'found',
      base: parseRevision(base),
      refspecs,
      source: `the base of the pull request`,
      mustBeAncestor: 'no',
    });
  } catch (error) {
    if (isToolError(error) && error.code === 'REVISION_MISSING') return undefined;
    throw error;
  }
}
