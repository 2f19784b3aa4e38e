import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { readText } from '../engines/variables.js';
import { readEnvironment } from '../io/environment.js';
import { forgetResults, localCache } from '../io/local-cache.js';
import { readTurboFile } from '../io/machine.js';
import { TaskWatch } from '../io/task-evidence.js';
import { listTestFiles } from '../io/test-lists.js';
import { askTurbo, runTurbo, type TurboTask } from '../io/turbo.js';
import { hasIgnoredFiles, removeUntracked } from '../io/work-tree.js';
import { type Call, callsOf, describeCall, groupByTask } from '../plan/calls.js';
import { placesOf } from '../plan/changed-sets.js';
import { hashesVariable } from '../plan/hashed-variables.js';
import { type Piece, type Plan, pieceName, type Shard, wholeName } from '../plan/plan.js';
import { plansByTask, tasksOf } from '../plan/plans-by-task.js';
import { inOneLine } from '../plan/shape.js';
import type { TurboHashes } from '../plan/turbo-hashes.js';
import { taskId } from '../plan/upstream.js';
import type { ProvenTask } from '../plan/watched-task.js';
import type { FailedBuild, Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { LONG_SECONDS } from '../timings/timings.js';
import { type Cut, cutOf, listOf, namedFiles, scriptOf, suiteOf } from './cut-suite.js';
import { otherTurbo, outsideOf, whyPlanned, whyUnproven } from './doubtful-results.js';
import { endOfLog, type PieceEvidence, pieceEvidence } from './piece-evidence.js';
import { nameForTurbo, pathOf } from './planned-workspace.js';
import type { ShardJob } from './shard-job.js';

type Results = Required<Pick<Receipt, 'pieces' | 'builds' | 'failedBuilds'>>;

/** Runs the pieces of a shard in as few calls of turborepo as possible, and returns the results. Throws the errors of `runTurbo`. */
export async function runShardTasks(
  shard: Shard,
  job: Omit<ShardJob, 'others'>,
): Promise<Pick<Receipt, 'pieces' | 'builds' | 'failedBuilds'>> {
  const plans = new Map(plansByTask(job.plan).map(({ plan }) => [plan.task, plan]));
  const proven = tasksOf(job.plan).map((one): ProvenTask => ({ task: one.task, outside: outsideOf(one) }));
  const all: Results[] = [];
  // Those of a task that others run after come first.
  for (const group of groupByTask(shard.pieces)) {
    const plan = plans.get(group[0]?.task ?? job.plan.task) ?? job.plan;
    const others = proven.filter(({ task }) => task !== plan.task);
    const problem = await job.problemFor?.(plan.task);
    if (problem !== undefined) job.services.ui.warning(`${plan.task} proves nothing: ${problem}`);
    const ran = await runTask({ ...shard, pieces: group }, { ...job, plan, others });
    all.push(problem === undefined ? ran : { ...ran, pieces: ran.pieces.map((piece) => ({ ...piece, problem })) });
  }
  const { failedBuilds, ...others } = joined(all);
  const passed = new Set(others.builds.map(({ task }) => task));
  const failed = new Map(failedBuilds.filter(({ task }) => !passed.has(task)).map((one) => [one.task, one]));
  return failed.size === 0 ? others : { ...others, failedBuilds: [...failed.values()] };
}

function joined(all: readonly Results[]): Results {
  return {
    pieces: all.flatMap(({ pieces }) => pieces),
    builds: all.flatMap(({ builds }) => builds),
    failedBuilds: all.flatMap(({ failedBuilds }) => failedBuilds),
  };
}

/** Runs the pieces of one task. */
async function runTask(shard: Shard, job: ShardJob): Promise<Results> {
  const unhashed = findUnhashed(shard, job, await askAbout(shard, job));
  const all: Results[] = [];
  for (const call of callsOf(shard.pieces.map((piece) => ({ ...piece, ...unhashed.get(piece.workspace) })))) {
    job.services.ui.status(`Shard ${shard.id}: ${describeCall(call)}`);
    all.push(await runCall(call, job));
  }
  return joined(all);
}

async function runCall(call: Call, job: ShardJob): Promise<Results> {
  const cut = await cutOf(call, job);
  const ran = await runProven(call, job, cut);
  if (cut === undefined || !ran.hasBuilt) return ran;
  // Builds may create and delete test files, so the final list is known only now.
  const again = await cutOf(call, job);
  if (again?.list === cut.list) return ran;
  job.services.ui.status('Its builds changed its list of test files: it runs again with the new list.');
  const second = await runProven(call, job, again);
  const last = await cutOf(call, job);
  const pieces = last?.list === again?.list ? second.pieces : second.pieces.map((piece) => ({ ...piece, problem: UNSETTLED }));
  return joined([
    { ...ran, pieces },
    { ...second, pieces: [] },
  ]);
}

const UNSETTLED = 'Each run of it changes its list of test files.';

/**
 * Runs a call, and repeats the tests whose cached result does not count. It counts only if its original run left a proof, and the cache
 * restored everything that ran before it. What ran before it comes from the cache, unless that is what is in doubt.
 */
async function runProven({ pieces }: Call, job: ShardJob, cut: Cut | undefined): Promise<Ran> {
  const since = Date.now();
  const ran = await runCut({ cache: 'used', pieces }, job, cut);
  const { unproven, unrestored } = ran;
  const doubtful = unrestored === undefined ? unproven : pieces.map((piece) => ({ piece, why: unrestored }));
  if (doubtful.length === 0) return ran;
  for (const { piece, why } of doubtful) job.services.ui.warning(`${wholeName(piece)} runs despite a cached result: ${why}`);
  const again = await runAnew(ran, doubtful, { job, cut, since });
  const forced = new Map(doubtful.map(({ piece, why }) => [pieceName(piece), { forced: why }]));
  return {
    ...ran,
    // A piece that did not run again is missing.
    pieces: [
      ...ran.pieces.filter((piece) => !forced.has(pieceName(piece))),
      ...again.pieces.map((piece) => ({ ...piece, ...forced.get(pieceName(piece)) })),
    ],
    builds: [...ran.builds, ...again.builds],
    failedBuilds: [...ran.failedBuilds, ...again.failedBuilds],
  };
}

/** Runs the tests on what the first run has restored or made before them, which is now in the cache of this machine. */
async function runAnew(
  { tasks, unrestored }: Ran,
  doubtful: Ran['unproven'],
  { job, cut, since }: { readonly job: ShardJob; readonly cut: Cut | undefined; readonly since: number },
): Promise<Ran> {
  const pieces = doubtful.map(({ piece }) => piece);
  await removeRestored(tasks, doubtful, { ...job, since });
  const hashes = pieces.flatMap((piece) => taskOf(piece, job.plan, tasks)?.hash ?? []);
  if (unrestored === undefined && localCache() !== undefined && forgetResults(job.folder, hashes)) {
    const again = await runCut({ cache: 'local', pieces }, job, cut);
    if (again.pieces.every(({ state }) => state === 'executed')) return again;
  }
  return await runCut({ cache: 'ignored', pieces }, job, cut);
}

/** Removes what a cached result that does not count has restored, such as a snapshot: the tests would pass on it. */
async function removeRestored(
  tasks: readonly TurboTask[],
  doubtful: Ran['unproven'],
  { plan, folder, since }: ShardJob & { readonly since: number },
): Promise<void> {
  const replayed = doubtful.map(({ piece }) => taskOf(piece, plan, tasks)).filter((task) => task?.state === 'replayed');
  const others = new Set(tasks.filter((task) => !replayed.includes(task)).flatMap(({ outputs = [] }) => outputs));
  await removeUntracked(
    folder,
    replayed.flatMap((task) => task?.outputs ?? []).filter((path) => !others.has(path)),
    since,
  );
}

interface Ran extends Results {
  readonly tasks: readonly TurboTask[];
  /** Whether other tasks ran first. */
  readonly hasBuilt: boolean;
  /** Pieces with a cached result that does not count, their own or that of a build, with the reason. */
  readonly unproven: readonly { readonly piece: Piece; readonly why: string }[];
  /** A sentence: an upstream task was not restored, and other files may be in its place. */
  readonly unrestored: string | undefined;
}

async function runCut(call: Call, job: ShardJob, cut: Cut | undefined): Promise<Ran> {
  const { plan, folder, concurrency, services } = job;
  const isWatched = mayWatch(call, job);
  const watch = new TaskWatch({
    task: plan.task,
    others: job.others,
    named: namedFiles(call, job, cut),
    outside: outsideOf(plan),
  });
  try {
    const tasks = await runTurbo({
      folder,
      task: plan.task,
      cache: call.cache,
      concurrency,
      signal: services.signal,
      workspaces: call.pieces.map(({ workspace }) => nameForTurbo(workspace, plan)),
      scriptArguments: cut?.args ?? [],
      env: isWatched ? { NODE_OPTIONS: watch.nodeOptions(readEnvironment()['NODE_OPTIONS']) } : {},
    });
    const other = tasks.map((task) => otherTurbo(task, job)).find((why) => why !== undefined);
    if (other !== undefined) services.ui.warning(`Another version than planned: ${other}`);
    const found = call.pieces.map((piece) => ({ piece, task: taskOf(piece, plan, tasks) }));
    const pieces: ReceiptPiece[] = [];
    for (const { piece, task } of found) if (task !== undefined) pieces.push(await receiptPiece(piece, task, { watch, job, cut }));
    const before = tasks.filter((one) => one.state === 'executed' && !found.some(({ task }) => task === one));
    const builds = before.filter(({ exit }) => exit === 0);
    return {
      tasks,
      pieces,
      hasBuilt: tasks.length > call.pieces.length,
      unrestored: await findUnrestored(tasks, found, job),
      unproven: found.flatMap(({ piece, task }) => {
        const why = task?.state === 'replayed' ? (whyPlanned(piece) ?? whyUnproven(task, job, { isWatched, cut })) : undefined;
        return why === undefined ? [] : [{ piece, why }];
      }),
      builds: builds.map(({ workspace, task, hash, startedAt, endedAt }) => ({
        task: `${workspace}#${task}`,
        startedAt,
        endedAt,
        cpuSeconds: watch.read(hash).cpuSeconds,
      })),
      failedBuilds: before.filter(({ exit }) => exit !== 0).map((one) => failedBuild(one, folder)),
    };
  } finally {
    watch.remove();
  }
}

function failedBuild(task: TurboTask, folder: string): FailedBuild {
  const log = endOfLog(folder, task);
  return { task: inOneLine(`${task.workspace}#${task.task}`), exit: task.exit, ...(log === undefined ? {} : { log }) };
}

/** Of a task without `outputs` a cache brings back nothing: in a checkout that is kept, the tests would run on what another job has left. */
async function findUnrestored(
  tasks: readonly TurboTask[],
  pieces: readonly { readonly task: TurboTask | undefined }[],
  job: ShardJob,
): Promise<string | undefined> {
  const { folder, built } = job;
  // Pieces too: the tests of a later call may need what a build has left that is a piece itself.
  for (const { state, exit, hash } of tasks) if (state === 'executed' && exit === 0) built.add(hash);
  for (const one of tasks.filter((task) => !pieces.some((piece) => piece.task === task))) {
    const { state, hash, unrestored, workspace, task } = one;
    if (state !== 'replayed' || built.has(hash)) continue;
    const other = otherTurbo(one, job);
    if (other !== undefined) return other;
    if (unrestored === undefined || !(await hasIgnoredFiles(folder, unrestored))) continue;
    return `turborepo restores nothing of ${inOneLine(taskId(workspace, task))}, which has no outputs, and its folder has files of another run.`;
  }
  return undefined;
}

/**
 * Tells whether the hook can be loaded. It cannot if turborepo hashes NODE_OPTIONS, because another value would invalidate every cached
 * result; less is then known about the tasks. Throws `USAGE` for an invalid variable.
 */
function mayWatch({ pieces }: Call, { plan, folder }: ShardJob): boolean {
  const wanted = readText(readEnvironment(), 'AFFECTED_REPORTS') ?? 'on';
  if (wanted !== 'on' && wanted !== 'off')
    throw new ToolError({ code: 'USAGE', message: 'AFFECTED_REPORTS must be "on" or "off".', hint: 'Set it to "off", or unset it.' });
  if (wanted === 'off') return false;
  // A process with restricted file access would not start with our file.
  const starts = [readEnvironment()['NODE_OPTIONS'] ?? '', ...pieces.map(({ workspace }) => scriptOf(workspace, { plan, folder }))];
  if (starts.some((text) => /--(?:experimental-)?permission/.test(text))) return false;
  const folders = new Set(['', ...pieces.map(({ workspace }) => pathOf(workspace, plan) ?? '')]);
  return [...folders].every((path) => !hashesVariable(readTurboFile(join(folder, path)) ?? '', 'NODE_OPTIONS'));
}

function taskOf({ workspace }: Piece, plan: Plan, tasks: readonly TurboTask[]): TurboTask | undefined {
  return tasks.find((one) => one.task === plan.task && one.workspace === nameForTurbo(workspace, plan));
}

async function receiptPiece(
  piece: Piece,
  task: TurboTask,
  { watch, job, cut }: { readonly watch: TaskWatch; readonly job: ShardJob; readonly cut: Cut | undefined },
): Promise<ReceiptPiece> {
  const { state, hash, exit, startedAt, endedAt } = task;
  const place = { project: job.folder, workspace: pathOf(piece.workspace, job.plan) ?? '' };
  const { files, ...evidence } = pieceEvidence(task, watch.read(hash), place);
  return {
    workspace: piece.workspace,
    ...(piece.task === undefined ? {} : { task: piece.task }),
    part: piece.part,
    state,
    taskHash: hash,
    exit,
    testFiles: cut?.count ?? (await countFiles(piece, { task, files, job })),
    startedAt,
    endedAt,
    ...evidence,
    ...listOf(cut, files),
    // The gate looks whether all parts together have run each file.
    ...(files === undefined || !(cut !== undefined || isLong(piece, task)) ? {} : { fileSeconds: files }),
  };
}

function isLong({ part }: Piece, { startedAt, endedAt }: TurboTask): boolean {
  return (endedAt - startedAt) * (part?.[1] ?? 1) >= LONG_SECONDS * 1000;
}

/** Lists the files if the runner did not report them, once for all parts, because only a suite with enough known files is split. */
async function countFiles(
  piece: Piece,
  { task, files, job }: { readonly task: TurboTask; readonly files: PieceEvidence['files']; readonly job: ShardJob },
): Promise<number | null> {
  if (task.state !== 'executed' || task.exit !== 0 || (piece.part?.[0] ?? 1) !== 1 || !isLong(piece, task)) return null;
  if (piece.part === null && files !== undefined) return files.length;
  const suite = suiteOf(piece, job);
  return (suite === undefined ? undefined : await listTestFiles(suite, job.services.signal))?.files.length ?? null;
}

/** Asks turborepo what it hashes for the pieces; `undefined`: it does not tell, or nothing depends on it. */
async function askAbout({ pieces }: Shard, { plan, folder, services }: ShardJob): Promise<TurboHashes | undefined> {
  if (pieces.every((piece) => trustedFor(piece, plan).length === 0)) return undefined;
  const workspaces = [...new Set(pieces.map(({ workspace }) => nameForTurbo(workspace, plan)))];
  return await askTurbo({ folder, task: plan.task, workspaces, signal: services.signal });
}

/** The changed files that must be in the hash for a cached result to count. */
function trustedFor({ changed }: Piece, plan: Plan): readonly string[] {
  const places = changed === undefined ? [] : placesOf(changed, plan.changedSets);
  return places.flatMap((at) => plan.changed[at]?.files ?? []);
}

/**
 * Returns why a cached result does not count after all, by workspace. The plan could not ask turborepo, because it is made without an
 * installed one.
 */
function findUnhashed(
  { pieces }: Shard,
  { plan }: ShardJob,
  hashes: TurboHashes | undefined,
): ReadonlyMap<string, Pick<Piece, 'fresh' | 'why'>> {
  const found = new Map<string, Pick<Piece, 'fresh' | 'why'>>();
  for (const piece of pieces) {
    const files = trustedFor(piece, plan);
    if (files.length === 0) continue;
    const { workspace } = piece;
    const missing = hashes?.firstMissing(taskId(nameForTurbo(workspace, plan), plan.task), files);
    if (hashes === undefined) found.set(workspace, { fresh: true, why: 'turborepo did not list the files that it hashes.' });
    else if (missing !== undefined)
      found.set(workspace, { fresh: true, why: `turborepo does not hash ${inOneLine(missing)}, which changed.` });
  }
  return found;
}
