import type { ChangedFile } from '@tributary/model/changeset';
import { ToolError } from '@tributary/model/errors';
import type { PullRequestFiles } from '@tributary/model/forge';
import type { CommitId } from '@tributary/model/ids';
import type { GitHub, RepositoryName } from './client.js';
import { commitIn } from './commit-in.js';
import { type ApiQuestion, misunderstood } from './failure.js';
import { changedFilesOf } from './listed-files.js';

interface PullRequestAsked extends RepositoryName {
  readonly number: number;
}

/** The data of one look at the pull request. */
interface Look {
  readonly base: CommitId;
  readonly baseRef: string;
  readonly head: CommitId;
  readonly mergeCommit: CommitId | null;
  readonly count: number;
}

/** "Responses include a maximum of 3000 files", and nothing in them shows that there are more. */
const MOST_FILES = 3000;

/**
 * Returns the changed files of a pull request. The list counts as complete only if its length matches the pull request and nobody pushed
 * meanwhile. After a push it is read once more. Needs the permission `pull-requests: read`. Throws like `GitHub.call`, and `USAGE` for an
 * invalid number. Source: docs.github.com/rest/pulls/pulls#list-pull-requests-files.
 */
export async function readPullRequestFiles(github: GitHub, repository: RepositoryName, number: number): Promise<PullRequestFiles> {
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new ToolError({ code: 'USAGE', message: `${number} is not the number of a pull request.` });
  }
  const asked = { ...repository, number };
  const first = await readOnce(github, asked);
  return first ?? (await readOnce(github, asked)) ?? (await readMoving(github, asked));
}

/** Reads once; `undefined` if the pull request changed meanwhile. */
async function readOnce(github: GitHub, asked: PullRequestAsked): Promise<PullRequestFiles | undefined> {
  const before = await look(github, asked);
  const listed = await listFiles(github, asked);
  const after = await look(github, asked);
  const isStill = before.head === after.head && before.baseRef === after.baseRef && before.count === after.count;
  if (!isStill) return undefined;
  const { files, unclear } = changedFilesOf(listed);
  const reason = unclear ?? disagreement(listed.length, after.count);
  return answer(after, files, reason);
}

/** Returns no files and the reason, for a pull request that keeps changing. */
async function readMoving(github: GitHub, asked: PullRequestAsked): Promise<PullRequestFiles> {
  return answer(await look(github, asked), [], `pull request ${asked.number} was pushed to while its files were read, twice`);
}

function answer({ base, baseRef, head, mergeCommit }: Look, files: readonly ChangedFile[], reason: string | undefined): PullRequestFiles {
  const completeness: PullRequestFiles['completeness'] = reason === undefined ? { kind: 'complete' } : { kind: 'incomplete', reason };
  return { files, base, baseRef, head, mergeCommit, completeness };
}

function disagreement(listed: number, count: number): string | undefined {
  if (listed === count) return undefined;
  const limit = count > MOST_FILES ? `; it never lists more than ${MOST_FILES}` : '';
  return `GitHub lists ${listed} files of the ${count} in the pull request${limit}`;
}

async function look(github: GitHub, asked: PullRequestAsked): Promise<Look> {
  const { owner, repo, number } = asked;
  const question = questionAbout(asked);
  const { data } = await github.call(question, (octokit) => octokit.rest.pulls.get({ owner, repo, pull_number: number }));
  const count: unknown = data?.changed_files;
  const baseRef: unknown = data?.base?.ref;
  if (typeof count !== 'number' || typeof baseRef !== 'string') throw misunderstood(question, 'it is no pull request');
  const merge: unknown = data.merge_commit_sha;
  return {
    base: commitIn(data.base.sha, question),
    baseRef,
    head: commitIn(data.head?.sha, question),
    mergeCommit: merge === null || merge === undefined ? null : commitIn(merge, question),
    count,
  };
}

async function listFiles(github: GitHub, asked: PullRequestAsked): Promise<readonly unknown[]> {
  const { owner, repo, number } = asked;
  const question = { ...questionAbout(asked), what: `the files of pull request ${number} of ${owner}/${repo}` };
  const listed: unknown[] = [];
  // Not `octokit.paginate`, which takes a response of 409 for the end of the list. The second condition stops pages that never end.
  for (let page = 1, isLast = false; !isLast && listed.length <= MOST_FILES; page += 1) {
    const { data, headers } = await github.call(question, (octokit) =>
      octokit.rest.pulls.listFiles({ owner, repo, pull_number: number, per_page: 100, page }),
    );
    if (!Array.isArray(data)) throw misunderstood(question, 'a page of it is not a list');
    listed.push(...(data as unknown[]));
    isLast = data.length === 0 || !/;\s*rel="next"/.test(headers.link ?? '');
  }
  return listed;
}

function questionAbout({ owner, repo, number }: PullRequestAsked): ApiQuestion {
  return { what: `pull request ${number} of ${owner}/${repo}`, permission: 'pull-requests: read' };
}
