import { expect, test } from '@jest/globals';
import { releaseIntervals } from './interval.js';
import { type ClusteredValue, sortIntoReleases } from './releases.js';

const SHARES = [0.5, 0.9];

function spread(count: number, cluster: (at: number) => string): ClusteredValue[] {
  return Array.from({ length: count }, (_, at) => ({ value: (at * 7919) % 1000, cluster: cluster(at) }));
}

test('the interval holds the percentile, and the same values give the same interval in any order', () => {
  const values = spread(300, (at) => `r${at % 60}`);
  const [p50, p90] = releaseIntervals(sortIntoReleases(values), SHARES);
  expect(p50?.low).toBeLessThan(500);
  expect(p50?.high).toBeGreaterThan(500);
  expect(p90?.low).toBeLessThan(900);
  expect(p90?.high).toBeGreaterThan(900);
  expect(releaseIntervals(sortIntoReleases([...values].reverse()), SHARES)).toEqual([p50, p90]);
});

// R gives the 40th to the 61st of 100 values: sort(x)[c(qbinom(.025, n, .5), qbinom(.975, n, .5) + 1)].
test('changes that come alone have the interval of order statistics', () => {
  const values = Array.from({ length: 100 }, (_, at) => ({ value: at + 1, cluster: `r${at}` }));
  const [p50] = releaseIntervals(sortIntoReleases(values), [0.5]);
  expect(Math.abs((p50?.low ?? 0) - 40)).toBeLessThanOrEqual(1);
  expect(Math.abs((p50?.high ?? 0) - 61)).toBeLessThanOrEqual(1);
});

test('values that come in few releases are known less well than as many that come alone', () => {
  const width = (values: readonly ClusteredValue[]): number => {
    const [p50] = releaseIntervals(sortIntoReleases(values), SHARES);
    return (p50?.high ?? 0) - (p50?.low ?? 0);
  };
  const values = spread(300, (at) => `r${at}`).sort((a, b) => a.value - b.value);
  const together = values.map(({ value }, at) => ({ value, cluster: `r${Math.floor(at / 30)}` }));
  expect(width(together)).toBeGreaterThan(3 * width(values));
});

test.each<[releases: number, expected: readonly boolean[]]>([
  [1, [false, false]],
  [5, [false, false]],
  [8, [true, false]],
  [20, [true, false]],
  [30, [true, true]],
])('%p releases bound P50 and P90: %p', (releases, expected) => {
  const values = spread(600, (at) => `r${at % releases}`);
  const found = releaseIntervals(sortIntoReleases(values), SHARES);
  expect(found.map((interval) => interval !== undefined)).toEqual(expected);
});

test('one release that holds nearly all changes makes many others no help', () => {
  const values = spread(1000, (at) => (at < 900 ? 'large' : `r${at}`));
  expect(releaseIntervals(sortIntoReleases(values), SHARES)).toEqual([undefined, undefined]);
  expect(releaseIntervals(sortIntoReleases([]), SHARES)).toEqual([undefined, undefined]);
});

test('all values alike leave no doubt', () => {
  const values = Array.from({ length: 400 }, (_, at) => ({ value: 5, cluster: `r${at % 40}` }));
  expect(releaseIntervals(sortIntoReleases(values), SHARES)).toEqual([
    { low: 5, high: 5 },
    { low: 5, high: 5 },
  ]);
});
