import { isToolError } from '@tributary/model/errors';
import type { Duration, Instant } from '@tributary/model/time';
import { AnswerFields } from './answer-fields.js';
import { askPatiently, type Waiting } from './ask-patiently.js';
import type { GitHub } from './client.js';
import { misunderstood, type Question } from './failure.js';
import { FIRST_PAGE, nextPageSize } from './page-size.js';
import type { PullRequestFacts } from './pipeline-facts.js';
import { pullRequestFactsIn } from './pipeline-pull-request.js';
import { FIELDS, MERGED_PULL_REQUESTS } from './pipeline-query.js';

export interface PullRequestsAsked extends Waiting {
  readonly owner: string;
  readonly repo: string;
  /** `main`, without `refs/heads/`. */
  readonly branch: string;
  /** What was not touched since then is left out. */
  readonly since?: Instant | undefined;
  /** The cursor of the last page that was kept: goes on behind it. */
  readonly after?: string | undefined;
}

export interface PullRequestPage {
  /** The last updated first. A pull request may come twice if somebody touches it meanwhile. */
  readonly pullRequests: readonly PullRequestFacts[];
  /** Merged ones of which GitHub knows no commit on the branch: nothing can be joined to them. */
  readonly withoutCommit: number;
  /** Of all the branch ever had. */
  readonly total: number;
  /** Give it as `after` to go on behind this page; `undefined`: this is the last page. */
  readonly cursor: string | undefined;
  /** How far GitHub's clock is ahead of ours. All times of the facts are GitHub's, and nothing is corrected. */
  readonly clockSkew: Duration | undefined;
}

/** After so many failures one after the other, with pauses of 1, 2, 4, … seconds between them. */
const FAILURES = 6;

/**
 * The merged pull requests of a branch, page by page: the next one is asked for when the caller has done with the one before, so a caller that keeps pages and cursors can be killed
 * at any point. Whoever is commented on between two pages moves to the front and is missed here; ask next time `since` the `updatedAt` of the first one of this time.
 * Pages become smaller where the server answers too late, and larger again. Throws as `GitHub.call`; what was handed out before stays true. Needs `pull-requests: read`,
 * `checks: read`, `actions: read`, `statuses: read` and `contents: read`.
 */
export async function* readMergedPullRequests(github: GitHub, asked: PullRequestsAsked): AsyncGenerator<PullRequestPage> {
  const { owner, repo, branch, since, onPause } = asked;
  const question: Question = { what: `the pull requests of ${owner}/${repo}`, permission: 'pull-requests: read', fields: FIELDS };
  let [after, page, failures] = [asked.after, FIRST_PAGE, 0];
  for (;;) {
    const variables = { owner, repo, branch, size: page.size, after: after ?? null };
    const ask = async (): Promise<PullRequestPage> =>
      pageIn(await askGraphql(github, question, variables), { question, after, since, github });
    let result: PullRequestPage;
    try {
      result = await askPatiently(github, question, { ask, onPause });
    } catch (error) {
      if (!isToolError(error) || error.code !== 'GITHUB_UNREACHABLE' || ++failures === FAILURES) throw error;
      page = nextPageSize(page, 'failed');
      await github.pause(question, 2 ** (failures - 1));
      continue;
    }
    [page, failures] = [nextPageSize(page, 'came'), 0];
    yield result;
    if (result.cursor === undefined) return;
    after = result.cursor;
  }
}

/** Once: what failed is asked for again with less. */
async function askGraphql(github: GitHub, question: Question, variables: Readonly<Record<string, unknown>>): Promise<AnswerFields> {
  const answer = await github.call(question, (octokit) => octokit.graphql(MERGED_PULL_REQUESTS, { ...variables, request: { retries: 0 } }));
  return new AnswerFields(answer, question);
}

interface PageContext {
  readonly question: Question;
  readonly after: string | undefined;
  readonly since: Instant | undefined;
  readonly github: GitHub;
}

function pageIn(answer: AnswerFields, { question, after, since, github }: PageContext): PullRequestPage {
  const list = answer.of('repository').of('pullRequests');
  const nodes = list.list('nodes');
  const info = list.of('pageInfo');
  const cursor = info.isTrue('hasNextPage') ? info.text('endCursor') : undefined;
  if (cursor !== undefined && (cursor === after || nodes.length === 0)) throw misunderstood(question, 'its pages do not end');
  const recent = nodes.filter((node) => since === undefined || node.time('updatedAt') >= since);
  const facts = recent.map(pullRequestFactsIn);
  const pullRequests = facts.filter((one) => one !== undefined);
  return {
    pullRequests,
    withoutCommit: facts.length - pullRequests.length,
    total: list.number('totalCount'),
    cursor: recent.length < nodes.length ? undefined : cursor,
    clockSkew: github.clockSkew(),
  };
}
