import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import type { AnswerFields } from './answer-fields.js';
import type { Waiting } from './ask-patiently.js';
import type { GitHub } from './client.js';
import type { Question } from './failure.js';
import { readListPages, repoPath } from './rest-list.js';

export interface DeploymentsAsked extends Waiting {
  readonly owner: string;
  readonly repo: string;
  /** `production`; without it, of all environments. */
  readonly environment?: string | undefined;
  /** What was created before is left out. */
  readonly since?: Instant | undefined;
}

export interface DeploymentFacts {
  readonly id: number;
  readonly commit: CommitId;
  readonly environment: string;
  readonly createdAt: Instant;
  /** In the order of time: `pending`, `in_progress`, `success`, `failure` and the others that GitHub knows. */
  readonly statuses: readonly DeploymentStatus[];
}

export interface DeploymentStatus {
  readonly state: string;
  readonly at: Instant;
}

/**
 * The deployments of a repository with their statuses, page by page, the newest first: a request for each hundred and one for each of them. Needs `deployments: read`. Throws as
 * `GitHub.call`. Source: docs.github.com/rest/deployments.
 */
export async function* readDeployments(github: GitHub, asked: DeploymentsAsked): AsyncGenerator<readonly DeploymentFacts[]> {
  const { owner, repo, environment, since, onPause } = asked;
  const question: Question = { what: `the deployments of ${owner}/${repo}`, permission: 'deployments: read' };
  const query = new URLSearchParams({ ...(environment === undefined ? {} : { environment }), per_page: '100' });
  for await (const { entries } of readListPages(github, question, { path: `${repoPath(owner, repo)}/deployments?${query}`, onPause })) {
    const recent = entries.filter((entry) => since === undefined || entry.time('created_at') >= since);
    const page: DeploymentFacts[] = [];
    for (const entry of recent) page.push(await withStatuses(github, entry, asked));
    yield page;
    if (recent.length < entries.length) return;
  }
}

async function withStatuses(github: GitHub, entry: AnswerFields, asked: DeploymentsAsked): Promise<DeploymentFacts> {
  const id = entry.number('id');
  const question: Question = { what: `the statuses of deployment ${id} of ${asked.owner}/${asked.repo}`, permission: 'deployments: read' };
  const path = `${repoPath(asked.owner, asked.repo)}/deployments/${id}/statuses?per_page=100`;
  const statuses: DeploymentStatus[] = [];
  for await (const { entries } of readListPages(github, question, { path, onPause: asked.onPause }))
    statuses.push(...entries.map((status) => ({ state: status.text('state'), at: status.time('created_at') })));
  return {
    id,
    commit: entry.commit('sha'),
    environment: entry.text('environment'),
    createdAt: entry.time('created_at'),
    statuses: statuses.sort((a, b) => a.at - b.at),
  };
}
