import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nearestRank } from './percentile.js';
import { survivalPercentiles, type WaitingTime } from './survival.js';

const arrived = (...values: readonly number[]): readonly WaitingTime[] => values.map((value) => ({ value, hasArrived: true }));
const waiting = (...values: readonly number[]): readonly WaitingTime[] => values.map((value) => ({ value, hasArrived: false }));

// By hand: 1 of 6 is published at time 1 (5/6 wait), and 1 of 5 at time 2 (4/6). One is last seen at 3. 1 of 3 is published at 4 (4/6 * 2/3
// = 4/9). One is last seen at 5, and the last one is published at 6. Python's lifelines 0.30 (KaplanMeierFitter.percentile) gives the same:
// 4 and 6.
test('a known answer', () => {
  const times = [...arrived(1, 2, 4, 6), ...waiting(3, 5)];
  expect(survivalPercentiles(times, [0.5, 0.9])).toEqual([
    { value: 4, isBeyond: false },
    { value: 6, isBeyond: false },
  ]);
});

test('where what is longest waits the curve ends before the percentile', () => {
  expect(survivalPercentiles([...arrived(1, 2, 3), ...waiting(9)], [0.5, 0.9])).toEqual([
    { value: 2, isBeyond: false },
    { value: 9, isBeyond: true },
  ]);
  expect(survivalPercentiles(waiting(5), [0.5])).toEqual([{ value: 5, isBeyond: true }]);
  expect(survivalPercentiles([], [0.5])).toEqual([]);
});

const VALUE = fc.integer({ min: 0, max: 30 });

test('where nothing waits it is the nearest rank', () => {
  fc.assert(
    fc.property(fc.array(VALUE, { minLength: 1, maxLength: 60 }), (values) => {
      const sorted = [...values].sort((a, b) => a - b);
      const expected = [0.5, 0.9].map((share) => ({ value: nearestRank(sorted, share), isBeyond: false }));
      expect(survivalPercentiles(arrived(...values), [0.5, 0.9])).toEqual(expected);
    }),
  );
});

/** Computes the definition time by time: at each time, the share that arrives of all that are still waiting and in sight. */
function naive(times: readonly WaitingTime[], share: number): { readonly value: number; readonly isBeyond: boolean } {
  const moments = [...new Set(times.map(({ value }) => value))].sort((a, b) => a - b);
  for (const moment of moments) {
    let survival = 1;
    for (const earlier of moments.filter((one) => one <= moment)) {
      const atRisk = times.filter(({ value }) => value >= earlier).length;
      survival *= 1 - times.filter(({ value, hasArrived }) => hasArrived && value === earlier).length / atRisk;
    }
    if (survival <= 1 - share + 1e-12) return { value: moment, isBeyond: false };
  }
  return { value: Math.max(...moments), isBeyond: true };
}

test('it is what the definition says, with many at one moment too', () => {
  const time = fc.record({ value: VALUE, hasArrived: fc.boolean() });
  fc.assert(
    fc.property(fc.array(time, { minLength: 1, maxLength: 40 }), (times) => {
      expect(survivalPercentiles(times, [0.5, 0.9])).toEqual([naive(times, 0.5), naive(times, 0.9)]);
    }),
  );
});
