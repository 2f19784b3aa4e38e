import type { Comment } from '@tributary/model/forge';
import type { AnswerFields } from './answer-fields.js';
import type { GitHub, RepositoryName } from './client.js';
import type { ApiQuestion } from './failure.js';
import { readGraphqlPages } from './graphql-pages.js';

/** GraphQL, because REST does not tell a workflow's token its own identity. Source: docs.github.com/graphql, `IssueComment`. */
const COMMENTS = `
query Comments($owner: String!, $repo: String!, $number: Int!, $size: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      id
      comments(first: $size, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id viewerDidAuthor body }
      }
    }
  }
}`;

const UPDATE = `
mutation Update($id: ID!, $body: String!) {
  updateIssueComment(input: { id: $id, body: $body }) { issueComment { id } }
}`;

const ADD = `
mutation Add($id: ID!, $body: String!) {
  addComment(input: { subjectId: $id, body: $body }) { commentEdge { node { id } } }
}`;

/**
 * Replaces the account's comment with the marker on a pull request, or adds one. Its first line is the marker. Comments of others stay,
 * whatever marker they have. Needs `pull-requests: write`. Throws like `GitHub.call`.
 */
export async function writeComment(
  github: GitHub,
  repository: RepositoryName,
  { pullRequest, marker, body }: Comment,
): Promise<'created' | 'updated'> {
  const about = `pull request ${pullRequest} of ${repository.owner}/${repository.repo}`;
  const found = await findComment(github, { ...repository, number: pullRequest }, { marker, about });
  const question: ApiQuestion = { what: `the comment on ${about}`, permission: 'pull-requests: write', did: 'write' };
  const [query, id] = found.comment === undefined ? [ADD, found.pullRequest] : [UPDATE, found.comment];
  // Not retried: if the response was lost, a retry would add a second comment.
  const variables = { id, body: `${marker}\n${body}`, request: { retries: 0 } };
  await github.call(question, (octokit) => octokit.graphql(query, variables));
  return found.comment === undefined ? 'created' : 'updated';
}

/** GraphQL node ids. */
interface FoundComment {
  readonly pullRequest: string;
  /** `undefined`: this account has no such comment. */
  readonly comment: string | undefined;
}

/** Returns this account's first comment with the marker. If two were added at once, always the same one is updated. */
async function findComment(
  github: GitHub,
  variables: RepositoryName & { readonly number: number },
  { marker, about }: { readonly marker: string; readonly about: string },
): Promise<FoundComment> {
  const question: ApiQuestion = { what: `the comments of ${about}`, permission: 'pull-requests: write' };
  let pullRequest = '';
  const listIn = (answer: AnswerFields): AnswerFields => {
    const pull = answer.of('repository').of('pullRequest');
    pullRequest = pull.text('id');
    return pull.of('comments');
  };
  const entryIn = (node: AnswerFields): string | undefined =>
    node.isTrue('viewerDidAuthor') && node.text('body').split(/\r?\n/, 1)[0] === marker ? node.text('id') : undefined;
  const list = { query: COMMENTS, variables: { ...variables }, listIn, entryIn };
  for await (const { entries } of readGraphqlPages(github, question, list)) {
    const comment = entries.find((id) => id !== undefined);
    if (comment !== undefined) return { pullRequest, comment };
  }
  return { pullRequest, comment: undefined };
}
