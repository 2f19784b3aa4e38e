import type { Duration, Instant } from '@tributary/model/time';
import type { AnswerFields } from './answer-fields.js';
import type { Waiting } from './ask-patiently.js';
import type { GitHub } from './client.js';
import type { Question } from './failure.js';
import { readGraphqlPages } from './graphql-pages.js';
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

/**
 * The merged pull requests of a branch, page by page: the next one is asked for when the caller has done with the one before, so a caller that keeps pages and cursors can be killed
 * at any point. Whoever is commented on between two pages moves to the front and is missed here; ask next time `since` the `updatedAt` of the first one of this time.
 * Pages become smaller where the server answers too late, and larger again. Throws as `GitHub.call`; what was handed out before stays true. Needs `pull-requests: read`,
 * `checks: read`, `actions: read`, `statuses: read` and `contents: read`.
 */
export async function* readMergedPullRequests(github: GitHub, asked: PullRequestsAsked): AsyncGenerator<PullRequestPage> {
  const { owner, repo, branch, since, after, onPause } = asked;
  const question: Question = { what: `the pull requests of ${owner}/${repo}`, permission: 'pull-requests: read', fields: FIELDS };
  const listIn = (answer: AnswerFields): AnswerFields => answer.of('repository').of('pullRequests');
  const entryIn = (node: AnswerFields): Touched => ({ updatedAt: node.time('updatedAt'), facts: pullRequestFactsIn(node) });
  const list = { query: MERGED_PULL_REQUESTS, variables: { owner, repo, branch }, listIn, entryIn, after, onPause };
  for await (const { entries, total, cursor } of readGraphqlPages(github, question, list)) {
    const recent = entries.filter(({ updatedAt }) => since === undefined || updatedAt >= since);
    const pullRequests = recent.flatMap(({ facts }) => facts ?? []);
    const isLast = recent.length < entries.length;
    yield {
      ...{ pullRequests, total, withoutCommit: recent.length - pullRequests.length },
      ...{ cursor: isLast ? undefined : cursor, clockSkew: github.clockSkew() },
    };
    if (isLast) return;
  }
}

interface Touched {
  readonly updatedAt: Instant;
  /** `undefined`: GitHub has no commit of it. */
  readonly facts: PullRequestFacts | undefined;
}
