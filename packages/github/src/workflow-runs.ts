import { ToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import type { AnswerFields } from './answer-fields.js';
import type { Waiting } from './ask-patiently.js';
import type { GitHub } from './client.js';
import type { Question } from './failure.js';
import { conclusionOf } from './pipeline-checks.js';
import type { Conclusion } from './pipeline-facts.js';
import { type ListPage, readListPages, repoPath } from './rest-list.js';

export interface RunsAsked extends Waiting {
  readonly owner: string;
  readonly repo: string;
  readonly branch: string;
  /** The first moment, and the one after the last, in whole seconds: what was created then. */
  readonly since: Instant;
  readonly until: Instant;
}

/** One run of a workflow of GitHub Actions, which a push started. */
export interface WorkflowRunFacts {
  readonly id: number;
  readonly commit: CommitId;
  readonly workflow: string;
  /** Of the last attempt, from 1. The jobs tell of the others. */
  readonly attempt: number;
  readonly createdAt: Instant;
  /** Of the last attempt. */
  readonly startedAt: Instant | undefined;
  /** `undefined`: not over. */
  readonly conclusion: Conclusion | undefined;
}

export interface JobFacts {
  readonly name: string;
  readonly attempt: number;
  /** When it began to wait for a machine. */
  readonly createdAt: Instant | undefined;
  readonly startedAt: Instant | undefined;
  readonly completedAt: Instant | undefined;
  readonly conclusion: Conclusion | undefined;
}

/** A list with a filter ends with its thousandth run, and says nothing of it. */
const MOST = 1000;

/**
 * The runs that pushes to a branch started, page by page. A time with too many of them for one list is cut in halves. Needs `actions: read`. Throws as `GitHub.call`.
 * Source: docs.github.com/rest/actions/workflow-runs.
 */
export async function* readWorkflowRuns(github: GitHub, asked: RunsAsked): AsyncGenerator<readonly WorkflowRunFacts[]> {
  if (asked.until <= asked.since) return;
  const first = readRunPages(github, asked);
  for await (const { entries, total } of first) {
    if ((total ?? 0) >= MOST) return yield* readHalves(github, asked);
    yield entries.map(runIn);
  }
}

async function* readHalves(github: GitHub, asked: RunsAsked): AsyncGenerator<readonly WorkflowRunFacts[]> {
  const middle = (Math.floor((asked.since + asked.until) / 2000) * 1000) as Instant;
  if (middle <= asked.since) throw tooMany(asked);
  yield* readWorkflowRuns(github, { ...asked, since: middle });
  yield* readWorkflowRuns(github, { ...asked, until: middle });
}

function readRunPages(github: GitHub, { owner, repo, branch, since, until, onPause }: RunsAsked): AsyncGenerator<ListPage> {
  const question: Question = { what: `the workflow runs on ${branch} of ${owner}/${repo}`, permission: 'actions: read' };
  // Both ends of a range belong to it.
  const created = `${iso(since)}..${iso(until - 1000)}`;
  const query = new URLSearchParams({ branch, event: 'push', created, exclude_pull_requests: 'true', per_page: '100' });
  return readListPages(github, question, { path: `${repoPath(owner, repo)}/actions/runs?${query}`, key: 'workflow_runs', onPause });
}

/** The runs on a commit, whatever started them. Needs `actions: read`. Throws as `GitHub.call`. */
export async function readRunsOf(
  github: GitHub,
  { owner, repo, commit, onPause }: Waiting & { readonly owner: string; readonly repo: string; readonly commit: CommitId },
): Promise<readonly WorkflowRunFacts[]> {
  const question: Question = { what: `the workflow runs on ${commit} of ${owner}/${repo}`, permission: 'actions: read' };
  const query = new URLSearchParams({ head_sha: commit, exclude_pull_requests: 'true', per_page: '100' });
  const list = { path: `${repoPath(owner, repo)}/actions/runs?${query}`, key: 'workflow_runs', onPause };
  const runs: WorkflowRunFacts[] = [];
  for await (const { entries } of readListPages(github, question, list)) runs.push(...entries.map(runIn));
  return runs;
}

/** All attempts of all jobs of a run: one request. Throws as `GitHub.call`. */
export async function readJobs(
  github: GitHub,
  { owner, repo, run, onPause }: Waiting & { readonly owner: string; readonly repo: string; readonly run: number },
): Promise<readonly JobFacts[]> {
  const question: Question = { what: `the jobs of run ${run} of ${owner}/${repo}`, permission: 'actions: read' };
  const path = `${repoPath(owner, repo)}/actions/runs/${run}/jobs?filter=all&per_page=100`;
  const jobs: JobFacts[] = [];
  for await (const { entries } of readListPages(github, question, { path, key: 'jobs', onPause })) jobs.push(...entries.map(jobIn));
  return jobs;
}

function runIn(run: AnswerFields): WorkflowRunFacts {
  return {
    id: run.number('id'),
    commit: run.commit('head_sha'),
    workflow: run.maybeText('name') ?? run.text('path'),
    attempt: run.has('run_attempt') ? run.number('run_attempt') : 1,
    createdAt: run.time('created_at'),
    startedAt: run.maybeTime('run_started_at'),
    conclusion: conclusionOf(run.maybeText('conclusion')),
  };
}

function jobIn(job: AnswerFields): JobFacts {
  return {
    name: job.text('name'),
    attempt: job.has('run_attempt') ? job.number('run_attempt') : 1,
    createdAt: job.maybeTime('created_at'),
    startedAt: job.maybeTime('started_at'),
    completedAt: job.maybeTime('completed_at'),
    conclusion: conclusionOf(job.maybeText('conclusion')),
  };
}

function tooMany({ owner, repo, since }: RunsAsked): ToolError {
  return new ToolError({
    code: 'GITHUB_UNREACHABLE',
    message: `GitHub lists ${MOST} workflow runs of ${owner}/${repo} or more within one second, at ${iso(since)}.`,
    hint: 'It shows no more than that at once; leave this time out.',
  });
}

function iso(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
