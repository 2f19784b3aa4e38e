import { expect, test } from '@jest/globals';
import { bootstrapIntervals, type ClusteredValue } from './interval.js';

const OPTIONS = { percentiles: [0.5, 0.9], draws: 400 };

function spread(count: number, cluster: (at: number) => string): ClusteredValue[] {
  return Array.from({ length: count }, (_, at) => ({ value: (at * 7919) % 1000, cluster: cluster(at) }));
}

test('the interval holds the percentile, and the same values give the same interval in any order', () => {
  const values = spread(300, (at) => `r${at % 40}`);
  const intervals = bootstrapIntervals(values, OPTIONS);
  expect(intervals?.[0]?.low).toBeLessThan(500);
  expect(intervals?.[0]?.high).toBeGreaterThan(500);
  expect(bootstrapIntervals([...values].reverse(), OPTIONS)).toEqual(intervals);
});

test('values that come in few releases are known less well than as many that come alone', () => {
  const width = (values: readonly ClusteredValue[]): number => {
    const [, p90] = bootstrapIntervals(values, OPTIONS) ?? [];
    return (p90?.high ?? 0) - (p90?.low ?? 0);
  };
  const values = spread(300, (at) => `r${at}`).sort((a, b) => a.value - b.value);
  const together = values.map(({ value }, at) => ({ value, cluster: `r${Math.floor(at / 30)}` }));
  expect(width(together)).toBeGreaterThan(1.5 * width(values));
});

test('one release says nothing of how releases differ', () => {
  expect(
    bootstrapIntervals(
      spread(50, () => 'only'),
      OPTIONS,
    ),
  ).toBeUndefined();
  expect(bootstrapIntervals([], OPTIONS)).toBeUndefined();
});

test('all values alike leave no doubt', () => {
  const values = Array.from({ length: 20 }, (_, at) => ({ value: 5, cluster: `r${at % 4}` }));
  expect(bootstrapIntervals(values, OPTIONS)).toEqual([
    { low: 5, high: 5 },
    { low: 5, high: 5 },
  ]);
});
