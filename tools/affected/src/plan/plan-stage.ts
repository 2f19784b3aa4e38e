import { kindOfTask } from '@tributary/workspaces/task-kinds';
import { countOf } from '../describe.js';
import { span } from '../summary/span.js';
import type { Builds } from './builds.js';
import type { Machine } from './machine.js';
import type { ShardPlan } from './pack/plan-shards.js';
import type { Stage } from './plan.js';
import type { KnownTests } from './predict-all.js';
import { inOneLine, isPieceName } from './shape.js';
import { type NoStage, type StagedPlan, type StageInput, weighStage } from './stage.js';
import type { Restored } from './turbo-outputs.js';
import { splitTaskId, type TaskId, type Upstream } from './upstream.js';

/** What the pipeline and turbo.json say of a build stage. */
export interface StageFacts {
  /** Whether a cache brings back what a workspace's task makes. */
  readonly restored: Restored;
  /** The variable that names a remote cache; missing: there is none. */
  readonly remoteCache?: string | undefined;
}

/** The facts about the tests and builds of a plan. */
interface Planned extends Pick<StageInput, 'items' | 'request'> {
  readonly tests: ReadonlyMap<string, KnownTests>;
  /** The workspaces whose tests no run has timed. */
  readonly guessed: readonly string[];
  readonly builds: Builds;
  readonly upstream: Upstream;
  readonly task: string;
  /** The machine of a shard, if it is known. */
  readonly machine: Machine | undefined;
}

/** A plan with a stage, or a sentence that says why there is none; neither if nobody asked for one. */
export interface StageAnswer {
  readonly staged?: StagedPlan;
  readonly whyNot?: string;
}

/** Returns the plan with a stage if that is better than without; never on a guess: all times and the machine must have been measured. */
export function stagedPlan(plain: ShardPlan, planned: Planned, { restored, remoteCache }: StageFacts): StageAnswer {
  const { tests, builds, upstream, task, machine } = planned;
  const none = (why: string): StageAnswer => ({ whyNot: inOneLine(`There is no build stage: ${why}.`) });
  if (remoteCache !== undefined) return none(`${remoteCache} names a remote cache, in which shards find each other's builds`);
  const { guessed, ...input } = planned;
  if (guessed.length > 0) return none(`no run shows how long the tests take in ${firstOf(guessed)}`);
  if (builds.unknown.length > 0) return none(`no run shows how long these builds take: ${firstOf(builds.unknown)}`);
  if (machine === undefined) return none('no receipt in the timings shows the processors of a shard');
  const whyNotRestored = (id: TaskId): string | undefined => whyNotStaged(id, { restored, task });
  const found = weighStage(plain, {
    ...input,
    machine,
    builds: builds.inOrder(upstream),
    canStage: (build) => whyNotRestored(builds.ids[build] ?? '') === undefined,
    isFresh: (name) => tests.get(name)?.fresh !== false,
  });
  if (found.plan !== undefined) return { staged: found };
  const ids = found.unrestored.flatMap((build) => builds.ids[build] ?? []);
  const [example = ''] = ids.map((id) => `, for example because ${whyNotRestored(id)}`);
  const lacks = ids.length === 0 ? '' : `. It leaves out ${countOf(ids.length, 'repeated build')}`;
  return none(`${describeNone(found)}${found.why === 'not restored' ? '' : lacks}${example}`);
}

function firstOf([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/**
 * Returns why a build stays in the shards, as a clause. A stage makes no tests, whatever their task is called: a shard would replay them
 * without their proof. Names go into command lines.
 */
function whyNotStaged(id: TaskId, { restored, task }: { readonly restored: Restored; readonly task: string }): string | undefined {
  const { name, task: own } = splitTaskId(id);
  if (own === task || kindOfTask(own) === 'test') return `${id} counts as tests by its name`;
  if (!isPieceName(name) || !isPieceName(own)) return `${id} has a name that no command line takes`;
  return restored(name, own) ? undefined : `turbo.json does not show that a cache restores ${id} ("outputs", "cache")`;
}

/** Returns the reason as a clause. */
function describeNone({ why, seconds }: NoStage): string {
  switch (why) {
    case 'not repeated':
      return 'no two shards make the same build';
    case 'fresh':
      return 'builds are repeated only for tests that run without a cache';
    case 'not restored':
      return 'no repeated build can be in it';
    case 'small':
      return `its set-up and transfers take ${span(Math.ceil(seconds))} more than it can save`;
    case 'late':
      return `the best one found ends ${span(Math.ceil(seconds))} later`;
    case 'dear':
      return `the best one found needs ${span(Math.ceil(seconds))} more machine time`;
  }
}

/** Describes the stage for the plan. */
export function describeStage(
  { jobs, delaySeconds, machineSeconds }: StagedPlan,
  { builds, plain, setupSeconds }: { readonly builds: Builds; readonly plain: ShardPlan; readonly setupSeconds: number },
): Stage {
  const { loads, makespan } = plain.choice.packing;
  return {
    jobs: [...jobs]
      .sort((a, b) => b.seconds - a.seconds)
      .map((job, at) => ({
        id: String(at + 1).padStart(2, '0'),
        seconds: rounded(job.seconds),
        builds: job.builds.flatMap((build) => builds.ids[build] ?? []),
      })),
    seconds: rounded(delaySeconds),
    machineSeconds: rounded(machineSeconds),
    without: {
      shards: loads.length,
      wallSeconds: rounded(setupSeconds + makespan),
      machineSeconds: rounded(loads.reduce((sum, load) => sum + load + setupSeconds, 0)),
    },
  };
}

/** Returns seconds as plans show them. */
export function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
