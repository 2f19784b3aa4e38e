import type { ChangedFile } from '@tributary/model/changeset';
import type { AffectedResult } from '../result.js';
import type { Timings } from '../timings/timings.js';
import { Builds } from './builds.js';
import { type ChangedSet, shareSets } from './changed-sets.js';
import { isMeasured, predictTimes } from './durations.js';
import { type FileTime, secondsOfParts } from './file-parts.js';
import { isFresh } from './fresh.js';
import { whyNoTask } from './has-task.js';
import { HashedFiles, type HashingFacts } from './hashed-files.js';
import { type AgreedLosses, agreement, type BaseSide, findLostTasks } from './lost-tasks.js';
import { type Machine, PLAIN_MACHINE } from './machine.js';
import type { ShardRequest } from './pack/choose.js';
import { aloneOf, secondsToBuild } from './pack/item.js';
import { planShards } from './pack/plan-shards.js';
import type { SplitItem, Splittable } from './pack/split.js';
import type { ChangedFiles, LeftOut, Piece, Plan, Shard } from './plan.js';
import { describeStage, rounded, type StageAnswer, type StageFacts, stagedPlan } from './plan-stage.js';
import { type KnownTests, predictorOf } from './predict-all.js';
import { predictShard, shareOf, type TaskTimes } from './predict-shard.js';
import { checkRunnable } from './runnable.js';
import { runnerOf } from './runner.js';
import { sealPlan } from './seal.js';
import { inOneLine } from './shape.js';
import type { FileSelection, SparedFiles } from './spared-files.js';
import { checkTask, type TurboTasks } from './turbo-tasks.js';
import { type PlannedWorkspace, Upstream } from './upstream.js';

/** The input of a plan. */
export interface PlanInput {
  readonly affected: AffectedResult;
  readonly task: string;
  /** All workspaces at the head. */
  readonly workspaces: readonly PlannedWorkspace[];
  readonly turboTasks: TurboTasks;
  readonly hashing: HashingFacts;
  readonly timings: Timings;
  /** The processor seconds of runs, as far as they are known, in the form of `timings`. */
  readonly cpuSeconds?: Timings;
  /** The machine of a shard; without it, one that runs one task after the other. */
  readonly machine?: Machine | undefined;
  /** By name, the number of files in a workspace that look like tests, to guess how long they take. */
  readonly testFiles: ReadonlyMap<string, number>;
  /** By name, the number of test files that its runner listed; only such a suite is split. */
  readonly listedFiles: ReadonlyMap<string, number>;
  /** By name, the times of its test files, as far as its runner reported them. */
  readonly fileTimes: ReadonlyMap<string, readonly FileTime[]>;
  /** The test files that observations prove unaffected. */
  readonly fileSelection?: FileSelection | undefined;
  /** How many tests each ran in its newest known run, by name, as far as that is known. */
  readonly testsRun?: ReadonlyMap<string, number>;
  readonly shardRequest: ShardRequest;
  readonly base: BaseSide;
  readonly agreed: AgreedLosses;
  readonly outside?: string;
  readonly turbo?: string | undefined;
  /** Missing: nobody asked for a build stage. */
  readonly stage?: StageFacts | undefined;
}

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
  const unread: LeftOut[] = [];
  const reasons = new Map(affected.workspaces.map((one) => [one.name, one.reasons]));
  const chosen = testable.flatMap((workspace) => {
    const why = reasons.get(workspace.name);
    if (why === undefined) return [];
    const files = hashed.leftOutBy(workspace.name, why);
    if (files !== undefined) {
      unread.push({ workspace: workspace.name, reason: describeUnread(files, task) });
      return [];
    }
    checkRunnable(workspace, task);
    const inspected = inspect(workspace, why, { input, times, machine, builds, upstream, hashed });
    const all = inspected.spared;
    if (all === undefined || all.hasNew || all.files.length < all.of) return [inspected];
    unread.push({ workspace: workspace.name, reason: describeSpared(all) });
    return [];
  });
  const spared = new Map(chosen.map((one) => [one.splittable.item.name, one.spared]));
  const tests = new Map(chosen.map(({ splittable, known }) => [splittable.item.name, known]));
  const buildSeconds = builds.times.map((one) => shareOf(one, machine));
  const items = chosen.map(({ splittable }) => splittable);
  const guessed = chosen.map(({ splittable }) => splittable.item.name).filter((name) => !isMeasured(name, timings, task));
  const request = { ...shardRequest, predict: predictorOf(tests, { task, machine, builds, upstream }) };
  const plain = planShards(items, buildSeconds, request);
  const planned = { items, tests, guessed, builds, upstream, request, task, machine: input.machine };
  const { staged, whyNot: noStage }: StageAnswer = input.stage === undefined ? {} : stagedPlan(plain, planned, input.stage);
  const { items: cut, choice } = staged?.plan ?? plain;
  const changed = new Changed(
    input.hashing,
    new Map(chosen.flatMap((one) => (one.fresh ? [] : [[one.splittable.item.name, one.changed]]))),
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
    ...(staged === undefined ? {} : { stage: describeStage(staged, { builds, setupSeconds: shardRequest.setupSeconds, plain }) }),
    ...(noStage === undefined ? {} : { noStage }),
    shards: choice.packing.shards.map((places, at) =>
      shardOf(places.map((place) => cut[place]).filter(isThere), {
        at,
        seconds: choice.packing.loads[at] ?? 0,
        buildSeconds,
        more: (name) => ({ ...describeTests(name, input, spared.get(name)), ...changed.of(name) }),
      }),
    ),
    fileTimes: fileTimesOf(cut, input),
    leftOut: [...leftOut(input), ...unread].sort(byWorkspace),
    atBase: findLostTasks(input.base, input, input),
    curve: plain.choice.curve.map(({ shards, wallSeconds, machineSeconds }) => ({
      shards,
      wallSeconds: rounded(wallSeconds),
      machineSeconds: rounded(machineSeconds),
    })),
    guessed: guessed.length,
    machine: input.machine ?? null,
    unusedShards: plain.choice.unused + (staged === undefined || shardRequest.shards === undefined ? 0 : choice.unused),
    everythingSeconds: testable.every(({ name }) => isMeasured(name, timings, task))
      ? rounded(secondsOfAll([...times.values()], machine))
      : null,
  });
}

/** What the gate holds the tests of a workspace against. Fewer test files run fewer tests. */
function describeTests(
  name: string,
  input: PlanInput,
  spared: SparedFiles | undefined,
): Pick<Piece, 'tests' | 'agreed' | 'spared' | 'whole'> {
  if (spared !== undefined) return { spared: { files: spared.files, of: spared.of, reason: describeSpared(spared) } };
  const whole = input.fileSelection?.whole.get(name);
  return { ...testsBefore(name, input), ...(whole === undefined ? {} : { whole: inOneLine(whole) }) };
}

function describeSpared({ files, of, because }: SparedFiles): string {
  return inOneLine(`${files.length} of ${of} test files do not run: they ${because}`);
}

function testsBefore(name: string, { testsRun, agreed, task }: PlanInput): Pick<Piece, 'tests' | 'agreed'> {
  const tests = testsRun?.get(name) ?? 0;
  const why = agreement(name, task, agreed);
  return tests === 0 ? {} : { tests, ...(why === null ? {} : { agreed: why }) };
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

/** The changed files for the pieces whose result may come from a cache, each workspace once. */
class Changed {
  readonly all: readonly ChangedFiles[];
  readonly sets: readonly ChangedSet[];
  /** By the name of such a piece's workspace, an index in `sets`. */
  private readonly places: ReadonlyMap<string, number>;

  /** `seen`: by the name of such a workspace, the workspaces whose changed files its tests may see. */
  constructor({ changed }: HashingFacts, seen: ReadonlyMap<string, readonly string[]>) {
    const workspaces = [...new Set([...seen.values()].flat())].sort();
    const places = new Map(workspaces.map((name, at) => [name, at]));
    this.all = workspaces.map((workspace) => ({
      workspace,
      files: (changed.get(workspace) ?? []).filter(isThereStill).map(({ path }) => path),
    }));
    const { sets, of } = shareSets(
      [...seen.values()].map((others) => others.flatMap((other) => places.get(other) ?? []).sort((a, b) => a - b)),
    );
    this.sets = sets;
    this.places = new Map([...seen.keys()].map((name, at) => [name, of[at] ?? 0]));
  }

  of(workspace: string): Pick<Piece, 'fresh' | 'changed'> {
    const changed = this.places.get(workspace);
    return changed === undefined ? { fresh: true } : { fresh: false, changed };
  }
}

function isThereStill({ status }: ChangedFile): boolean {
  return status !== 'deleted';
}

interface Inspected {
  readonly splittable: Splittable;
  readonly known: KnownTests;
  /** The test files that need not run, if its runner can run the others alone. */
  readonly spared: SparedFiles | undefined;
  readonly fresh: boolean;
  /** The workspaces whose changed files its tests may see, unless it is fresh. */
  readonly changed: readonly string[];
}

/** Gathers everything that needs the upstream tasks of a workspace at once, because finding them takes longest. */
function inspect(
  workspace: PlannedWorkspace,
  reasons: AffectedResult['workspaces'][number]['reasons'],
  more: {
    readonly input: PlanInput;
    readonly times: ReadonlyMap<string, TaskTimes>;
    readonly machine: Machine;
    readonly builds: Builds;
    readonly upstream: Upstream;
    readonly hashed: HashedFiles;
  },
): Inspected {
  const { input, times, machine, builds, upstream, hashed } = more;
  const { name, scripts } = workspace;
  const before = upstream.of(name, input.task);
  // turborepo passes a part's arguments to every task of this name in the call.
  const isAlone = before.every((id) => !id.endsWith(`#${input.task}`));
  // Only listed files are known to be tests. Some may have been deleted since, and vitest rejects more parts than files.
  const files = Math.min(input.listedFiles.get(name) ?? 0, input.testFiles.get(name) ?? Number.POSITIVE_INFINITY);
  const runner = runnerOf(scripts.get(input.task) ?? '');
  const isDivisible = runner !== undefined && !(runner === 'jest' && workspace.hasJestThreshold === true);
  const canName = isAlone && isDivisible && (runner === 'jest' || runner === 'node');
  const spared = canName ? input.fileSelection?.spared.get(name) : undefined;
  const canSplit = isDivisible && files > 1 && isAlone && spared === undefined;
  const time = shareOfFiles(times.get(name) ?? { seconds: 0, cpuSeconds: 0 }, spared);
  const item = { name, seconds: shareOf(time, machine), alone: time.seconds, builds: builds.numbersOf(before) };
  const fresh = isFresh(workspace, reasons, { task: input.task, upstream, hashed });
  return {
    splittable: {
      item,
      canSplit: canSplit ? 'yes' : 'no',
      mostParts: Math.floor(files / 2),
      partSeconds: (parts) => sharesOf(time.seconds, secondsOfParts(runner, input.fileTimes.get(name) ?? [], parts)),
    },
    known: { ...time, fresh, builds: item.builds },
    spared,
    fresh,
    changed: fresh ? [] : hashed.changedFor(name),
  };
}

/** Assumes that all test files take the same time. */
function shareOfFiles({ seconds, cpuSeconds }: TaskTimes, spared: SparedFiles | undefined): TaskTimes {
  const share = spared === undefined ? 1 : Math.max(1, spared.of - spared.files.length) / spared.of;
  return { seconds: seconds * share, cpuSeconds: cpuSeconds * share };
}

/** Divides the time of a suite in proportion to its parts' file times: runners test several files at once, and take time to start. */
function sharesOf(seconds: number, parts: readonly number[] | undefined): readonly number[] | undefined {
  const all = parts?.reduce((sum, one) => sum + one, 0) ?? 0;
  return parts?.map((one) => (one / all) * seconds);
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
    readonly more: (name: string) => Pick<Piece, 'tests' | 'spared' | 'whole' | 'fresh' | 'changed'>;
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

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}
