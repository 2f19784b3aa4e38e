import { parseRevision } from '@tributary/git/changeset';
import type { PullRequestFiles } from '@tributary/github/pull-request';
import { isToolError, ToolError } from '@tributary/model/errors';
import { readEnvironment } from '../io/environment.js';
import { parentsOf } from '../io/history.js';
import { type Changes, compare, type Scene } from './compare.js';

/**
 * The files of a pull request as GitHub lists them, which needs no history at all. The graph is that of the commit that is checked out,
 * and the base for manifests and the lockfile the pull request's own, if it is here. Where GitHub's list is not whole, git is asked;
 * where git cannot tell either, everything is affected. Throws `USAGE` where the repository is not known.
 */
export async function readPullRequest(scene: Scene, number: number): Promise<Changes> {
  // What CI engines leave empty is not set.
  const env = Object.fromEntries(Object.entries(readEnvironment()).filter(([, value]) => value !== ''));
  const remote = env['GITHUB_REPOSITORY'] === undefined ? await repositoryOfRemote(scene) : undefined;
  const [owner = '', repo = ''] = (env['GITHUB_REPOSITORY'] ?? remote?.path ?? '').split('/');
  if (owner === '' || repo === '') {
    throw new ToolError({
      code: 'USAGE',
      message: 'It is not known to which repository on GitHub the pull request belongs.',
      hint: 'Set GITHUB_REPOSITORY to owner/name, and GITHUB_API_URL for GitHub Enterprise.',
    });
  }
  // The token is for the host that the repository is on, and for no other.
  const apiUrl =
    env['GITHUB_API_URL'] ??
    (remote === undefined || remote.host === 'github.com' ? 'https://api.github.com' : `https://${remote.host}/api/v3`);
  const { pullRequestFiles } = await import('../io/ask-github.js');
  const asked = { apiUrl, owner, repo, number };
  const answer = await pullRequestFiles(asked, { token: env['GITHUB_TOKEN'] ?? env['GH_TOKEN'], signal: scene.services.signal });
  if (!(await isUnderTest(scene, answer))) {
    const reason = `${scene.head} does not contain the pull request's last commit, ${answer.head.slice(0, 10)}: its workspaces are not seen from here.`;
    return { base: answer.base, mergeBase: null, files: [], all: { code: 'HEAD_UNRELATED', reason }, warnings: [] };
  }
  const local = await compareHere(scene, { base: answer.base, branch: answer.baseRef });
  if (answer.completeness.kind === 'complete') {
    return { base: answer.base, mergeBase: local?.mergeBase ?? null, files: answer.files, all: undefined, warnings: [] };
  }
  if (local !== undefined && local.all === undefined)
    return { ...local, warnings: [...local.warnings, `${answer.completeness.reason}. So git was asked.`] };
  return {
    base: answer.base,
    mergeBase: null,
    files: [],
    all: { code: 'API_INCOMPLETE', reason: `${answer.completeness.reason}.` },
    warnings: [],
  };
}

/** Whether the graph of the head is that of the pull request: its last commit, the trial merge, or what was merged or built on it. */
async function isUnderTest({ git, head }: Scene, { head: last, mergeCommit }: PullRequestFiles): Promise<boolean> {
  const id = await git.text(['rev-parse', '--verify', `${head}^{commit}`]);
  if (id === last || id === mergeCommit || (await parentsOf(git, head)).includes(last)) return true;
  return (await git.attempt(['merge-base', '--is-ancestor', last, id])).exit === 0;
}

async function compareHere(scene: Scene, { base, branch }: { base: string; branch: string }): Promise<Changes | undefined> {
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

/** `git@github.com:acme/app.git`, `https://github.com/acme/app` -> github.com, `acme/app`. */
async function repositoryOfRemote({ git }: Scene): Promise<{ host: string; path: string } | undefined> {
  const answer = await git.attempt(['config', '--get', 'remote.origin.url']);
  const url = answer.stdout.toString('utf8').trim();
  const [, host, path] = /^(?:[a-z+]+:\/\/)?(?:[^@/]+@)?([^:/]+)(?::\d+)?[:/](?:.*\/)?([^/:]+\/[^/]+?)(?:\.git)?\/?$/.exec(url) ?? [];
  return host === undefined || path === undefined ? undefined : { host, path };
}
