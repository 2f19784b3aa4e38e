import { schema } from '@octokit/graphql-schema';
import { buildSchema, graphqlSync } from 'graphql';
import type { HttpAnswer } from './local-github.js';

// Its SDL contains two fields twice, which the strict parser rejects.
const SCHEMA = buildSchema(schema.idl, { assumeValidSDL: true, assumeValid: true, noLocation: true });

interface PageArguments {
  readonly first: number;
  readonly after: string | null;
}

/** The fields of a merged pull request of `acme/app` that the schema requires; any of them can be replaced. */
export type PullNode = Readonly<Record<string, unknown>> & { readonly updatedAt: string };

/** The content of the repository `acme/app`. */
export interface GraphqlRepository {
  readonly pulls?: readonly PullNode[];
  readonly deployments?: readonly DeploymentNode[];
  /** The comments of pull request 7, oldest first. A write adds one or replaces a body. */
  readonly comments?: CommentNode[];
}

export interface CommentNode {
  readonly id: string;
  readonly viewerDidAuthor: boolean;
  body: string;
}

export interface DeploymentNode {
  readonly environment: string;
  readonly createdAt: string;
  readonly [key: string]: unknown;
}

/** Returns a deployment to `production`. */
export function deploymentNode(
  databaseId: number,
  createdAt: string,
  statuses: readonly { readonly state: string; readonly createdAt: string }[],
): DeploymentNode {
  const commitOid = commitId(databaseId, 'main');
  return { databaseId, commitOid, environment: 'production', createdAt, statuses: { totalCount: statuses.length, nodes: statuses } };
}

/**
 * Answers GraphQL requests with GitHub's own schema, executed by graphql-js: an unknown field or type is an error. `body`: of the request.
 */
export function answerGraphql({ pulls = [], deployments = [], comments = [] }: GraphqlRepository, body: string): HttpAnswer {
  const { query, variables } = JSON.parse(body) as { query: string; variables: Readonly<Record<string, unknown>> };
  const newestFirst = [...pulls].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  const repository = {
    pullRequests: (page: PageArguments): unknown => connection(newestFirst, page),
    deployments: ({ environments, ...page }: PageArguments & { readonly environments: readonly string[] }): unknown => {
      const own = deployments.filter(({ environment }) => environments.includes(environment));
      const lastFirst = own.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
      return connection(lastFirst, page);
    },
    pullRequest: ({ number }: { readonly number: number }): unknown =>
      number === 7 ? { id: 'PR_7', comments: (page: PageArguments): unknown => connection(comments, page) } : null,
  };
  const rootValue = { repository, ...writersOf(comments) };
  return { body: graphqlSync({ schema: SCHEMA, source: query, rootValue, variableValues: variables }) };
}

/** GitHub's limit for a body. */
const LONGEST_BODY = 65_536;

function writersOf(comments: CommentNode[]): Readonly<Record<string, unknown>> {
  const checked = (body: string): string => {
    if (body.length > LONGEST_BODY) throw new Error('Body is too long (maximum is 65536 characters)');
    return body;
  };
  return {
    addComment: ({ input: { subjectId, body } }: { readonly input: { readonly subjectId: string; readonly body: string } }): unknown => {
      if (subjectId !== 'PR_7') throw new Error('Could not resolve to a node');
      const node = { id: `IC_${comments.length + 1}`, viewerDidAuthor: true, body: checked(body) };
      comments.push(node);
      return { commentEdge: { node } };
    },
    updateIssueComment: ({ input: { id, body } }: { readonly input: { readonly id: string; readonly body: string } }): unknown => {
      const found = comments.find((one) => one.id === id);
      if (found?.viewerDidAuthor !== true) throw new Error('Could not resolve to a node');
      found.body = checked(body);
      return { issueComment: found };
    },
  };
}

function connection(all: readonly unknown[], { first, after }: PageArguments): unknown {
  if (first > 100) throw new Error('a page has at most 100 entries');
  const start = after === null ? 0 : Number(after.slice('cursor:'.length));
  const nodes = all.slice(start, start + first);
  const end = start + nodes.length;
  return {
    totalCount: all.length,
    pageInfo: { hasNextPage: end < all.length, endCursor: nodes.length === 0 ? null : `cursor:${end}` },
    nodes,
  };
}

/** Returns the time `minute` minutes into 2026-01-05. */
export function at(minute: number): string {
  return new Date(Date.UTC(2026, 0, 5, 0, minute)).toISOString().replace('.000', '');
}

export function commitId(number: number, branch: 'head' | 'main'): string {
  return `${branch === 'head' ? 'a' : 'b'}${number.toString(16).padStart(39, '0')}`;
}

/**
 * Returns a pull request created at `10 * number`, pushed 1 minute later, approved 4 minutes later and squashed 6 minutes later. Tests of 2
 * minutes run before and after the merge.
 */
export function pullNode(number: number, more: Readonly<Record<string, unknown>> = {}): PullNode {
  const minute = 10 * number;
  const suite = (event: string, begun: number): unknown => ({
    workflowRun: { event, workflow: { name: 'CI' } },
    checkRuns: { totalCount: 1, nodes: [checkRun('test', begun)] },
  });
  return {
    number,
    url: `https://github.example/acme/app/pull/${number}`,
    isDraft: false,
    createdAt: at(minute),
    updatedAt: at(minute + 7),
    mergedAt: at(minute + 6),
    author: { __typename: 'User', login: 'ada' },
    reviews: { nodes: [{ submittedAt: at(minute + 4), commit: { oid: commitId(number, 'head') } }] },
    timelineItems: { nodes: [] },
    commits: { totalCount: 2, nodes: [{ commit: commitNode(commitId(number, 'head'), minute + 1, [suite('pull_request', minute + 1)]) }] },
    mergeCommit: { ...commitNode(commitId(number, 'main'), minute + 6, [suite('push', minute + 6)]), messageHeadline: `Add (#${number})` },
    ...more,
  };
}

export function commitNode(oid: string, minute: number, suites: readonly unknown[] = []): Readonly<Record<string, unknown>> {
  return {
    oid,
    committedDate: at(minute),
    authoredDate: at(minute),
    messageHeadline: 'Add',
    parents: { totalCount: 1 },
    status: null,
    checkSuites: { totalCount: suites.length, nodes: suites },
  };
}

/** Returns a check run of two minutes. */
export function checkRun(name: string, minute: number, conclusion: string | null = 'SUCCESS'): Readonly<Record<string, unknown>> {
  return { name, startedAt: at(minute), completedAt: conclusion === null ? null : at(minute + 2), conclusion };
}
