import type { ChangedFile } from '@tributary/model/changeset';
import type { AffectedResult } from '../result.js';
import type { Timings } from '../timings/timings.js';
import { median } from '../timings/timings.js';
import { isMeasured, predictDurations } from './durations.js';
import { type FileTime, secondsOfParts } from './file-parts.js';
import { isFresh } from './fresh.js';
import { whyNoTask } from './has-task.js';
import { HashedFiles, type HashingFacts } from './hashed-files.js';
import { type AgreedLosses, type BaseSide, findLostTasks } from './lost-tasks.js';
import type { ShardRequest } from './pack/choose.js';
import { planShards } from './pack/plan-shards.js';
import type { SplitItem, Splittable } from './pack/split.js';
import type { ChangedFiles, LeftOut, Piece, Plan, Shard } from './plan.js';
import { checkRunnable } from './runnable.js';
import { runnerOf } from './runner.js';
import { sealPlan } from './seal.js';
import { inOneLine } from './shape.js';
import { checkTask, type TurboTasks } from './turbo-tasks.js';
import { type PlannedWorkspace, type TaskId, Upstream } from './upstream.js';

/** All that a plan is made of. */
export interface PlanInput {
  readonly affected: AffectedResult;
  readonly task: string;
  /** All workspaces of the head. */
  readonly workspaces: readonly PlannedWorkspace[];
  readonly turboTasks: TurboTasks;
  readonly hashing: HashingFacts;
  readonly timings: Timings;
  /** How many test files a workspace seems to have, by name, for guessing how long they take. */
  readonly testFiles: ReadonlyMap<string, number>;
  /** How many its runner is known to have, by name: only such a suite is cut. */
  readonly listedFiles: ReadonlyMap<string, number>;
  /** What its test files took, by name, as far as its runner has reported it. */
  readonly fileTimes: ReadonlyMap<string, readonly FileTime[]>;
  readonly shardRequest: ShardRequest;
  readonly base: BaseSide;
  readonly agreed: AgreedLosses;
}

/** Makes the plan: a pure function of its input. Throws `TASK_UNKNOWN`, and `WORKSPACE_UNRUNNABLE` for what no shard could run. */
export function buildPlan(input: PlanInput): Plan {
  const { affected, task, turboTasks, timings, shardRequest } = input;
  // Added in another order, times may differ in their last digit, and then the plan would have another hash.
  const workspaces = [...input.workspaces].sort((a, b) => (a.name < b.name ? -1 : 1));
  checkTask(turboTasks, task);
  const testable = workspaces.filter((workspace) => whyNoTask(workspace, task, turboTasks) === undefined);
  const durations = predictDurations(
    testable.map(({ name }) => ({ name, testFiles: input.testFiles.get(name) ?? 0 })),
    timings,
    task,
  );
  const upstream = new Upstream(turboTasks, workspaces);
  const hashed = new HashedFiles(upstream, input.hashing, task);
  const builds = new Builds(timings);
  const unread: LeftOut[] = [];
  const reasons = new Map(affected.workspaces.map((one) => [one.name, one.reasons]));
  const chosen = testable.flatMap((workspace) => {
    const known = reasons.get(workspace.name);
    if (known === undefined) return [];
    const files = hashed.leftOutBy(workspace.name, known);
    if (files !== undefined) {
      unread.push({ workspace: workspace.name, reason: describeUnread(files, task) });
      return [];
    }
    checkRunnable(workspace, task);
    return [inspect(workspace, known, { input, durations, builds, upstream, hashed })];
  });
  const { items: cut, choice } = planShards(
    chosen.map(({ splittable }) => splittable),
    builds.seconds,
    shardRequest,
  );
  const changed = new Changed(
    input.hashing,
    new Map(chosen.flatMap((one) => (one.fresh ? [] : [[one.splittable.item.name, one.changed]]))),
  );
  return sealPlan({
    schemaVersion: 2,
    affected,
    task,
    setupSeconds: shardRequest.setupSeconds,
    changed: changed.all,
    shards: choice.packing.shards.map((places, at) => shardOf(places.map((place) => cut[place]).filter(isThere), { at, builds, changed })),
    fileTimes: fileTimesOf(cut, input),
    leftOut: [...leftOut(input), ...unread].sort(byWorkspace),
    atBase: findLostTasks(input.base, input, input),
    curve: choice.curve.map(({ shards, wallSeconds, machineSeconds }) => ({
      shards,
      wallSeconds: rounded(wallSeconds),
      machineSeconds: rounded(machineSeconds),
    })),
    guessed: chosen.filter(({ splittable }) => !isMeasured(splittable.item.name, timings, task)).length,
    unusedShards: choice.unused,
    everythingSeconds: testable.every(({ name }) => isMeasured(name, timings, task))
      ? rounded([...durations.values()].reduce((sum, one) => sum + one, 0))
      : null,
  });
}

/** Of what is cut, each workspace once. */
function fileTimesOf(items: readonly SplitItem[], { fileTimes }: PlanInput): Plan['fileTimes'] {
  const names = new Set(items.filter(({ part }) => part !== null).map(({ of }) => of));
  return [...names].sort().flatMap((workspace) => {
    const files = fileTimes.get(workspace) ?? [];
    return files.length === 0 ? [] : [{ workspace, files }];
  });
}

function leftOut({ affected, workspaces, task, turboTasks }: PlanInput): readonly LeftOut[] {
  const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));
  return affected.workspaces.flatMap(({ name }) => {
    const workspace = byName.get(name);
    const reason = workspace === undefined ? 'It is no workspace of the head.' : whyNoTask(workspace, task, turboTasks);
    return reason === undefined ? [] : [{ workspace: name, reason }];
  });
}

function byWorkspace(a: LeftOut, b: LeftOut): number {
  return a.workspace < b.workspace ? -1 : 1;
}

function describeUnread([first, ...others]: readonly ChangedFile[], task: string): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `Only ${inOneLine(first?.path ?? '')}${more} changed, which the inputs of "${task}" in turbo.json leave out.`;
}

/** What changed for the pieces that may come out of a cache, each workspace once. */
class Changed {
  readonly all: readonly ChangedFiles[];
  /** By the name of such a piece's workspace, places in `all`. */
  private readonly places: ReadonlyMap<string, readonly number[]>;

  /** `seen`: by the name of such a workspace, those whose changed files its tests may see. */
  constructor({ changed }: HashingFacts, seen: ReadonlyMap<string, readonly string[]>) {
    const workspaces = [...new Set([...seen.values()].flat())].sort();
    const places = new Map(workspaces.map((name, at) => [name, at]));
    this.all = workspaces.map((workspace) => ({
      workspace,
      files: (changed.get(workspace) ?? []).filter(isThereStill).map(({ path }) => path),
    }));
    this.places = new Map(
      [...seen].map(([name, others]) => [name, others.flatMap((other) => places.get(other) ?? []).sort((a, b) => a - b)]),
    );
  }

  of(workspace: string): Pick<Piece, 'fresh' | 'changed'> {
    const changed = this.places.get(workspace);
    return changed === undefined ? { fresh: true } : { fresh: false, changed };
  }
}

function isThereStill({ status }: ChangedFile): boolean {
  return status !== 'deleted';
}

/** What must be built, each with a number. */
class Builds {
  /** By number. Zero where nothing is known: an unknown build must not outweigh a known test. */
  readonly seconds: number[] = [];
  private readonly numbers = new Map<TaskId, number>();
  private readonly timings: Timings;

  constructor(timings: Timings) {
    this.timings = timings;
  }

  /** The numbers of those that take time. */
  numbersOf(tasks: readonly TaskId[]): readonly number[] {
    return tasks.map((id) => this.numbers.get(id) ?? this.number(id)).filter((number) => number !== NO_TIME);
  }

  private number(id: TaskId): number {
    const time = median(this.timings.get(id) ?? []) ?? 0;
    const number = time === 0 ? NO_TIME : this.seconds.push(time) - 1;
    this.numbers.set(id, number);
    return number;
  }
}

const NO_TIME = -1;

interface Inspected {
  readonly splittable: Splittable;
  readonly fresh: boolean;
  /** For one that is not fresh, the workspaces whose changed files its tests may see. */
  readonly changed: readonly string[];
}

/** All that asks for what comes before the tests of a workspace, at once: to find it takes longest. */
function inspect(
  workspace: PlannedWorkspace,
  reasons: AffectedResult['workspaces'][number]['reasons'],
  more: {
    readonly input: PlanInput;
    readonly durations: ReadonlyMap<string, number>;
    readonly builds: Builds;
    readonly upstream: Upstream;
    readonly hashed: HashedFiles;
  },
): Inspected {
  const { input, durations, builds, upstream, hashed } = more;
  const { name, scripts } = workspace;
  const before = upstream.of(name, input.task);
  // turborepo hands what is meant for a part to each task of this name in the call.
  const isAlone = before.every((id) => !id.endsWith(`#${input.task}`));
  // Only what the runner lists is known to be a test file. Since then some may have gone: vitest refuses more parts than files.
  const files = Math.min(input.listedFiles.get(name) ?? 0, input.testFiles.get(name) ?? Number.POSITIVE_INFINITY);
  const runner = runnerOf(scripts.get(input.task) ?? '');
  const isDivisible = runner !== undefined && !(runner === 'jest' && workspace.hasJestThreshold === true);
  const canSplit = isDivisible && files > 1 && isAlone;
  const item = { name, seconds: durations.get(name) ?? 0, builds: builds.numbersOf(before) };
  const fresh = isFresh(workspace, reasons, { task: input.task, upstream, hashed });
  return {
    splittable: {
      item,
      canSplit: canSplit ? 'yes' : 'no',
      mostParts: Math.floor(files / 2),
      partSeconds: (parts) => sharesOf(item.seconds, secondsOfParts(runner, input.fileTimes.get(name) ?? [], parts)),
    },
    fresh,
    changed: fresh ? [] : hashed.changedFor(name),
  };
}

/** Runners test several files at once, and take time to start: parts share the time of the whole as they share that of the files. */
function sharesOf(seconds: number, parts: readonly number[] | undefined): readonly number[] | undefined {
  const all = parts?.reduce((sum, one) => sum + one, 0) ?? 0;
  return parts?.map((one) => (one / all) * seconds);
}

function shardOf(
  items: readonly SplitItem[],
  { at, builds, changed }: { readonly at: number; readonly builds: Builds; readonly changed: Changed },
): Shard {
  const pieces = items.map(({ item, of, part }): Piece => ({ workspace: of, part, seconds: rounded(item.seconds), ...changed.of(of) }));
  const numbers = new Set(items.flatMap(({ item }) => item.builds));
  const building = [...numbers].reduce((sum, number) => sum + (builds.seconds[number] ?? 0), 0);
  const testing = items.reduce((sum, { item }) => sum + item.seconds, 0);
  return { id: String(at + 1).padStart(2, '0'), seconds: rounded(building + testing), builds: rounded(building), pieces };
}

function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}
