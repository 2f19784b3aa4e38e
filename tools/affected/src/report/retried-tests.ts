import { excerptOf } from '@tributary/terminal/markdown';
import { countOf } from '../describe.js';
import { pieceName } from '../plan/plan.js';
import { KEPT_FAILURES } from '../plan/runner-report.js';
import type { ReceiptPiece } from '../receipt/receipt.js';
import { placeOf } from './failed-pieces.js';

const SHOWN = 3;
const NAME = { lines: 1, characters: 200, from: 'start' } as const;

/** Returns a sentence with the first tests of a piece that passed only on a retry; `undefined` if there are none. */
export function describeRetried(piece: ReceiptPiece): string | undefined {
  const { retried = [] } = piece;
  if (retried.length === 0) return undefined;
  const shown = retried.slice(0, SHOWN).map((one) => {
    const place = placeOf(one);
    return excerptOf(`${one.test}${place === '' ? '' : ` (${place})`}`, NAME).replace('\n', '');
  });
  const rest = retried.length - shown.length;
  const more = rest === 0 ? '' : `, and ${rest}${retried.length < KEPT_FAILURES ? '' : ' or more'} others`;
  return `${pieceName(piece)} is flaky: ${countOf(retried.length, 'test')} passed only when retried: ${shown.join(', ')}${more}.`;
}
