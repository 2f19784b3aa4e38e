import type { Deployment } from '@tributary/model/forge';
import type { Instant } from '@tributary/model/time';
import type { AnswerFields } from './answer-fields.js';
import type { GitHub, RepositoryName } from './client.js';
import type { ApiQuestion } from './failure.js';
import { readGraphqlPages } from './graphql-pages.js';

/** A system that reports its deployment every minute has more. */
const STATUSES = 100;

/** In REST, the statuses of each deployment need a separate request. Source: docs.github.com/graphql. */
export const DEPLOYMENTS = `
query Deployments($owner: String!, $repo: String!, $environment: String!, $size: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    deployments(environments: [$environment], first: $size, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
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

/** Reads at most fifty deployments with each request. Needs `deployments: read`. Throws like `GitHub.call`. */
export async function* readDeployments(
  github: GitHub,
  repository: RepositoryName,
  environment: string,
): AsyncGenerator<readonly Deployment[]> {
  const { owner, repo } = repository;
  const question: ApiQuestion = { what: `the deployments of ${owner}/${repo} to ${environment}`, permission: 'deployments: read' };
  const listIn = (answer: AnswerFields): AnswerFields => answer.of('repository').of('deployments');
  const list = { query: DEPLOYMENTS, variables: { owner, repo, environment }, listIn, entryIn: deploymentIn };
  for await (const { entries } of readGraphqlPages(github, question, list)) yield entries;
}

/** Reads a deployment. GitHub sets it to `INACTIVE` when a later one replaces it, even after a success. */
function deploymentIn(node: AnswerFields): Deployment {
  const list = node.maybeOf('statuses');
  const createdAt = node.time('createdAt');
  const statuses = (list?.list('nodes') ?? []).map((status) => ({ state: status.text('state'), at: status.time('createdAt') }));
  statuses.sort((a, b) => a.at - b.at);
  const success = statuses.find(({ state }) => state === 'SUCCESS');
  const failure = statuses.findLast(({ state }) => state === 'FAILURE' || state === 'ERROR');
  const last = statuses.at(-1)?.state;
  const isOver = success !== undefined || (failure !== undefined && (last === 'FAILURE' || last === 'ERROR' || last === 'INACTIVE'));
  const begun = statuses.find(({ state }) => state === 'IN_PROGRESS')?.at ?? createdAt;
  const endedAt = isOver ? ((success ?? failure)?.at ?? null) : null;
  return {
    id: node.number('databaseId'),
    commit: node.commit('commitOid'),
    endedAt,
    startedAt: Math.min(begun, endedAt ?? begun) as Instant,
    outcome: isOver ? (success === undefined ? 'failure' : 'success') : null,
    confidence: (list?.number('totalCount') ?? 0) > statuses.length ? 'derived' : 'exact',
  };
}
