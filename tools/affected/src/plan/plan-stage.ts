import { kindOfTask } from '@tributary/workspaces/task-kinds';
import type { Builds } from './builds.js';
import type { Machine } from './machine.js';
import type { ShardPlan } from './pack/plan-shards.js';
import type { Stage } from './plan.js';
import type { KnownTests } from './predict-all.js';
import { isPieceName } from './shape.js';
import { type StagedPlan, type StageInput, weighStage } from './stage.js';
import type { Restored } from './turbo-outputs.js';
import { splitTaskId, type TaskId, type Upstream } from './upstream.js';

/** The facts about the tests and builds of a plan. */
interface Planned extends Pick<StageInput, 'items' | 'request'> {
  readonly tests: ReadonlyMap<string, KnownTests>;
  readonly builds: Builds;
  readonly upstream: Upstream;
  readonly task: string;
  /** The machine of a shard, if it is known. */
  readonly machine: Machine | undefined;
  readonly restored: Restored | undefined;
}

/** Returns the plan with a stage if that is better than without; never on a guess: all times and the machine must have been measured. */
export function stagedPlan(
  plain: ShardPlan,
  { items, request, tests, builds, upstream, task, machine, restored }: Planned,
): StagedPlan | undefined {
  if (restored === undefined || machine === undefined || builds.hasUnknown) return undefined;
  return weighStage(plain, {
    items,
    request,
    machine,
    builds: builds.inOrder(upstream),
    canStage: (build) => canStage(builds.ids[build] ?? '', { restored, task }),
    isFresh: (name) => tests.get(name)?.fresh !== false,
  });
}

/** A stage makes no tests, whatever their task is called: a shard would replay them without their proof. Names go into command lines. */
function canStage(id: TaskId, { restored, task }: { readonly restored: Restored; readonly task: string }): boolean {
  const { name, task: own } = splitTaskId(id);
  return own !== task && kindOfTask(own) !== 'test' && isPieceName(name) && isPieceName(own) && restored(name, own);
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
