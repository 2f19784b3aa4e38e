import { ToolError } from '@tributary/model/errors';
import type { Plan } from '../plan/plan.js';
import type { CiBase, CiChange } from './ci-change.js';
import { BASE_REVISION, configuredBase } from './configured-base.js';
import type { CiEngine } from './engine.js';
import { groupIntoLegs, type Leg, shardIds } from './legs.js';
import { attemptIn, branchBase, branchIn, type CiVariables, commitIn, numberIn, readText, unknownBase } from './variables.js';

export const azure: CiEngine = {
  name: 'azure',
  title: 'Azure Pipelines',
  setup: {
    files: { 'azure/azure-pipelines.yml': 'azure-pipelines.yml' },
    oneJob: { 'azure/one-job.yml': 'azure-pipelines.yml' },
    require: 'In Azure Repos, add a branch policy for the pipeline; on GitHub, require the check of the job "gate".',
    requireOneJob: 'In Azure Repos, add a branch policy for the pipeline; on GitHub, require the check of the job "affected".',
  },
  // .NET writes `True`.
  detect: (variables) => /^true$/i.test(readText(variables, 'TF_BUILD') ?? ''),
  readChange,
  attempt: (variables) => attemptIn(variables, 'SYSTEM_JOBATTEMPT'),
  // Jobs run again only in a new attempt of their stage.
  runAttempt: (variables) => attemptIn(variables, 'SYSTEM_STAGEATTEMPT'),
  emit,
};

/**
 * Reads the change from the variables of Azure Pipelines. Source: learn.microsoft.com/azure/devops/pipelines/build/variables.
 * For a pull request, HEAD is the merge `refs/pull/<n>/merge`, whose first parent is the target branch, in Azure Repos and on GitHub. On
 * GitHub its number is SYSTEM_PULLREQUEST_PULLREQUESTNUMBER; there SYSTEM_PULLREQUEST_PULLREQUESTID is Azure's own.
 */
function readChange(variables: CiVariables): CiChange {
  const head = commitIn(readText(variables, 'BUILD_SOURCEVERSION'));
  const number = readText(variables, 'SYSTEM_PULLREQUEST_PULLREQUESTNUMBER') ?? readText(variables, 'SYSTEM_PULLREQUEST_PULLREQUESTID');
  return { ...eventAndBase(variables, head), head, pullRequest: numberIn(number), repository: null };
}

function eventAndBase(variables: CiVariables, head: CiChange['head']): Pick<CiChange, 'event' | 'base'> {
  switch (readText(variables, 'BUILD_REASON')) {
    case 'PullRequest':
      return { event: 'pull request', base: pullRequestBase(variables, head) };
    case 'IndividualCI':
    case 'BatchedCI':
      return { event: 'push', base: pushBase(variables) };
    default:
      return { event: 'other', base: unknownBase('the run was not started by a push or a pull request (BUILD_REASON)') };
  }
}

/** The target branch is `refs/heads/main` in Azure Repos, `main` on GitHub. */
function pullRequestBase(variables: CiVariables, head: CiChange['head']): CiBase {
  const target = branchBase(readText(variables, 'SYSTEM_PULLREQUEST_TARGETBRANCH'), 'SYSTEM_PULLREQUEST_TARGETBRANCH');
  const isMergeRef = /^refs\/pull\/\d+\/merge$/.test(readText(variables, 'BUILD_SOURCEBRANCH') ?? '');
  return isMergeRef && head !== null && target.kind === 'branch' ? { kind: 'merge ref', mergeCommit: head, branch: target.name } : target;
}

function pushBase(variables: CiVariables): CiBase {
  const ref = readText(variables, 'BUILD_SOURCEBRANCH') ?? '';
  if (ref.startsWith('refs/tags/')) return unknownBase('a tag was pushed, which has no earlier commit to compare with');
  const branch = ref.startsWith('refs/heads/') ? branchIn(ref) : null;
  if (branch === null) return unknownBase('BUILD_SOURCEBRANCH is not a branch name');
  const reason = `Azure Pipelines does not provide the commit of a branch before a push; a pipeline can set it in ${BASE_REVISION}`;
  return configuredBase(variables, branch) ?? unknownBase(reason);
}

/**
 * Azure Pipelines rejects a stage with more than 256 jobs (MicrosoftDocs/azure-devops-docs#10979; its documentation names no limit). The
 * jobs for plan and gate are in the same stage.
 */
const MOST_LEGS = 254;

/**
 * In characters: every step gets the variable in its environment, and the agent supports no longer one
 * (microsoft/azure-pipelines-agent#1508).
 */
const LONGEST_VALUE = 32_766;

/**
 * Returns the log lines that set the output variables `hasWork` and `legs` of a step.
 * `legs` is the value of `strategy.matrix`: `{"leg_01":{"LEG":"01","SHARDS":"01 65"}}`, the longest leg first. Without work it is `{}`, and
 * a job with that matrix would run once, without variables (azure-devops-docs#5259). So the job's condition must check `hasWork`. Names of
 * legs start with a letter, and have letters, digits and underscores. Source: learn.microsoft.com, "jobs.job.strategy", "Logging commands".
 * Throws `PLAN_INVALID` for a plan that does not fit.
 */
function emit({ shards }: Plan): string {
  let most = MOST_LEGS;
  let legs = formatLegs(groupIntoLegs(shards, most));
  // A leg takes five times the characters of a shard's id, so fewer legs are shorter.
  while (legs.length > LONGEST_VALUE && most > 1) {
    most = Math.floor(most * 0.9);
    legs = formatLegs(groupIntoLegs(shards, most));
  }
  if (legs.length > LONGEST_VALUE) throw tooLong(shards.length);
  return setOutput('hasWork', String(shards.length > 0)) + setOutput('legs', legs);
}

function formatLegs(legs: readonly Leg[]): string {
  return JSON.stringify(Object.fromEntries(legs.map((leg) => [`leg_${leg.id}`, { LEG: leg.id, SHARDS: shardIds(leg) }])));
}

/** The properties end at `;` or `]`, and the value at the end of the line. */
function setOutput(name: string, value: string): string {
  return `##vso[task.setvariable variable=${name};isOutput=true]${value}\n`;
}

function tooLong(shards: number): ToolError {
  return new ToolError({
    code: 'PLAN_INVALID',
    message: `The ids of ${shards} shards are longer than the ${LONGEST_VALUE} characters that Azure Pipelines passes between jobs.`,
    hint: 'Make the plan with --max-shards 1000, or fewer.',
    data: { shards, longest: LONGEST_VALUE },
  });
}
