import type { AffectedResult } from '../result.js';
import type { Builds } from './builds.js';
import { secondsOfParts } from './file-parts.js';
import { whyFresh } from './fresh.js';
import type { HashedFiles } from './hashed-files.js';
import type { Machine } from './machine.js';
import type { Splittable } from './pack/split.js';
import { wholeName } from './plan.js';
import type { PlanInput } from './plan-input.js';
import type { KnownTests } from './predict-all.js';
import { shareOf, type TaskTimes } from './predict-shard.js';
import { runnerOf } from './runner.js';
import { type PlannedWorkspace, taskId, type Upstream } from './upstream.js';

/** What a plan needs to know of a workspace with tests. */
export interface Inspected {
  readonly workspace: string;
  /** Its seconds, if they count as those of a build. */
  readonly asBuild: number | undefined;
  readonly splittable: Splittable;
  readonly known: KnownTests;
  /** Why a cached result does not count; `undefined`: it may. */
  readonly why: string | undefined;
  /** The workspaces whose changed files its tests may see, unless a cached result does not count. */
  readonly changed: readonly string[];
}

/** What is known of all workspaces. */
export interface InspectionFacts {
  readonly input: PlanInput;
  readonly times: ReadonlyMap<string, TaskTimes>;
  readonly machine: Machine;
  readonly builds: Builds;
  readonly upstream: Upstream;
  readonly hashed: HashedFiles;
  /** Of the plan. Otherwise the name of an item has the task. */
  readonly isOnlyTask: boolean;
  /** Another task of the plan runs after it. */
  readonly isBuild: boolean;
}

/** Gathers everything that needs the upstream tasks of a workspace at once, because finding them takes longest. */
export function inspect(
  workspace: PlannedWorkspace,
  reasons: AffectedResult['workspaces'][number]['reasons'],
  facts: InspectionFacts,
): Inspected {
  const { input, times, machine, builds, upstream, hashed, isOnlyTask, isBuild } = facts;
  const { name, scripts } = workspace;
  // Only listed files are known to be tests. Some may have been deleted since, and vitest rejects more parts than files.
  const files = Math.min(input.listedFiles.get(name) ?? 0, input.testFiles.get(name) ?? Number.POSITIVE_INFINITY);
  const runner = runnerOf(scripts.get(input.task) ?? '');
  const isDivisible = runner !== undefined && !(runner === 'jest' && workspace.hasJestThreshold === true);
  const mayHaveParts = isDivisible && files > 1;
  // With thousands of workspaces, the lists would take more time than everything else.
  const before = mayHaveParts || builds.areTimed ? upstream.of(name, input.task) : [];
  // turborepo passes a part's arguments to every task of this name in the call.
  const canSplit = mayHaveParts && before.every((id) => !id.endsWith(`#${input.task}`));
  const id = taskId(name, input.task);
  // A machine that also needs its result makes it only once, so its time counts as that of a build.
  const own = isBuild ? builds.numbersOf([id]) : [];
  const time = own.length > 0 ? AS_BUILD : (times.get(name) ?? NO_TIME);
  const item = {
    name: isOnlyTask ? name : wholeName({ workspace: name, task: input.task }),
    seconds: shareOf(time, machine),
    alone: time.seconds,
    builds: [...builds.numbersOf(before), ...own],
  };
  const why = whyFresh(workspace, reasons, { task: input.task, upstream, hashed });
  return {
    workspace: name,
    asBuild: own.length > 0 ? times.get(name)?.seconds : undefined,
    splittable: {
      item,
      canSplit: canSplit ? 'yes' : 'no',
      mostParts: Math.floor(files / 2),
      partSeconds: (parts) => sharesOf(time.seconds, secondsOfParts(runner, input.fileTimes.get(name) ?? [], parts)),
    },
    known: { ...time, id, fresh: why !== undefined, builds: item.builds },
    why,
    changed: why !== undefined ? [] : hashed.changedFor(name),
  };
}

const NO_TIME: TaskTimes = { seconds: 0, cpuSeconds: 0 };
/** Not 0: a shard with any item takes time. */
const AS_BUILD: TaskTimes = { seconds: 0.001, cpuSeconds: 0.001 };

/** Divides the time of a suite in proportion to its parts' file times: runners test several files at once, and take time to start. */
function sharesOf(seconds: number, parts: readonly number[] | undefined): readonly number[] | undefined {
  const all = parts?.reduce((sum, one) => sum + one, 0) ?? 0;
  return parts?.map((one) => (one / all) * seconds);
}
