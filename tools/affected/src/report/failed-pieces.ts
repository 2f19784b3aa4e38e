import { excerptOf } from '@tributary/terminal/markdown';
import { pieceName } from '../plan/plan.js';
import type { Receipt, ReceiptPiece, TestFailure } from '../receipt/receipt.js';

/** A failed piece, or a failed task before one, with the available details. */
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

/** Returns the failed pieces, and what failed before others, such as builds. Ordered by shard, each once there. */
export function failedPiecesOf(receipts: Iterable<Pick<Receipt, 'shard' | 'pieces' | 'failedBuilds'>>): readonly FailedPiece[] {
  const sorted = [...receipts].sort((a, b) => (a.shard < b.shard ? -1 : 1));
  return sorted.flatMap(({ shard, pieces, failedBuilds = [] }) => {
    const failed = pieces.filter(({ exit }) => exit !== 0).map((piece) => failedPiece(shard, piece));
    const builds = failedBuilds.map(({ task, exit, log = '' }) => ({ shard, name: task, exit, failures: [], log }));
    return [...failed, ...builds.filter(({ name }) => !failed.some((one) => one.name === name))];
  });
}

function failedPiece(shard: string, piece: ReceiptPiece): FailedPiece {
  return { shard, name: pieceName(piece), exit: piece.exit, failures: piece.failures ?? [], log: piece.log ?? '' };
}

/** Returns `packages/ui/a.test.ts:7`, or '' if the file is unknown. */
export function placeOf({ file, line }: Pick<TestFailure, 'file' | 'line'>): string {
  if (file === null) return '';
  return line === null ? file : `${file}:${line}`;
}

const SHOWN = 20;
const ONE_LINE = { lines: 1, characters: 300, from: 'start' } as const;

/** Returns a line for each of the first failed tests: `Failed test: @acme/ui: adds (packages/ui/a.test.ts:7)`. */
export function describeFailedTests(failed: readonly FailedPiece[]): readonly string[] {
  const all = failed.flatMap(({ name, failures }) => failures.map((failure) => ({ name, failure })));
  const shown = all.slice(0, SHOWN).map(({ name, failure }) => {
    const place = placeOf(failure);
    return inLine(`Failed test: ${name}: ${failure.test}${place === '' ? '' : ` (${place})`}`);
  });
  return all.length <= SHOWN ? shown : [...shown, `${all.length - SHOWN} or more other failed tests: see the summary of the gate.`];
}

function inLine(text: string): string {
  return excerptOf(text, ONE_LINE).replace('\n', '');
}
