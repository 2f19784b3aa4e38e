import type { MergedPullRequest, MergedPullRequestsAsked, PullRequestPage } from '@tributary/model/forge';
import type { Instant } from '@tributary/model/time';
import type { AnswerFields } from './answer-fields.js';
import type { GitHub, RepositoryName } from './client.js';
import type { ApiQuestion } from './failure.js';
import { readGraphqlPages } from './graphql-pages.js';
import { mergedPullRequestIn } from './merged-pull-request.js';
import { FIELDS, MERGED_PULL_REQUESTS } from './merged-pull-requests-query.js';

/**
 * Returns merged pull requests, page by page. Pages shrink if the server responds too late, and grow again. Throws like `GitHub.call`;
 * earlier pages stay valid. Needs `pull-requests: read`, `checks: read`, `actions: read`, `statuses: read` and `contents: read`.
 */
export async function* readMergedPullRequests(
  github: GitHub,
  { owner, repo }: RepositoryName,
  { branch, since, after }: MergedPullRequestsAsked,
): AsyncGenerator<PullRequestPage> {
  const question: ApiQuestion = { what: `the pull requests of ${owner}/${repo}`, permission: 'pull-requests: read', fields: FIELDS };
  const listIn = (answer: AnswerFields): AnswerFields => answer.of('repository').of('pullRequests');
  const entryIn = (node: AnswerFields): ListedPullRequest => ({
    updatedAt: node.time('updatedAt'),
    pullRequest: mergedPullRequestIn(node),
  });
  const list = { query: MERGED_PULL_REQUESTS, variables: { owner, repo, branch }, listIn, entryIn, after };
  for await (const { entries, cursor } of readGraphqlPages(github, question, list)) {
    const recent = entries.filter(({ updatedAt }) => since === undefined || updatedAt >= since);
    const pullRequests = recent.flatMap(({ pullRequest }) => pullRequest ?? []);
    const isLast = recent.length < entries.length;
    yield {
      pullRequests,
      withoutCommit: recent.length - pullRequests.length,
      cursor: isLast ? undefined : cursor,
      clockSkew: github.clockSkew(),
    };
    if (isLast) return;
  }
}

interface ListedPullRequest {
  readonly updatedAt: Instant;
  /** `undefined`: GitHub has no commit of it. */
  readonly pullRequest: MergedPullRequest | undefined;
}
