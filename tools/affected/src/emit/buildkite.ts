import type { Plan } from '../plan/plan.js';
import { groupIntoLegs, type Leg, shardIds } from './legs.js';

/**
 * Buildkite refuses an upload of more than 500 jobs, and a build of more than 4,000 with retries: buildkite.com/docs, "Limits". More machines
 * would need several uploads, each of which goes in front of the one before; so legs take several shards instead, and one upload is enough.
 */
const MOST_LEGS = 450;

/**
 * The steps for `buildkite-agent pipeline upload`, as JSON: one for each leg, the longest first, then the gate behind a `wait` that lets it run
 * however they end. Without work it has the gate alone. It holds ids and nothing else of the plan. The agent replaces the `$` when it uploads:
 * the jobs go to the queue in AFFECTED_QUEUE, else to that of the job that made the plan. Source: buildkite.com/docs, "Command step", "Wait step".
 */
export function emitBuildkite({ shards }: Plan): string {
  const legs = groupIntoLegs(shards, MOST_LEGS);
  const steps = legs.length === 0 ? [GATE] : [...legs.map(shardStep), WAIT, GATE];
  return `${JSON.stringify({ agents: AGENTS, steps }, undefined, 1)}\n`;
}

const AGENTS = { queue: `\${AFFECTED_QUEUE:-\${BUILDKITE_AGENT_META_DATA_QUEUE:-default}}` };

/** A machine that went away (-1) says nothing about the tests. What a leg leaves has a folder of its own, so no other leg's can take its place. */
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
