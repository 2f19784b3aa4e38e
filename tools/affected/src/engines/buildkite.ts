import type { Plan } from '../plan/plan.js';
import type { CiBase, CiChange } from './ci-change.js';
import { BASE_REVISION, configuredBase } from './configured-base.js';
import type { CiEngine } from './engine.js';
import { groupIntoLegs, type Leg, shardIds } from './legs.js';
import { branchBase, branchIn, type CiVariables, commitIn, countIn, numberIn, readText, unknownBase } from './variables.js';

export const buildkite: CiEngine = {
  name: 'buildkite',
  title: 'Buildkite',
  setup: {
    files: { 'buildkite/pipeline.yml': '.buildkite/pipeline.yml', 'buildkite/affected.sh': '.buildkite/affected.sh' },
    oneJob: { 'buildkite/one-job.yml': '.buildkite/pipeline.yml', 'buildkite/affected.sh': '.buildkite/affected.sh' },
    require: 'Require the check of the build, "buildkite/<pipeline>".',
  },
  detect: (variables) => readText(variables, 'BUILDKITE') === 'true',
  readChange,
  attempt,
  emit,
};

/**
 * Reads the change from the variables of Buildkite. BUILDKITE_COMMIT may be the word `HEAD`. If the build tests the merge of a pull
 * request, it is not the checked-out commit. Source: buildkite.com/docs, "Environment variables", "Using GitHub merge queues".
 */
function readChange(variables: CiVariables): CiChange {
  const pullRequest = numberIn(readText(variables, 'BUILDKITE_PULL_REQUEST'));
  const isMergeRef = readText(variables, 'BUILDKITE_PULL_REQUEST_USING_MERGE_REFSPEC') === 'true';
  const head = isMergeRef ? null : commitIn(readText(variables, 'BUILDKITE_COMMIT'));
  return { ...eventAndBase(variables, pullRequest), head, pullRequest, repository: null };
}

/** Converts Buildkite's count of retries, which starts at 0. */
function attempt(variables: CiVariables): number | undefined {
  const retries = countIn(variables, 'BUILDKITE_RETRY_COUNT');
  return retries === undefined ? undefined : retries + 1;
}

function eventAndBase(variables: CiVariables, pullRequest: number | null): Pick<CiChange, 'event' | 'base'> {
  const queue = queueBase(variables);
  if (queue !== undefined) return { event: 'merge queue', base: queue };
  if (pullRequest !== null) {
    const source = 'BUILDKITE_PULL_REQUEST_BASE_BRANCH';
    return { event: 'pull request', base: branchBase(readText(variables, source), source) };
  }
  // `ui`, `api`, `schedule` and `trigger_job` build a commit that was not just pushed.
  const isPush = readText(variables, 'BUILDKITE_SOURCE') === 'webhook';
  return { event: isPush ? 'push' : 'other', base: pushBase(variables, isPush) };
}

/** Like the base of GitHub's `merge_group`: the head of the previous group, or of the target branch. */
function queueBase(variables: CiVariables): CiBase | undefined {
  const source = 'BUILDKITE_MERGE_QUEUE_BASE_COMMIT';
  const id = commitIn(readText(variables, source));
  if (id !== null) return { kind: 'commit', id, source };
  const branch = readText(variables, 'BUILDKITE_MERGE_QUEUE_BASE_BRANCH');
  return branch === undefined ? undefined : branchBase(branch, 'BUILDKITE_MERGE_QUEUE_BASE_BRANCH');
}

/** Buildkite does not tell the previous commit of a branch: on the default branch the pipeline must pass it on. */
function pushBase(variables: CiVariables, isPush: boolean): CiBase {
  if (!isPush) return unknownBase('the build was not started by a push or a pull request (BUILDKITE_SOURCE)');
  if (readText(variables, 'BUILDKITE_TAG') !== undefined)
    return unknownBase('a tag was pushed, which has no earlier commit to compare with');
  const branch = branchIn(readText(variables, 'BUILDKITE_BRANCH'));
  if (branch === null) return unknownBase('BUILDKITE_BRANCH is not a branch name');
  const configured = configuredBase(variables, branch);
  if (configured !== undefined) return configured;
  const main = branchIn(readText(variables, 'BUILDKITE_PIPELINE_DEFAULT_BRANCH'));
  if (main !== null && main !== branch) return { kind: 'branch', name: main, source: 'BUILDKITE_PIPELINE_DEFAULT_BRANCH' };
  return unknownBase(`Buildkite does not provide the commit of a branch before a push; a pipeline can set it in ${BASE_REVISION}`);
}

/**
 * Buildkite rejects an upload of more than 500 jobs, and a build of more than 4,000 with retries: buildkite.com/docs, "Limits". More jobs
 * would need several uploads, each inserted before the previous one. So legs take several shards instead, and one upload is enough.
 */
const MOST_LEGS = 450;

/**
 * Returns the steps for `buildkite-agent pipeline upload`, as JSON.
 * It has a step for each leg, the longest first. The gate follows after a `wait` that lets it run even if they fail; without work there is
 * only the gate. It contains only ids of the plan. The agent replaces the `$` during the upload: the jobs go to the queue in
 * AFFECTED_QUEUE, otherwise to that of the plan's job. Source: buildkite.com/docs, "Command step", "Wait step".
 */
function emit({ shards }: Plan): string {
  const legs = groupIntoLegs(shards, MOST_LEGS);
  const steps = legs.length === 0 ? [GATE] : [...legs.map(shardStep), WAIT, GATE];
  return `${JSON.stringify({ agents: AGENTS, steps }, undefined, 1)}\n`;
}

const AGENTS = { queue: `\${AFFECTED_QUEUE:-\${BUILDKITE_AGENT_META_DATA_QUEUE:-default}}` };

/**
 * Retries after a lost machine (-1), which says nothing about the tests. Each leg has its own folder of receipts, so no other leg can
 * replace them.
 */
function shardStep(leg: Leg): object {
  return {
    label: `shard ${leg.id}`,
    key: `shard-${leg.id}`,
    command: 'sh .buildkite/affected.sh shard',
    env: { LEG: leg.id, SHARDS: shardIds(leg) },
    artifact_paths: `.tributary/receipts/${leg.id}/*.json`,
    retry: { automatic: [{ exit_status: -1, limit: 2 }] },
    soft_fail: false,
  };
}

const WAIT = { wait: null, continue_on_failure: true };

const GATE = { label: 'gate', key: 'gate', command: 'sh .buildkite/affected.sh gate', soft_fail: false };
