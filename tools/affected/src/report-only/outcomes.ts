import { pieceProblem } from '../gate/judge.js';
import { type Piece, type Plan, pieceName, wholeName } from '../plan/plan.js';
import { unselectedOf } from '../plan/plans-by-task.js';
import type { Receipt, ReceiptPiece, TestFailure } from '../receipt/receipt.js';

/** What became of one workspace of a plan, for one of its tasks. */
export interface Outcome {
  /** Its name; where the plan has several tasks, with the task. */
  readonly workspace: string;
  /** Why a selection leaves it out; `null`: it was selected. */
  readonly leftOut: string | null;
  /** `unknown`: a part of its tests has no result, or one that proves nothing. */
  readonly state: 'passed' | 'failed' | 'unknown';
  /** Of its tests, all parts together. */
  readonly seconds: number;
  /** The first failed tests; none if its runner did not report them. */
  readonly failures: readonly TestFailure[];
}

/** Returns the outcome of each planned workspace, by the receipt of each shard; ordered by name. */
export function outcomesOf(plan: Plan, receipts: ReadonlyMap<string, Receipt>): readonly Outcome[] {
  const reasons = new Map(unselectedOf(plan).map(({ workspace, reason }) => [workspace, reason]));
  const { shards } = plan;
  const found = new Map<string, Outcome>();
  for (const { id, pieces } of shards)
    for (const piece of pieces) {
      const workspace = wholeName(piece);
      const ran = receipts.get(id)?.pieces.find((one) => pieceName(one) === pieceName(piece));
      const before = found.get(workspace) ?? { workspace, leftOut: reasons.get(workspace) ?? null, ...NOTHING };
      found.set(workspace, joined(before, { piece, ran, shard: id }));
    }
  return [...found.values()].sort((a, b) => (a.workspace < b.workspace ? -1 : 1));
}

const NOTHING = { state: 'passed', seconds: 0, failures: [] } as const;
const WORST = ['failed', 'unknown', 'passed'] as const;

interface Ran {
  readonly piece: Piece;
  readonly ran: ReceiptPiece | undefined;
  readonly shard: string;
}

function joined(before: Outcome, { piece, ran, shard }: Ran): Outcome {
  const kind = pieceProblem({ shard }, piece, ran)?.kind;
  const state = kind === undefined ? 'passed' : kind === 'failed' ? 'failed' : 'unknown';
  return {
    ...before,
    state: WORST.find((one) => one === before.state || one === state) ?? state,
    seconds: before.seconds + (ran === undefined ? 0 : (ran.endedAt - ran.startedAt) / 1000),
    failures: [...before.failures, ...(ran?.exit === 0 ? [] : (ran?.failures ?? []))],
  };
}
