import { expect, test } from '@jest/globals';
import { observations } from '../observation-documents.fixture.js';
import type { ReceiptPiece } from '../receipt/receipt.js';
import type { Observation } from './observation.js';
import { withProof } from './proven.js';

const [ONE] = observations() as readonly [Observation];

test.each<[string, Partial<ReceiptPiece> | undefined, string]>([
  [
    'that lacks test files',
    { problem: 'The commit has a.test.js, and something deleted it.' },
    'The commit has a.test.js, and something deleted it.',
  ],
  ['whose script does not heed its runner', { unheeded: 2 }, '2 tests failed, though it passed'],
  ['without a test', { untested: true }, 'no test ran'],
  ['that is not in the receipt', undefined, 'its result is not in the receipt'],
])('an observation is not complete for a piece %s', (_, piece, detail) => {
  expect(withProof(ONE, piece)).toEqual({ ...ONE, complete: false, gaps: [{ gap: 'not-proven', detail }] });
});

test('an observation of a piece that passed stays as it is', () => expect(withProof(ONE, {})).toBe(ONE));
