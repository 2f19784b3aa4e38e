import { type Piece, type Plan, pieceName } from '../plan/plan.js';
import type { ReceiptPiece } from '../receipt/receipt.js';
import { type GateProblem, pieceProblem, type Verdict } from './judge.js';

/** The result of a planned piece. */
export interface PieceOutcome {
  readonly shard: string;
  readonly piece: Piece;
  /** `undefined`: it did not run. */
  readonly ran: ReceiptPiece | undefined;
  /** The problem; `undefined` if it passed. */
  readonly problem: GateProblem | undefined;
}

/** Returns every planned piece, in the order of the plan. */
export function pieceOutcomes({ shards }: Plan, { receipts }: Pick<Verdict, 'receipts'>): readonly PieceOutcome[] {
  return shards.flatMap(({ id, pieces }) => {
    const ran = new Map(receipts.get(id)?.pieces.map((one) => [pieceName(one), one]));
    return pieces.map((piece) => {
      const one = ran.get(pieceName(piece));
      return { shard: id, piece, ran: one, problem: pieceProblem(id, { piece, ran: one }) };
    });
  });
}
