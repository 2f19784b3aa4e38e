import type { ChangedFile } from '@tributary/model/changeset';
import type { Builds } from './builds.js';
import { ChangedOf } from './changed-of.js';
import { isMeasured, predictTimes } from './durations.js';
import { whyNoTask } from './has-task.js';
import { HashedFiles } from './hashed-files.js';
import { type Inspected, type InspectionFacts, inspect } from './inspect-workspace.js';
import { agreement, findLostTasks } from './lost-tasks.js';
import type { Machine } from './machine.js';
import { aloneOf } from './pack/item.js';
import type { SplitItem } from './pack/split.js';
import type { LeftOut, Piece, TaskPlan, Unselected } from './plan.js';
import type { PlanInput } from './plan-input.js';
import { predictShard, type TaskTimes } from './predict-shard.js';
import { checkRunnable } from './runnable.js';
import { inOneLine } from './shape.js';
import { checkTask, tasksBefore } from './turbo-tasks.js';
import { type PlannedWorkspace, Upstream } from './upstream.js';

/** What all tasks of a plan have in common. */
interface Shared {
  readonly builds: Builds;
  readonly machine: Machine;
  /** All of them, in the order of the request. */
  readonly tasks: readonly string[];
}

/** What runs of one task, before it is spread over shards. */
export interface PreparedTask {
  readonly task: string;
  /** By the names of their items. */
  readonly chosen: ReadonlyMap<string, Inspected>;
  readonly upstream: Upstream;
  /** Returns what the plan says of a piece, by its item. */
  readonly about: (item: SplitItem) => Omit<Piece, 'part'>;
  /** Returns what the plan says of the task. `items`: those of all tasks, cut. */
  readonly planFor: (items: readonly SplitItem[]) => TaskPlan;
}

/** Throws `TASK_UNKNOWN`, and `WORKSPACE_UNRUNNABLE` for pieces that no shard could run. */
export function prepareTask(input: PlanInput, { builds, machine, tasks }: Shared): PreparedTask {
  const { task, turboTasks, timings, cpuSeconds = new Map() } = input;
  // Sorted first: sums in another order may differ in their last digit, which would change the plan's hash.
  const workspaces = [...input.workspaces].sort((a, b) => (a.name < b.name ? -1 : 1));
  checkTask(turboTasks, task);
  const testable = workspaces.filter((workspace) => whyNoTask(workspace, task, turboTasks) === undefined);
  const times = predictTimes(
    testable.map(({ name }) => ({ name, testFiles: input.testFiles.get(name) ?? 0 })),
    { timings, cpuSeconds, task },
  );
  const upstream = new Upstream(turboTasks, workspaces);
  const hashed = new HashedFiles(upstream, input.hashing, task);
  const isOnlyTask = tasks.length === 1;
  const isBuild = tasks.some((other) => other !== task && tasksBefore(other, turboTasks).has(task));
  const { chosen, ...others } = choose(testable, { input, times, machine, builds, upstream, hashed, isOnlyTask, isBuild });
  const byItem = new Map(chosen.map((one) => [one.splittable.item.name, one]));
  const changed = new ChangedOf(input.hashing, chosen);
  return {
    task,
    chosen: byItem,
    upstream,
    about: ({ item, of }) => {
      const { workspace = of, asBuild = aloneOf(item) } = byItem.get(of) ?? {};
      const which = { workspace, ...(isOnlyTask ? {} : { task }) };
      return { ...which, seconds: rounded(asBuild), ...testsBefore(workspace, input), ...changed.of(workspace) };
    },
    planFor: (items) => {
      input.atWork?.();
      return {
        affected: input.affected,
        task,
        changed: changed.all,
        changedSets: changed.sets,
        outside: input.outside ?? null,
        fileTimes: fileTimesOf(items, byItem, input),
        leftOut: [...leftOut(input), ...others.unread].sort(byWorkspace),
        ...(input.reportOnly === true ? { unselected: others.unselected } : {}),
        atBase: findLostTasks(input.base, input, input),
        ...flawsOf(new Set(chosen.map(({ workspace }) => workspace)), input),
        guessed: chosen.filter(({ workspace }) => !isMeasured(workspace, timings, task)).length,
        everythingSeconds: testable.every(({ name }) => isMeasured(name, timings, task))
          ? secondsOfAll([...times.values()], machine)
          : null,
      };
    },
  };
}

interface Choice {
  readonly chosen: readonly Inspected[];
  /** Why other affected workspaces have no tests to run. */
  readonly unread: readonly LeftOut[];
  /** Those of the chosen that a selection leaves out. */
  readonly unselected: readonly Unselected[];
}

/** Returns the workspaces with tests to run: the affected ones or, to report only, all. */
function choose(testable: readonly PlannedWorkspace[], facts: InspectionFacts): Choice {
  const { input, hashed } = facts;
  const { affected, task, reportOnly } = input;
  const reasons = new Map(affected.workspaces.map((one) => [one.name, one.reasons]));
  const unread: LeftOut[] = [];
  const unselected: Unselected[] = [];
  const chosen = testable.flatMap((workspace) => {
    const { name, path } = workspace;
    const why = reasons.get(name);
    const files = why === undefined ? undefined : hashed.leftOutBy(name, why);
    const left = why === undefined ? 'The change does not affect it.' : files && describeUnread(files, task);
    if (left !== undefined && reportOnly !== true) {
      if (why !== undefined) unread.push({ workspace: name, reason: left });
      return [];
    }
    checkRunnable(workspace, task);
    input.atWork?.(name);
    const inspected = inspect(workspace, why ?? [], facts);
    if (left === undefined) return [inspected];
    unselected.push({ workspace: name, reason: left, path: path === '' ? '.' : path });
    return [withoutCache(inspected)];
  });
  return { chosen, unread, unselected };
}

/** A cached result of what a selection leaves out would not show whether the change breaks it. */
function withoutCache(one: Inspected): Inspected {
  return { ...one, why: 'a plan that only reports runs what it would leave out.', changed: [], known: { ...one.known, fresh: true } };
}

/** What the gate holds the tests of a workspace against. */
function testsBefore(name: string, input: PlanInput): Pick<Piece, 'tests' | 'testsAtBase' | 'agreed'> {
  const [tests, testsAtBase] = [input.testsRun?.get(name) ?? 0, input.testsAtBase?.get(name)];
  const why = agreement(name, input.task, input.agreed);
  if (tests === 0 && testsAtBase === undefined) return {};
  return { ...(tests === 0 ? {} : { tests }), ...(testsAtBase && { testsAtBase }), ...(why === null ? {} : { agreed: why }) };
}

/** Of what is planned. */
function flawsOf(planned: ReadonlySet<string>, input: PlanInput): Pick<TaskPlan, 'scriptFlaws' | 'strictScripts'> {
  const scriptFlaws = (input.scriptFlaws ?? []).filter(({ workspace }) => planned.has(workspace));
  if (scriptFlaws.length === 0) return {};
  return { scriptFlaws, ...(input.strictScripts === true ? { strictScripts: true } : {}) };
}

/** Of what is cut of the task, each workspace once. */
function fileTimesOf(items: readonly SplitItem[], byItem: PreparedTask['chosen'], { fileTimes }: PlanInput): TaskPlan['fileTimes'] {
  const names = new Set(items.flatMap(({ of, part }) => (part === null ? [] : (byItem.get(of)?.workspace ?? []))));
  return [...names].sort().flatMap((workspace) => {
    const files = fileTimes.get(workspace) ?? [];
    return files.length === 0 ? [] : [{ workspace, files }];
  });
}

/** Returns the seconds of one machine for the tests of all workspaces, without their builds. */
function secondsOfAll(times: readonly TaskTimes[], machine: Machine): number {
  if (machine.concurrency === 1) return rounded(times.reduce((sum, { seconds }) => sum + seconds, 0));
  const pieces = times.map((one) => ({ ...one, part: null, fresh: false, builds: [], after: [] }));
  return rounded(predictShard(pieces, [], machine));
}

function leftOut({ affected, workspaces, task, turboTasks }: PlanInput): readonly LeftOut[] {
  const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));
  return affected.workspaces.flatMap(({ name }) => {
    const workspace = byName.get(name);
    const reason = workspace === undefined ? 'It is not a workspace at the head.' : whyNoTask(workspace, task, turboTasks);
    return reason === undefined ? [] : [{ workspace: name, reason }];
  });
}

function byWorkspace(a: LeftOut, b: LeftOut): number {
  return a.workspace < b.workspace ? -1 : 1;
}

function describeUnread([first, ...others]: readonly ChangedFile[], task: string): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `Only ${inOneLine(first?.path ?? '')}${more} changed, which the inputs of "${task}" in turbo.json exclude.`;
}

/** Returns seconds as plans show them. */
export function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
