import { ToolError } from '@tributary/model/errors';
import type { CiJob, CiRun, CiRunsAsked } from '@tributary/model/forge';
import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import type { AnswerFields } from './answer-fields.js';
import { conclusionOf } from './checks.js';
import type { GitHub, RepositoryName } from './client.js';
import type { ApiQuestion } from './failure.js';
import { type ListPage, readListPages, repoPath } from './rest-list.js';

/** A filtered list silently ends after a thousand runs. */
const MOST = 1000;

/**
 * Returns the runs of a period. A period with too many runs for one list is split in halves. Needs `actions: read`. Throws like
 * `GitHub.call`. Source: docs.github.com/rest/actions/workflow-runs.
 */
export async function* readWorkflowRuns(github: GitHub, repository: RepositoryName, asked: CiRunsAsked): AsyncGenerator<readonly CiRun[]> {
  if (asked.until <= asked.since) return;
  for await (const { entries, total } of readRunPages(github, repository, asked)) {
    if ((total ?? 0) >= MOST) return yield* readHalves(github, repository, asked);
    yield entries.map(runIn);
  }
}

async function* readHalves(github: GitHub, repository: RepositoryName, asked: CiRunsAsked): AsyncGenerator<readonly CiRun[]> {
  const middle = (Math.floor((asked.since + asked.until) / 2000) * 1000) as Instant;
  if (middle <= asked.since) throw tooMany(repository, asked.since);
  yield* readWorkflowRuns(github, repository, { ...asked, since: middle });
  yield* readWorkflowRuns(github, repository, { ...asked, until: middle });
}

function readRunPages(github: GitHub, repository: RepositoryName, { branch, since, until }: CiRunsAsked): AsyncGenerator<ListPage> {
  const question = questionAbout(repository, `the workflow runs on ${branch}`);
  // A range includes both ends.
  const created = `${iso(since)}..${iso(until - 1000)}`;
  const query = new URLSearchParams({ branch, event: 'push', created, exclude_pull_requests: 'true', per_page: '100' });
  return readListPages(github, question, { path: `${repoPath(repository)}/actions/runs?${query}`, key: 'workflow_runs' });
}

/** Returns the runs on a commit. Needs `actions: read`. Throws like `GitHub.call`. */
export async function readRunsOf(github: GitHub, repository: RepositoryName, commit: CommitId): Promise<readonly CiRun[]> {
  const question = questionAbout(repository, `the workflow runs on ${commit}`);
  const query = new URLSearchParams({ head_sha: commit, exclude_pull_requests: 'true', per_page: '100' });
  const list = { path: `${repoPath(repository)}/actions/runs?${query}`, key: 'workflow_runs' };
  const runs: CiRun[] = [];
  for await (const { entries } of readListPages(github, question, list)) runs.push(...entries.map(runIn));
  return runs;
}

/** Returns the jobs of a run. Needs `actions: read`. Throws like `GitHub.call`. */
export async function readJobs(github: GitHub, repository: RepositoryName, run: number): Promise<readonly CiJob[]> {
  const question = questionAbout(repository, `the jobs of run ${run}`);
  const path = `${repoPath(repository)}/actions/runs/${run}/jobs?filter=all&per_page=100`;
  const jobs: CiJob[] = [];
  for await (const { entries } of readListPages(github, question, { path, key: 'jobs' })) jobs.push(...entries.map(jobIn));
  return jobs;
}

function questionAbout({ owner, repo }: RepositoryName, what: string): ApiQuestion {
  return { what: `${what} of ${owner}/${repo}`, permission: 'actions: read' };
}

function runIn(run: AnswerFields): CiRun {
  return {
    id: run.number('id'),
    commit: run.commit('head_sha'),
    workflow: run.maybeText('name') ?? run.text('path'),
    attempt: run.has('run_attempt') ? run.number('run_attempt') : 1,
    conclusion: conclusionOf(run.maybeText('conclusion')),
  };
}

function jobIn(job: AnswerFields): CiJob {
  return {
    name: job.text('name'),
    attempt: job.has('run_attempt') ? job.number('run_attempt') : 1,
    startedAt: job.maybeTime('started_at'),
    completedAt: job.maybeTime('completed_at'),
    conclusion: conclusionOf(job.maybeText('conclusion')),
  };
}

function tooMany({ owner, repo }: RepositoryName, since: Instant): ToolError {
  return new ToolError({
    code: 'GITHUB_UNREACHABLE',
    message: `GitHub lists ${MOST} workflow runs of ${owner}/${repo} or more within one second, at ${iso(since)}.`,
    hint: 'It shows no more than that at once; exclude this time.',
  });
}

function iso(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
