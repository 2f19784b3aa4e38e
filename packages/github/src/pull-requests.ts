import type { HostedRepository, NewPullRequest, PullRequest, PullRequestText } from '@tributary/model/pull-request-host';
import { AnswerFields } from './answer-fields.js';
import { askPatiently } from './ask-patiently.js';
import type { GitHub, RepositoryName } from './client.js';
import { type ApiQuestion, misunderstood } from './failure.js';
import { readListPages, repoPath } from './rest-list.js';

/** Returns a repository. Needs `metadata: read`. Throws like `GitHub.call`. Source: docs.github.com/rest/repos/repos#get-a-repository. */
export async function readRepository(github: GitHub, repository: RepositoryName): Promise<HostedRepository> {
  const question: ApiQuestion = { what: nameOf(repository), permission: 'metadata: read' };
  const answer = await askPatiently(github, question, () =>
    github.call(question, (octokit) => octokit.request({ method: 'GET', url: repoPath(repository) })),
  );
  const fields = new AnswerFields(answer.data, question);
  // Visible only to accounts with push access.
  const isKnown = fields.has('allow_merge_commit');
  const mergeCommits = isKnown ? (fields.isTrue('allow_merge_commit') ? 'allowed' : 'refused') : 'unknown';
  return { defaultBranch: fields.text('default_branch'), mergeCommits, parent: fields.maybeOf('parent')?.text('full_name') };
}

/**
 * Returns the open pull requests, in the order of their numbers. Needs `pull-requests: read`. Throws like `GitHub.call`. Source:
 * docs.github.com/rest/pulls/pulls#list-pull-requests.
 */
export async function listOpen(github: GitHub, repository: RepositoryName): Promise<readonly PullRequest[]> {
  const question: ApiQuestion = { what: `the open pull requests of ${nameOf(repository)}`, permission: 'pull-requests: read' };
  const found = await readAll(github, question, `${repoPath(repository)}/pulls?state=open&sort=created&direction=asc&per_page=100`);
  // If one is closed between two pages, the others move, and one may appear twice.
  const byNumber = new Map(found.map((entry) => pullRequestIn(entry, question)).map((one) => [one.number, one]));
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
}

/** Returns the pull requests in any state from a branch of the repository itself, newest first. Throws like `listOpen`. */
export async function listOfBranch(github: GitHub, repository: RepositoryName, branch: string): Promise<readonly PullRequest[]> {
  const question: ApiQuestion = { what: `the pull requests of ${branch} in ${nameOf(repository)}`, permission: 'pull-requests: read' };
  const head = encodeURIComponent(`${repository.owner}:${branch}`);
  const found = await readAll(
    github,
    question,
    `${repoPath(repository)}/pulls?state=all&head=${head}&sort=created&direction=desc&per_page=100`,
  );
  const own = nameOf(repository).toLowerCase();
  // A server that does not support the filter returns all of them.
  return found
    .map((entry) => pullRequestIn(entry, question))
    .filter((one) => one.head.branch === branch && one.head.repository?.toLowerCase() === own);
}

/** Opens a pull request. Throws like `GitHub.call`. Source: docs.github.com/rest/pulls/pulls#create-a-pull-request. */
export async function openPullRequest(
  github: GitHub,
  repository: RepositoryName,
  { title, body, head, base, draft }: NewPullRequest,
): Promise<PullRequest> {
  const question = writing(`a pull request of ${head} in ${nameOf(repository)}`);
  const asked = { title, body, head, base, draft };
  const data = await write(github, question, { method: 'POST', url: `${repoPath(repository)}/pulls`, ...asked });
  return pullRequestIn(new AnswerFields(data, question), question);
}

/** Changes title and body. Throws like `GitHub.call`. Source: docs.github.com/rest/pulls/pulls#update-a-pull-request. */
export async function updatePullRequest(
  github: GitHub,
  repository: RepositoryName,
  { number, title, body }: PullRequestText & { readonly number: number },
): Promise<void> {
  const question = writing(`pull request ${number} of ${nameOf(repository)}`);
  await write(github, question, { method: 'PATCH', url: `${repoPath(repository)}/pulls/${number}`, title, body });
}

async function readAll(github: GitHub, question: ApiQuestion, path: string): Promise<AnswerFields[]> {
  const entries: AnswerFields[] = [];
  for await (const page of readListPages(github, question, { path })) entries.push(...page.entries);
  return entries;
}

interface Write extends Readonly<Record<string, unknown>> {
  readonly method: 'POST' | 'PATCH';
  readonly url: string;
}

/**
 * Writes without retries: if the response was lost, a retry could open a second pull request. Only a used-up rate limit is waited for,
 * because nothing was written then.
 */
async function write(github: GitHub, question: ApiQuestion, asked: Write): Promise<unknown> {
  const options = { ...asked, request: { retries: 0 } };
  const answer = await askPatiently(github, question, () => github.call(question, (octokit) => octokit.request(options)));
  return answer.data as unknown;
}

function writing(what: string): ApiQuestion {
  return { what, permission: 'pull-requests: write', did: 'write' };
}

function pullRequestIn(entry: AnswerFields, question: ApiQuestion): PullRequest {
  const state = entry.text('state');
  if (state !== 'open' && state !== 'closed') throw misunderstood(question, `"state" is ${JSON.stringify(state)}`);
  const head = entry.of('head');
  return {
    number: entry.number('number'),
    url: entry.text('html_url'),
    state: state === 'closed' && entry.has('merged_at') ? 'merged' : state,
    draft: entry.has('draft') && entry.isTrue('draft'),
    title: entry.text('title'),
    body: entry.maybeText('body') ?? '',
    author: entry.maybeOf('user')?.text('login'),
    createdAt: entry.text('created_at'),
    base: entry.of('base').text('ref'),
    head: { branch: head.text('ref'), commit: head.commit('sha'), repository: head.maybeOf('repo')?.text('full_name') },
  };
}

function nameOf({ owner, repo }: RepositoryName): string {
  return `${owner}/${repo}`;
}
