import { code, codeBlock, type Excerpt } from '@tributary/terminal/markdown';
import { countOf } from '../describe.js';
import type { TestFailure } from '../receipt/receipt.js';
import { type FailedPiece, placeOf } from '../report/failed-pieces.js';

/** The limits for the failures shown. */
export interface FailuresRoom {
  readonly bytes: number;
  /** The most tests per piece. */
  readonly tests: number;
  /** The limits of a test's message, or of the log. */
  readonly excerpt: Omit<Excerpt, 'from'>;
}

/**
 * Renders failures in Markdown: for each piece its first failed tests with their messages, otherwise the end of its log. '' if nothing
 * failed.
 */
export function failuresIn(failed: readonly FailedPiece[], room: FailuresRoom): string {
  const parts: string[] = [];
  let used = ROOM_FOR_REST;
  for (const [at, piece] of failed.entries()) {
    const part = describePiece(piece, room);
    used += Buffer.byteLength(part) + 2;
    if (used > room.bytes) return [...parts, `${countOf(failed.length - at, 'more failed piece')}.`].join('\n\n');
    parts.push(part);
  }
  return parts.join('\n\n');
}

/** Bytes for the line that counts the rest. */
const ROOM_FOR_REST = 40;

function describePiece({ name, shard, failures, log, exit }: FailedPiece, { tests, excerpt }: FailuresRoom): string {
  const head = `**Failed:** ${code(name)} in shard ${shard}, exit code ${exit}`;
  if (failures.length > 0) {
    const rest = failures.length - tests;
    const shown = failures.slice(0, tests).map((failure) => describeFailure(failure, excerpt));
    return [head, ...shown, ...(rest > 0 ? [`and ${rest} or more other failed tests of ${code(name)}.`] : [])].join('\n\n');
  }
  return log === '' ? `${head}. What it printed is in the log of that shard.` : `${head}\n\n${codeBlock(log, { ...excerpt, from: 'end' })}`;
}

function describeFailure(failure: TestFailure, excerpt: FailuresRoom['excerpt']): string {
  const place = placeOf(failure);
  const head = `${code(failure.test)}${place === '' ? '' : ` at ${code(place)}`}`;
  return failure.message === '' ? head : `${head}\n\n${codeBlock(failure.message, { ...excerpt, from: 'start' })}`;
}
