import { ToolError } from '@tributary/model/errors';
import { type FoundReceipt, pieceProblem } from '../gate/judge.js';
import { type Piece, type Plan, pieceName } from '../plan/plan.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';

/** What became of the tests of each planned workspace in a full run. Each stands in exactly one list; names are ordered. */
export interface Outcomes {
  readonly passed: readonly string[];
  /** Failed at least twice, and never passed. */
  readonly failed: readonly string[];
  /** Failed in the only run. */
  readonly once: readonly string[];
  /** Failed in one run and passed in another one of the same commit. */
  readonly flaky: readonly string[];
}

type Outcome = keyof Outcomes;

/**
 * Reads the receipts of a full run, and of its repetitions. What did not run, or proves nothing, failed, as for the gate. A result that
 * turborepo replayed is no result of this run. Throws `RUN_NOT_FULL` where not every workspace was planned, a shard has no receipt, or a piece has no result.
 */
export function outcomesOf(plan: Plan, found: readonly FoundReceipt[]): Outcomes {
  checkPlan(plan);
  const receipts = receiptsOf(plan, found);
  const outcomes = new Map<string, Outcome>();
  for (const shard of plan.shards) {
    const own = receipts.filter((one) => one.shard === shard.id);
    if (own.length === 0) throw notFull(`shard ${shard.id} has no receipt of this plan and commit`);
    for (const piece of shard.pieces) {
      const outcome = worseOf(outcomes.get(piece.workspace), outcomeOf(shard.id, piece, own));
      outcomes.set(piece.workspace, outcome);
    }
  }
  const namesOf = (outcome: Outcome): readonly string[] => [...outcomes].flatMap(([name, one]) => (one === outcome ? [name] : [])).sort();
  return { passed: namesOf('passed'), failed: namesOf('failed'), once: namesOf('once'), flaky: namesOf('flaky') };
}

/** One that is left out because it has no such task is no gap. */
function checkPlan({ affected: { head, workspaces, workspaceCount }, shards }: Plan): void {
  if (head === null) throw notFull('its plan names no commit');
  if (shards.length === 0) throw notFull('nothing was planned');
  const missing = workspaceCount - workspaces.length;
  const [some] = shards.flatMap(({ pieces }) => pieces.filter(({ spared }) => spared !== undefined));
  if (some !== undefined) throw notFull(`a run of ${some.workspace} without ${some.spared?.files.length} of its test files was planned`);
  if (missing > 0) throw notFull(`${missing} of ${workspaceCount} workspaces were not planned`);
}

/** Of this plan and commit, made of a clean checkout; a copy of a receipt counts once. */
function receiptsOf({ hash, affected: { head } }: Plan, found: readonly FoundReceipt[]): readonly Receipt[] {
  const byRun = new Map<string, Receipt>();
  for (const one of found) {
    if ('problem' in one) throw notFull(`${one.file} is not a receipt: ${one.problem}`);
    const { plan, commit, workTree, shard, checkout, attempt, startedAt } = one.receipt;
    if (plan !== hash || commit !== head) continue;
    if (workTree !== 'clean') throw notFull(`the checkout of ${one.file} was not clean`);
    byRun.set(JSON.stringify([shard, checkout, attempt, startedAt]), one.receipt);
  }
  return [...byRun.values()];
}

function outcomeOf(shard: string, piece: Piece, receipts: readonly Receipt[]): Outcome {
  const name = pieceName(piece);
  const runs = receipts.map(({ pieces }) => pieces.find((one) => pieceName(one) === name)).filter((ran) => !isReplayed(ran));
  if (runs.length === 0) throw notFull(`the result of ${name} came out of a cache`);
  const failures = runs.filter((ran) => pieceProblem(shard, { piece, ran }) !== undefined).length;
  if (failures === 0) return 'passed';
  if (failures < runs.length) return 'flaky';
  return failures > 1 ? 'failed' : 'once';
}

function isReplayed(ran: ReceiptPiece | undefined): boolean {
  return ran?.state === 'replayed';
}

const BY_WEIGHT: readonly Outcome[] = ['passed', 'flaky', 'once', 'failed'];

/** Of the parts of a suite the worst one counts. */
function worseOf(one: Outcome | undefined, other: Outcome): Outcome {
  return one === undefined || BY_WEIGHT.indexOf(other) > BY_WEIGHT.indexOf(one) ? other : one;
}

function notFull(problem: string): ToolError {
  return new ToolError({
    code: 'RUN_NOT_FULL',
    message: `This is not a full run: ${problem}.`,
    hint: 'Plan without a base, as in a scheduled job, and run every shard with run-shard --trace, or with TURBO_FORCE=true.',
  });
}
