import type { Comment } from '@tributary/model/forge';
import type { AnswerFields } from './answer-fields.js';
import type { GitHub, RepositoryName } from './client.js';
import type { Question } from './failure.js';
import { readGraphqlPages } from './graphql-pages.js';

/** REST does not tell a workflow's token who it is. Source: docs.github.com/graphql, `IssueComment`. */
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
 * Writes a comment of a pull request anew, or adds it. Its first line is the marker, by which it is found again; what others have written is
 * left alone, whatever marker it has. Needs `pull-requests: write`. Throws as `GitHub.call`.
 */
export async function writeComment(
  github: GitHub,
  repository: RepositoryName,
  { pullRequest, marker, body }: Comment,
): Promise<'created' | 'updated'> {
  const about = `pull request ${pullRequest} of ${repository.owner}/${repository.repo}`;
  const found = await findComment(github, { ...repository, number: pullRequest }, { marker, about });
  const question: Question = { what: `the comment on ${about}`, permission: 'pull-requests: write', did: 'write' };
  const [query, id] = found.comment === undefined ? [ADD, found.pullRequest] : [UPDATE, found.comment];
  // Not tried again: where the answer was lost a second try would add a second comment.
  const variables = { id, body: `${marker}\n${body}`, request: { retries: 0 } };
  await github.call(question, (octokit) => octokit.graphql(query, variables));
  return found.comment === undefined ? 'created' : 'updated';
}

/** Node ids. */
interface FoundComment {
  readonly pullRequest: string;
  /** `undefined`: there is none of ours. */
  readonly comment: string | undefined;
}

/** The first one of ours, so that two that were added at once do not take turns. */
async function findComment(
  github: GitHub,
  variables: RepositoryName & { readonly number: number },
  { marker, about }: { readonly marker: string; readonly about: string },
): Promise<FoundComment> {
  const question: Question = { what: `the comments of ${about}`, permission: 'pull-requests: write' };
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
