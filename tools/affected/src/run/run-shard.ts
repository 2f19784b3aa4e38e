import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { readAttempt } from '../engines/detect.js';
import { checkoutId } from '../io/checkout.js';
import { readEnvironment } from '../io/environment.js';
import { locate, type RepoLocation } from '../io/locate.js';
import { readMachine } from '../io/machine.js';
import { openGit } from '../io/open-git.js';
import { readPackage } from '../io/packages.js';
import { removeReceipt, writeReceipt } from '../io/receipts.js';
import { countTestFiles } from '../io/test-lists.js';
import { askTurbo, runTurbo, type TurboTask } from '../io/turbo.js';
import { stateOfWorkTree } from '../io/work-tree.js';
import { type Call, callsOf, describeCall } from '../plan/calls.js';
import { type Piece, type Plan, pieceName, type Shard } from '../plan/plan.js';
import { partArguments, runnerOf } from '../plan/runner.js';
import { inOneLine } from '../plan/shape.js';
import { taskId } from '../plan/upstream.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';

export interface ShardRequest {
  readonly cwd: AbsolutePath;
  readonly plan: Plan;
  /** Ids. */
  readonly shards: readonly string[];
  /** Where the receipts go. */
  readonly receipts: string;
}

/** What became of a shard. */
export interface ShardOutcome {
  readonly shard: string;
  readonly receipt: Receipt;
  /** The planned pieces that failed or did not run, in words. */
  readonly failed: readonly string[];
}

/**
 * Runs shards of a plan, one after the other, and writes a receipt for each as soon as it is done, failed or not. Throws `USAGE` for a shard
 * that the plan does not have, `PLAN_STALE` where another commit is checked out or a workspace is gone, and as `runTurbo`.
 */
export async function runShards(request: ShardRequest, services: Services): Promise<readonly ShardOutcome[]> {
  const { plan, receipts } = request;
  const shards = request.shards.map((id) => findShard(plan, id));
  for (const { id } of shards) removeReceipt(receipts, id);
  const place = locate(request.cwd);
  const folder = projectFolder(place);
  const commit = await checkedOut(place, plan);
  for (const { pieces } of shards) for (const piece of pieces) checkThere(piece, plan, folder);
  const checkout = checkoutId(place);
  const machine = readMachine(folder);
  const attempt = readAttempt(readEnvironment());
  const outcomes: ShardOutcome[] = [];
  for (const shard of shards) {
    // Again for each: the tests of the one before may have written into tracked files.
    const workTree = await stateOfWorkTree(place, services.signal);
    if (workTree === 'dirty')
      services.ui.warning(`The work tree differs from commit ${commit.slice(0, 12)}. The tests run on what lies there.`);
    const startedAt = services.clock();
    const tasks = await runShard(shard, { plan, folder, concurrency: machine.concurrency, services });
    // A clock that was set back in between must not spoil the receipt.
    const times = { startedAt, endedAt: Math.max(startedAt, services.clock()) };
    const about = { plan: plan.hash, shard: shard.id, attempt, commit, workTree, checkout, ...machine, ...times };
    const receipt: Receipt = { schemaVersion: 2, ...about, ...whatRan(tasks) };
    writeReceipt(receipts, receipt);
    outcomes.push({ shard: shard.id, receipt, failed: failedOf(shard, receipt) });
  }
  return outcomes;
}

function findShard({ shards }: Plan, id: string): Shard {
  const shard = shards.find((one) => one.id === id);
  if (shard !== undefined) return shard;
  const known =
    shards.length === 0 ? 'Nothing was planned, so there is no shard to run.' : `It has ${shards[0]?.id} to ${shards.at(-1)?.id}.`;
  throw new ToolError({ code: 'USAGE', message: `The plan has no shard "${id}".`, hint: known, data: { shard: id } });
}

function projectFolder({ workTree, project, gitDir }: RepoLocation): string {
  if (workTree === undefined) {
    throw new ToolError({
      code: 'TARGET_NOT_FOUND',
      message: `${gitDir} is a bare repository: nothing can run there.`,
      hint: 'Run in a clone.',
    });
  }
  return join(workTree, project);
}

async function checkedOut(place: RepoLocation, { affected }: Plan): Promise<string> {
  const commit = await openGit(place).text(['rev-parse', '--verify', 'HEAD^{commit}']);
  if (affected.head === null || affected.head === commit) return commit;
  throw new ToolError({
    code: 'PLAN_STALE',
    message: `The plan is for commit ${affected.head.slice(0, 12)}, and ${commit.slice(0, 12)} is checked out.`,
    hint: 'Check out the same commit in all jobs; of a pull request that is the merge that the plan job saw.',
    data: { planned: affected.head, checkedOut: commit },
  });
}

interface Ran {
  readonly piece: Piece;
  readonly task: TurboTask;
  readonly testFiles: number | null;
}

interface ShardTasks {
  /** By workspace, why a result of a cache does not count, though the plan would have trusted one. */
  readonly forced: ReadonlyMap<string, string>;
  readonly pieces: readonly Ran[];
  readonly builds: readonly TurboTask[];
}

interface Job {
  readonly plan: Plan;
  /** Of the project. */
  readonly folder: string;
  readonly concurrency: number;
  readonly services: Services;
}

async function runShard(shard: Shard, job: Job): Promise<ShardTasks> {
  const { plan, folder, concurrency, services } = job;
  const pieces: Ran[] = [];
  const builds: TurboTask[] = [];
  const forced = await findForced(shard, job);
  for (const [workspace, why] of forced) services.ui.warning(`${workspace} runs without a cache: ${why}`);
  for (const call of callsOf(shard.pieces.map((piece) => (forced.has(piece.workspace) ? { ...piece, fresh: true } : piece)))) {
    services.ui.status(`Shard ${shard.id}: ${describeCall(call)}`);
    const tasks = await runTurbo({
      folder,
      task: plan.task,
      cache: call.cache,
      concurrency,
      signal: services.signal,
      workspaces: call.pieces.map(({ workspace }) => nameForTurbo(workspace, plan)),
      scriptArguments: scriptArguments(call, plan, folder),
    });
    for (const piece of call.pieces) {
      const task = tasks.find((one) => one.task === plan.task && one.workspace === nameForTurbo(piece.workspace, plan));
      if (task !== undefined) pieces.push({ piece, task, testFiles: await listedFiles({ piece, task }, job) });
    }
    builds.push(...tasks.filter((one) => one.state === 'executed' && one.exit === 0 && !pieces.some(({ task }) => task === one)));
  }
  return { forced, pieces, builds };
}

/** A plan is made where turborepo is not installed. Here turborepo is asked whether it hashes the files that pieces were selected for. */
async function findForced({ pieces }: Shard, { plan, folder, services }: Job): Promise<ReadonlyMap<string, string>> {
  const asked = pieces.map(({ workspace, changed = [] }) => ({ workspace, files: changed.flatMap((at) => plan.changed[at]?.files ?? []) }));
  const trusted = new Map(asked.filter(({ files }) => files.length > 0).map(({ workspace, files }) => [workspace, files]));
  if (trusted.size === 0) return new Map();
  const workspaces = [...trusted.keys()].map((workspace) => nameForTurbo(workspace, plan));
  const hashes = await askTurbo({ folder, task: plan.task, workspaces, signal: services.signal });
  const forced = new Map<string, string>();
  for (const [workspace, files] of trusted) {
    const missing = hashes?.firstMissing(taskId(nameForTurbo(workspace, plan), plan.task), files);
    if (hashes === undefined) forced.set(workspace, 'turborepo did not say what it hashes.');
    else if (missing !== undefined) forced.set(workspace, `turborepo does not hash ${inOneLine(missing)}, which changed.`);
  }
  return forced;
}

/** What is done within this time is not worth cutting, and its runner is not asked. */
const LONG_MS = 10_000;

/** Asks the runner of what took long, once for all of its parts: only what is known to have files enough is cut. */
async function listedFiles({ piece, task }: Omit<Ran, 'testFiles'>, { plan, folder, services }: Job): Promise<number | null> {
  const isAsked = task.state === 'executed' && task.exit === 0 && (piece.part?.[0] ?? 1) === 1;
  if (!isAsked || (task.endedAt - task.startedAt) * (piece.part?.[1] ?? 1) < LONG_MS) return null;
  const home = join(folder, pathOf(piece.workspace, plan) ?? '');
  const script = readPackage(home)?.scripts.get(plan.task) ?? '';
  const runner = runnerOf(script);
  if (runner === undefined) return null;
  return (await countTestFiles({ folder: home, task: plan.task, script, runner }, services.signal)) ?? null;
}

/** turborepo calls the root `//`. */
function nameForTurbo(workspace: string, plan: Plan): string {
  return pathOf(workspace, plan) === '.' ? '//' : workspace;
}

function pathOf(workspace: string, { affected }: Plan): string | undefined {
  return affected.workspaces.find(({ name }) => name === workspace)?.path;
}

function checkThere({ workspace }: Piece, plan: Plan, folder: string): void {
  const path = pathOf(workspace, plan);
  if (path === undefined || readPackage(join(folder, path))?.name !== workspace)
    throw gone(`${workspace} is no workspace of what is checked out.`);
}

function scriptArguments({ pieces: [piece] }: Call, plan: Plan, folder: string): readonly string[] {
  if (piece === undefined || piece.part === null) return [];
  const home = join(folder, pathOf(piece.workspace, plan) ?? '');
  const runner = runnerOf(readPackage(home)?.scripts.get(plan.task) ?? '');
  if (runner === undefined) throw gone(`${pieceName(piece)} cannot be run in parts: its script is not the one that was planned with.`);
  return partArguments(runner, piece.part);
}

function gone(message: string): ToolError {
  return new ToolError({ code: 'PLAN_STALE', message, hint: 'Make a new plan for this commit, or check out the one it was made for.' });
}

function whatRan(tasks: ShardTasks): Pick<Receipt, 'pieces' | 'builds'> {
  const pieces = tasks.pieces.map(
    ({ piece: { workspace, part }, task, testFiles }): ReceiptPiece => ({
      workspace,
      part,
      state: task.state,
      taskHash: task.hash,
      exit: task.exit,
      testFiles,
      startedAt: task.startedAt,
      endedAt: task.endedAt,
      cpuSeconds: null,
      ...forcedBy(tasks.forced.get(workspace)),
    }),
  );
  const builds = tasks.builds.map(({ workspace, task, startedAt, endedAt }) => ({
    task: `${workspace}#${task}`,
    startedAt,
    endedAt,
    cpuSeconds: null,
  }));
  return { pieces, builds };
}

function forcedBy(forced: string | undefined): Pick<ReceiptPiece, 'forced'> {
  return forced === undefined ? {} : { forced };
}

function failedOf({ pieces }: Shard, receipt: Receipt): readonly string[] {
  return pieces.map(pieceName).filter((name) => !receipt.pieces.some((piece) => pieceName(piece) === name && piece.exit === 0));
}
