import type { ChangedFile } from '@tributary/model/changeset';
import { Builds } from './builds.js';
import { type ChangedSet, shareSets } from './changed-sets.js';
import { isMeasured, predictTimes } from './durations.js';
import { whyNoTask } from './has-task.js';
import { HashedFiles, type HashingFacts } from './hashed-files.js';
import { type Inspected, type InspectionFacts, inspect } from './inspect-workspace.js';
import { agreement, findLostTasks } from './lost-tasks.js';
import { type Machine, PLAIN_MACHINE } from './machine.js';
import { aloneOf, secondsToBuild } from './pack/item.js';
import { planShards } from './pack/plan-shards.js';
import type { SplitItem } from './pack/split.js';
import type { ChangedFiles, LeftOut, Piece, Plan, Shard, Unselected } from './plan.js';
import type { PlanInput } from './plan-input.js';
import { predictorOf } from './predict-all.js';
import { predictShard, shareOf, type TaskTimes } from './predict-shard.js';
import { checkRunnable } from './runnable.js';
import { sealPlan } from './seal.js';
import { inOneLine } from './shape.js';
import { checkTask } from './turbo-tasks.js';
import { type PlannedWorkspace, Upstream } from './upstream.js';

/** Builds the plan; a pure function of its input. Throws `TASK_UNKNOWN`, and `WORKSPACE_UNRUNNABLE` for pieces that no shard could run. */
export function buildPlan(input: PlanInput): Plan {
  const { affected, task, turboTasks, timings, cpuSeconds = new Map(), machine = PLAIN_MACHINE, shardRequest } = input;
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
  const builds = new Builds(timings, cpuSeconds);
  const { chosen, unread, unselected } = choose(testable, { input, times, machine, builds, upstream, hashed });
  const tests = new Map(chosen.map(({ splittable, known }) => [splittable.item.name, known]));
  const buildSeconds = builds.times.map((one) => shareOf(one, machine));
  const items = chosen.map(({ splittable }) => splittable);
  const guessed = chosen.map(({ splittable }) => splittable.item.name).filter((name) => !isMeasured(name, timings, task));
  const request = { ...shardRequest, predict: predictorOf(tests, { task, machine, builds, upstream }) };
  const { items: cut, choice } = planShards(items, buildSeconds, request);
  const changed = new Changed(
    input.hashing,
    new Map(chosen.flatMap((one) => (one.why === undefined ? [[one.splittable.item.name, one.changed]] : []))),
    new Map(chosen.map((one) => [one.splittable.item.name, one.why])),
  );
  return sealPlan({
    schemaVersion: 3,
    affected,
    task,
    setupSeconds: shardRequest.setupSeconds,
    changed: changed.all,
    changedSets: changed.sets,
    outside: input.outside ?? null,
    ...(input.turbo === undefined ? {} : { turbo: input.turbo }),
    ...(input.node === undefined ? {} : { node: input.node }),
    shards: choice.packing.shards.map((places, at) =>
      shardOf(places.map((place) => cut[place]).filter(isThere), {
        at,
        seconds: choice.packing.loads[at] ?? 0,
        buildSeconds,
        more: (name) => ({ ...testsBefore(name, input), ...changed.of(name) }),
      }),
    ),
    fileTimes: fileTimesOf(cut, input),
    leftOut: [...leftOut(input), ...unread].sort(byWorkspace),
    ...(input.reportOnly === true ? { unselected } : {}),
    atBase: findLostTasks(input.base, input, input),
    ...flawsOf(tests, input),
    guessed: guessed.length,
    machine: input.machine ?? null,
    unusedShards: choice.unused,
    everythingSeconds: testable.every(({ name }) => isMeasured(name, timings, task))
      ? rounded(secondsOfAll([...times.values()], machine))
      : null,
  });
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
    input.look?.(name);
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
function flawsOf(planned: ReadonlyMap<string, unknown>, input: PlanInput): Pick<Plan, 'scriptFlaws' | 'strictScripts'> {
  const scriptFlaws = (input.scriptFlaws ?? []).filter(({ workspace }) => planned.has(workspace));
  if (scriptFlaws.length === 0) return {};
  return { scriptFlaws, ...(input.strictScripts === true ? { strictScripts: true } : {}) };
}

/** Of what is cut, each workspace once. */
function fileTimesOf(items: readonly SplitItem[], { fileTimes }: PlanInput): Plan['fileTimes'] {
  const names = new Set(items.filter(({ part }) => part !== null).map(({ of }) => of));
  return [...names].sort().flatMap((workspace) => {
    const files = fileTimes.get(workspace) ?? [];
    return files.length === 0 ? [] : [{ workspace, files }];
  });
}

/** Returns the seconds of one machine for the tests of all workspaces, without their builds. */
function secondsOfAll(times: readonly TaskTimes[], machine: Machine): number {
  if (machine.concurrency === 1) return times.reduce((sum, { seconds }) => sum + seconds, 0);
  const pieces = times.map((one) => ({ ...one, part: null, fresh: false, builds: [], after: [] }));
  return predictShard(pieces, [], machine);
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

function shardOf(
  items: readonly SplitItem[],
  {
    at,
    seconds,
    buildSeconds,
    more,
  }: {
    readonly at: number;
    readonly seconds: number;
    readonly buildSeconds: readonly number[];
    /** What else the plan says of a piece, by its workspace. */
    readonly more: (name: string) => Pick<Piece, 'tests' | 'testsAtBase' | 'agreed' | 'fresh' | 'why' | 'changed'>;
  },
): Shard {
  const pieces = items.map(({ item, of, part }): Piece => ({ workspace: of, part, seconds: rounded(aloneOf(item)), ...more(of) }));
  const building = secondsToBuild(
    items.flatMap(({ item }) => item.builds),
    buildSeconds,
  );
  return {
    id: String(at + 1).padStart(2, '0'),
    seconds: rounded(seconds),
    builds: rounded(Math.min(building, seconds)),
    pieces,
  };
}

/** Returns seconds as plans show them. */
function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

/** The changed files for the pieces whose result may come from a cache, each workspace once. */
class Changed {
  readonly all: readonly ChangedFiles[];
  readonly sets: readonly ChangedSet[];
  /** By the name of such a piece's workspace, an index in `sets`. */
  private readonly indexes: ReadonlyMap<string, number>;
  private readonly why: ReadonlyMap<string, string | undefined>;

  /** `seen`: by the name of such a workspace, the workspaces whose changed files its tests may see. `why`: why the others are none. */
  constructor({ changed }: HashingFacts, seen: ReadonlyMap<string, readonly string[]>, why: ReadonlyMap<string, string | undefined>) {
    this.why = why;
    const workspaces = [...new Set([...seen.values()].flat())].sort();
    const indexes = new Map(workspaces.map((name, at) => [name, at]));
    this.all = workspaces.map((workspace) => ({
      workspace,
      files: (changed.get(workspace) ?? []).filter(isThereStill).map(({ path }) => path),
    }));
    const { sets, of } = shareSets(
      [...seen.values()].map((others) => others.flatMap((other) => indexes.get(other) ?? []).sort((a, b) => a - b)),
    );
    this.sets = sets;
    this.indexes = new Map([...seen.keys()].map((name, at) => [name, of[at] ?? 0]));
  }

  of(workspace: string): Pick<Piece, 'fresh' | 'why' | 'changed'> {
    const changed = this.indexes.get(workspace);
    if (changed !== undefined) return { fresh: false, changed };
    const why = this.why.get(workspace);
    return why === undefined ? { fresh: true } : { fresh: true, why };
  }
}

function isThereStill({ status }: ChangedFile): boolean {
  return status !== 'deleted';
}
