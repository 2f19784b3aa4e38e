import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import type { AnswerFields } from './answer-fields.js';
import type { Waiting } from './ask-patiently.js';
import type { GitHub } from './client.js';
import type { Question } from './failure.js';
import { readGraphqlPages } from './graphql-pages.js';

export interface DeploymentsAsked extends Waiting {
  readonly owner: string;
  readonly repo: string;
  /** `production`. */
  readonly environment: string;
}

export interface DeploymentFacts {
  readonly id: number;
  readonly commit: CommitId;
  readonly createdAt: Instant;
  /** In the order of time. */
  readonly statuses: readonly DeploymentStatus[];
  /** `cut`: there are more statuses than one answer holds. */
  readonly completeness: 'complete' | 'cut';
}

export interface DeploymentStatus {
  /** As GitHub writes it in GraphQL: `IN_PROGRESS`, `SUCCESS`, `FAILURE`, … */
  readonly state: string;
  readonly at: Instant;
}

/** A machine that tells of its deployment every minute has more. */
const STATUSES = 100;

/** In REST the statuses of each deployment are a request of their own. Source: docs.github.com/graphql. */
export const DEPLOYMENTS = `
query Deployments($owner: String!, $repo: String!, $environment: String!, $size: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    deployments(environments: [$environment], first: $size, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes {
        databaseId
        commitOid
        createdAt
        statuses(first: ${STATUSES}) { totalCount nodes { state createdAt } }
      }
    }
  }
}`;

/**
 * The deployments to an environment with their statuses, page by page, the newest first: a request for each fifty at most. Whoever has seen enough stops. Needs `deployments: read`. Throws as
 * `GitHub.call`.
 */
export async function* readDeployments(github: GitHub, asked: DeploymentsAsked): AsyncGenerator<readonly DeploymentFacts[]> {
  const { owner, repo, environment, onPause } = asked;
  const question: Question = { what: `the deployments of ${owner}/${repo} to ${environment}`, permission: 'deployments: read' };
  const listIn = (answer: AnswerFields): AnswerFields => answer.of('repository').of('deployments');
  const list = { query: DEPLOYMENTS, variables: { owner, repo, environment }, listIn, entryIn: deploymentIn, onPause };
  for await (const { entries } of readGraphqlPages(github, question, list)) yield entries;
}

function deploymentIn(node: AnswerFields): DeploymentFacts {
  const all = node.maybeOf('statuses');
  const statuses = (all?.list('nodes') ?? []).map((status) => ({ state: status.text('state'), at: status.time('createdAt') }));
  return {
    id: node.number('databaseId'),
    commit: node.commit('commitOid'),
    createdAt: node.time('createdAt'),
    statuses: statuses.sort((a, b) => a.at - b.at),
    completeness: (all?.number('totalCount') ?? 0) > statuses.length ? 'cut' : 'complete',
  };
}
