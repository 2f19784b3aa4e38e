import type { BranchWorkflow } from '@tributary/model/forge';
import type { CommitId } from '@tributary/model/ids';
import type { GitHub, RepositoryName } from './client.js';
import { commitIn } from './commit-in.js';
import { type ApiQuestion, misunderstood } from './failure.js';

/**
 * Returns the commit of the last successful run. Needs the permission `actions: read`. Throws like `GitHub.call`, with `GITHUB_REFUSED`
 * also for an unknown workflow. Source: docs.github.com/rest/actions/workflow-runs.
 */
export async function findLastPassingCommit(
  github: GitHub,
  { owner, repo }: RepositoryName,
  { branch, workflow }: BranchWorkflow,
): Promise<CommitId | undefined> {
  const question: ApiQuestion = { what: `the runs of ${workflow} on ${branch} of ${owner}/${repo}`, permission: 'actions: read' };
  const filter = { branch, event: 'push', status: 'success', exclude_pull_requests: true, per_page: 30 } as const;
  const { data } = await github.call(question, (octokit) =>
    octokit.rest.actions.listWorkflowRuns({ owner, repo, workflow_id: workflow, ...filter }),
  );
  if (!Array.isArray(data?.workflow_runs)) throw misunderstood(question, 'it has no list of runs');
  const passed = data.workflow_runs
    // Filtered again: a server that does not support a filter silently ignores it.
    .filter((run) => run.head_branch === branch && run.event === 'push' && run.conclusion === 'success')
    .sort((one, other) => other.run_number - one.run_number);
  const [newest] = passed;
  return newest === undefined ? undefined : commitIn(newest.head_sha, question);
}
