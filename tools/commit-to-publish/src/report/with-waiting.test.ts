import { expect, test } from '@jest/globals';
import type { ReportRow } from './report.js';
import { figuresThatDiffer, withWaitingOf } from './with-waiting.js';

function times(arrived: number, waiting: number): Parameters<typeof withWaitingOf>[0] {
  return Array.from({ length: arrived + waiting }, (_, at) => ({ value: at + 1, hasArrived: at < arrived }));
}

test('without a change that waits there is no second figure, and of few changes none', () => {
  expect(withWaitingOf(times(40, 0))).toBeUndefined();
  expect(withWaitingOf(times(5, 3))).toEqual({ n: 8, waiting: 3, p50: undefined, p90: undefined });
  expect(withWaitingOf(times(30, 10))).toEqual({
    n: 40,
    waiting: 10,
    p50: { value: 20, isBeyond: false },
    p90: { value: 40, isBeyond: true },
  });
});

test.each<[estimate: number, isBeyond: boolean, expected: readonly string[]]>([
  [109, false, []],
  [111, false, ['P50']],
  [89, false, ['P50']],
  [111, true, ['P50']],
  // A lower bound of 89 is compatible with the plain figure.
  [89, true, []],
])('against 100, %p (beyond: %p) tells of %p', (value, isBeyond, expected) => {
  const plain = { value: 100, interval: undefined };
  const withWaiting: ReportRow['withWaiting'] = { n: 20, waiting: 1, p50: { value, isBeyond }, p90: undefined };
  expect(figuresThatDiffer({ p50: plain, p90: undefined, withWaiting })).toEqual(expected);
});
