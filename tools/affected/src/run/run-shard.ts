import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { readEnvironment } from '../io/environment.js';
import { locate, type RepoLocation } from '../io/locate.js';
import { readMachine } from '../io/machine.js';
import { openGit } from '../io/open-git.js';
import { readPackage } from '../io/packages.js';
import { takeReceipt, writeReceipt } from '../io/receipts.js';
import { readRuntime } from '../io/runtime.js';
import { changedFiles, GONE, stateOf } from '../io/work-tree.js';
import { findShard, type Piece, type Plan, pieceName, type Shard } from '../plan/plan.js';
import { isNamedTest } from '../plan/runner.js';
import { inOneLine } from '../plan/shape.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { watchCheckout } from './changed-checkout.js';
import { goneFrom, pathOf } from './planned-workspace.js';
import type { ShardJob } from './shard-job.js';
import { runShardTasks } from './shard-tasks.js';

export interface ShardRequest {
  readonly cwd: AbsolutePath;
  readonly plan: Plan;
  /** Shard ids. */
  readonly shards: readonly string[];
  /** The folder for receipts. */
  readonly receipts: string;
}

/** The result of a shard. */
export interface ShardOutcome {
  readonly shard: string;
  readonly receipt: Receipt;
  /** Descriptions of planned pieces that failed, did not run or prove nothing. */
  readonly failed: readonly string[];
}

/**
 * Runs shards of a plan one by one, and writes a receipt for each as soon as it is done, even if it failed. Throws `USAGE` for an unknown
 * shard, `PLAN_STALE` if another commit is checked out or a workspace is missing, and the errors of `runTurbo`.
 */
export async function runShards(request: ShardRequest, services: Services): Promise<readonly ShardOutcome[]> {
  const { plan, receipts } = request;
  const shards = request.shards.map((id) => findShard(plan, id));
  const earlier = new Map(shards.map(({ id }) => [id, takeReceipt(receipts, id)]));
  const repository = await locate(request.cwd);
  const folder = projectFolder(repository);
  const commit = await checkedOut(repository, plan);
  for (const { pieces } of shards) for (const piece of pieces) checkThere(piece, plan, folder);
  const top = parseAbsolutePath(repository.workTree ?? folder);
  const checkout = checkoutId(repository);
  const machine = readMachine(folder);
  const runtime = await readRuntime(folder, services.signal);
  const { readAttempt } = await import('../engines/detect.js');
  const attempt = readAttempt(readEnvironment());
  const found: Pick<ShardJob, 'environments' | 'built' | 'problemFor'> = {
    environments: new Map(),
    built: new Set(),
    problemFor: plan.also && (await watchCheckout(top, services.signal)),
  };
  const outcomes: ShardOutcome[] = [];
  for (const shard of shards) {
    // Checked for each shard: tests of the previous one may have written into tracked files.
    const before = await changedFiles(top, services.signal);
    if (stateOf(before) === 'dirty')
      services.ui.warning(`The working tree differs from commit ${commit.slice(0, 12)}. The tests run on the working tree.`);
    const startedAt = services.clock();
    const tasks = await runShardTasks(shard, { plan, folder, concurrency: machine.concurrency, runtime, services, ...found });
    const after = await changedFiles(top, services.signal);
    const tests = after && new Map([...after].filter(([file, text]) => isNamedTest(file) && (text === GONE || before?.get(file) !== text)));
    const ran = withoutDeletedTests(tasks, tests, ({ workspace }) => join(repository.project, pathOf(workspace, plan) ?? '.'));
    // Of a clean working tree, builds may have changed tests.
    const workTree = stateOf(before) === 'clean' ? stateOf(tests) : stateOf(before);
    for (const file of tests?.keys() ?? []) services.ui.warning(`${inOneLine(file)} of the commit was changed before the tests ended.`);
    // A clock that was set back in between must not make the receipt invalid.
    const times = { startedAt, endedAt: Math.max(startedAt, services.clock()) };
    const where = { plan: plan.hash, shard: shard.id, attempt, commit, workTree, checkout, ...(runtime && { runtime }) };
    const made = { schemaVersion: 2, ...where, ...machine, ...times, ...ran } as const;
    const receipt = writeReceipt(receipts, withFailedBefore(made, earlier.get(shard.id)));
    outcomes.push({ shard: shard.id, receipt, failed: failedOf(shard, receipt) });
  }
  return outcomes;
}

/** Marks pieces that passed only now. `earlier`: the receipt that this one replaces. */
function withFailedBefore(receipt: Receipt, earlier: Receipt | undefined): Receipt {
  if (earlier?.plan !== receipt.plan || earlier.commit !== receipt.commit) return receipt;
  if (earlier.workTree === 'dirty' || receipt.workTree === 'dirty') return receipt;
  const before = new Map(earlier.pieces.map((piece) => [pieceName(piece), piece]));
  const pieces = receipt.pieces.map((piece): ReceiptPiece => {
    const { exit = 0, failedBefore, failures } = before.get(pieceName(piece)) ?? {};
    const failed = exit === 0 ? failedBefore : earlier.attempt;
    return piece.exit !== 0 || failed === undefined ? piece : { ...piece, failedBefore: failed, ...(failures && { failures }) };
  });
  return { ...receipt, pieces };
}

/** Returns an id that distinguishes checkouts, even between machines, and reveals nothing else. */
function checkoutId({ gitDir }: RepoLocation): string {
  const { dev, ino } = statSync(gitDir);
  return createHash('sha256').update([hostname(), dev, ino, gitDir].join('\n')).digest('hex').slice(0, 16);
}

function checkThere({ workspace }: Piece, plan: Plan, folder: string): void {
  const path = pathOf(workspace, plan);
  if (path === undefined || readPackage(join(folder, path))?.name !== workspace)
    throw goneFrom(`${workspace} is not a workspace of the commit that is checked out.`);
}

/** Marks pieces that prove nothing because an installation or build deleted a test file of the commit, which would otherwise not fail. */
function withoutDeletedTests<Ran extends Pick<Receipt, 'pieces'>>(
  ran: Ran,
  tests: ReadonlyMap<string, string> | undefined,
  folderOf: (piece: ReceiptPiece) => string,
): Ran {
  const deleted = [...(tests ?? [])].flatMap(([file, text]) => (text === GONE ? [file] : []));
  const problemOf = (piece: ReceiptPiece): Pick<ReceiptPiece, 'problem'> => {
    if (tests === undefined) return { problem: 'git could not determine whether test files were deleted before the tests ended.' };
    const path = folderOf(piece);
    const gone = deleted.find((file) => path === '.' || file.startsWith(`${path}/`));
    return gone === undefined ? {} : { problem: `${inOneLine(gone)} of the commit was deleted before the tests ended.` };
  };
  return { ...ran, pieces: ran.pieces.map((piece) => ({ ...problemOf(piece), ...piece })) };
}

function failedOf({ pieces }: Shard, receipt: Receipt): readonly string[] {
  return pieces
    .map(pieceName)
    .filter((name) => !receipt.pieces.some((piece) => pieceName(piece) === name && piece.exit === 0 && piece.problem === undefined));
}

/** Returns the folder of the project. Throws `TARGET_NOT_FOUND` for a bare repository. */
function projectFolder({ workTree, project, gitDir }: RepoLocation): AbsolutePath {
  if (workTree === undefined) {
    throw new ToolError({
      code: 'TARGET_NOT_FOUND',
      message: `${gitDir} is a bare repository: nothing can run there.`,
      hint: 'Run in a clone.',
    });
  }
  return parseAbsolutePath(join(workTree, project));
}

/** Returns the commit that is checked out. Throws `PLAN_STALE` if it is not that of the plan. */
async function checkedOut(repository: RepoLocation, { affected }: Plan): Promise<string> {
  const commit = await openGit(repository).text(['rev-parse', '--verify', 'HEAD^{commit}']);
  if (affected.head === null || affected.head === commit) return commit;
  throw new ToolError({
    code: 'PLAN_STALE',
    message: `The plan is for commit ${affected.head.slice(0, 12)}, but ${commit.slice(0, 12)} is checked out.`,
    hint: 'Check out the same commit in all jobs; for a pull request, the merge commit of the plan job.',
    data: { planned: affected.head, checkedOut: commit },
  });
}
