import { pieceName } from '../plan/plan.js';
import type { Receipt, ReceiptPiece, TestFailure } from '../receipt/receipt.js';

/** A piece that ran and failed, with what is known of it. */
export interface FailedPiece {
  readonly shard: string;
  /** As `pieceName`. */
  readonly name: string;
  readonly exit: number;
  /** The first tests that failed; none if the runner did not report them. */
  readonly failures: readonly TestFailure[];
  /** The end of what the task printed; '' if that is not known. */
  readonly log: string;
}

/** The pieces that failed, ordered by shard. */
export function failedPiecesOf(receipts: Iterable<Pick<Receipt, 'shard' | 'pieces'>>): readonly FailedPiece[] {
  const sorted = [...receipts].sort((a, b) => (a.shard < b.shard ? -1 : 1));
  return sorted.flatMap(({ shard, pieces }) => pieces.filter(({ exit }) => exit !== 0).map((piece) => failedPiece(shard, piece)));
}

function failedPiece(shard: string, piece: ReceiptPiece): FailedPiece {
  return { shard, name: pieceName(piece), exit: piece.exit, failures: piece.failures ?? [], log: piece.log ?? '' };
}

/** `packages/ui/a.test.ts:7`; '' if the file is not known. */
export function placeOf({ file, line }: Pick<TestFailure, 'file' | 'line'>): string {
  if (file === null) return '';
  return line === null ? file : `${file}:${line}`;
}
