import { pieceName } from '../plan/plan.js';
import type { Receipt, ReceiptPiece, TestFailure } from '../receipt/receipt.js';

/** A failed piece with the available details. */
export interface FailedPiece {
  readonly shard: string;
  /** In the format of `pieceName`. */
  readonly name: string;
  readonly exit: number;
  /** The first failed tests; none if the runner did not report them. */
  readonly failures: readonly TestFailure[];
  /** The end of the task's output; '' if unknown. */
  readonly log: string;
}

/** Returns the failed pieces, ordered by shard. */
export function failedPiecesOf(receipts: Iterable<Pick<Receipt, 'shard' | 'pieces'>>): readonly FailedPiece[] {
  const sorted = [...receipts].sort((a, b) => (a.shard < b.shard ? -1 : 1));
  return sorted.flatMap(({ shard, pieces }) => pieces.filter(({ exit }) => exit !== 0).map((piece) => failedPiece(shard, piece)));
}

function failedPiece(shard: string, piece: ReceiptPiece): FailedPiece {
  return { shard, name: pieceName(piece), exit: piece.exit, failures: piece.failures ?? [], log: piece.log ?? '' };
}

/** Returns `packages/ui/a.test.ts:7`, or '' if the file is unknown. */
export function placeOf({ file, line }: Pick<TestFailure, 'file' | 'line'>): string {
  if (file === null) return '';
  return line === null ? file : `${file}:${line}`;
}
