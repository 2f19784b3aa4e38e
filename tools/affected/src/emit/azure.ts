import { ToolError } from '@tributary/model/errors';
import type { Plan } from '../plan/plan.js';
import { groupIntoLegs, type Leg, shardIds } from './legs.js';

/**
 * Azure Pipelines refuses a stage with more than 256 jobs (MicrosoftDocs/azure-devops-docs#10979; its documentation names no limit), and the
 * jobs that plan and judge stand in the same stage.
 */
const MOST_LEGS = 254;

/** A variable is handed to every step as one of its environment, and the agent knows no longer one: microsoft/azure-pipelines-agent#1508. */
const LONGEST_VALUE = 32_766;

/**
 * The lines that set the output variables `hasWork` and `legs` of a step, to be printed by it. `legs` is the value of `strategy.matrix`:
 * `{"leg_01":{"LEG":"01","SHARDS":"01 65"}}`, the longest leg first. Without work it is `{}`; a job with that matrix would run once, with no
 * variables (azure-devops-docs#5259), so its condition has to ask `hasWork`. Names of legs may have letters, digits and underscores, and start
 * with a letter. Source: learn.microsoft.com, "jobs.job.strategy", "Logging commands". Throws `PLAN_INVALID` for a plan that does not fit.
 */
export function emitAzure({ shards }: Plan): string {
  let most = MOST_LEGS;
  let legs = formatLegs(groupIntoLegs(shards, most));
  // A shard costs its id, a leg five times that: fewer legs are shorter.
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

/** What stands between the brackets ends at `;` or `]`, the value at the end of the line. */
function setOutput(name: string, value: string): string {
  return `##vso[task.setvariable variable=${name};isOutput=true]${value}\n`;
}

function tooLong(shards: number): ToolError {
  return new ToolError({
    code: 'PLAN_INVALID',
    message: `The ids of ${shards} shards are longer than the ${LONGEST_VALUE} characters that Azure Pipelines hands from one job to another.`,
    hint: 'Make the plan with --max-shards 1000, or fewer.',
    data: { shards, longest: LONGEST_VALUE },
  });
}
