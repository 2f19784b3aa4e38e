import { isToolError } from '@tributary/model/errors';
import type { Services } from '@tributary/terminal/main';
import type { CiRepository } from '../engines/ci-change.js';
import { type CiVariables, readText } from '../engines/variables.js';
import type { Verdict } from '../gate/judge.js';
import { readEnvironment, readEventFile } from '../io/environment.js';
import { forgeToken, openForge } from '../io/open-forge.js';
import type { Plan } from '../plan/plan.js';
import { tasksOf } from '../plan/plans-by-task.js';
import { gateComment } from '../summary/gate-comment.js';

export interface CommentRequest {
  readonly plan: Plan;
  readonly verdict: Verdict;
  /** Distinguishes several comments on one pull request; `true`: the name of the workflow and its tasks. */
  readonly name: string | true;
}

/**
 * Writes the result of the gate into the comment of that name on the job's pull request. If that is impossible, as with a fork's read-only
 * token, it warns and continues. Throws `INTERRUPTED`.
 */
export async function commentOnPullRequest({ plan, verdict, name }: CommentRequest, { ui, signal }: Services): Promise<void> {
  const variables = readEnvironment();
  const { readCiChange } = await import('../engines/detect.js');
  const { pullRequest = null, repository = null } = readCiChange(variables, readEventFile) ?? {};
  if (pullRequest === null || repository === null) return ui.warning('No comment was written: this is not a job of a GitHub pull request.');
  if (forgeToken() === undefined) return ui.warning('No comment was written: neither GITHUB_TOKEN nor GH_TOKEN is set.');
  const body = gateComment(plan, verdict, { runUrl: addressOfRun(variables, repository) });
  try {
    const forge = await openForge(repository, signal);
    const done = await forge.writeComment({ pullRequest, marker: markerOf(nameOf(name, plan, variables)), body });
    ui.status(`The comment on pull request ${pullRequest} was ${done}.`);
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    ui.warning(`No comment was written. ${error.message}`);
    ui.hint(
      `${error.hint ?? ''} The token of a pull request from a fork is read-only. The summary of the job has the same content.`.trim(),
    );
  }
}

/** Of all tasks: another plan of the same workflow may have the first one too. */
function nameOf(name: string | true, plan: Plan, variables: CiVariables): string {
  if (name !== true && name !== '') return name;
  const workflow = readText(variables, 'GITHUB_WORKFLOW');
  const tasks = tasksOf(plan)
    .map(({ task }) => task)
    .join(',');
  return workflow === undefined ? tasks : `${workflow} / ${tasks}`;
}

/** Returns an HTML comment that no name can end early. */
function markerOf(name: string): string {
  return `<!-- affected:${encodeURIComponent(name.replace(/\p{Surrogate}/gu, '')).replaceAll('-', '%2D')} -->`;
}

function addressOfRun(variables: CiVariables, { owner, repo }: CiRepository): string | undefined {
  const server = readText(variables, 'GITHUB_SERVER_URL') ?? '';
  const run = readText(variables, 'GITHUB_RUN_ID') ?? '';
  return /^https?:\/\/[\w.:-]+$/.test(server) && /^\d+$/.test(run) ? `${server}/${owner}/${repo}/actions/runs/${run}` : undefined;
}
