import { excerptOf } from '@tributary/terminal/markdown';
import { countOf } from '../describe.js';
import { pieceName } from '../plan/plan.js';
import { KEPT_FAILURES } from '../plan/runner-report.js';
import type { ReceiptPiece, TestFailure } from '../receipt/receipt.js';
import { placeOf } from './failed-pieces.js';

const SHOWN = 3;
const NAME = { lines: 1, characters: 200, from: 'start' } as const;

/** Returns a sentence with the first tests of a piece that passed only on a retry; `undefined` if there are none. */
export function describeRetried(piece: ReceiptPiece): string | undefined {
  const { retried = [] } = piece;
  if (retried.length === 0) return undefined;
  return `${pieceName(piece)} is flaky: ${countOf(retried.length, 'test')} passed only when retried: ${firstTests(retried)}.`;
}

/** Returns the first of some tests, with their places: `adds (packages/ui/a.test.ts:7), and 2 others`. */
export function firstTests(tests: readonly TestFailure[]): string {
  const shown = tests.slice(0, SHOWN).map((one) => {
    const place = placeOf(one);
    return excerptOf(`${one.test}${place === '' ? '' : ` (${place})`}`, NAME).replace('\n', '');
  });
  const rest = tests.length - shown.length;
  return `${shown.join(', ')}${rest === 0 ? '' : `, and ${rest}${tests.length < KEPT_FAILURES ? '' : ' or more'} others`}`;
}
