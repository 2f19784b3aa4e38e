import { expect, test } from '@jest/globals';
import { differenceOf } from './difference.js';
import type { ClusteredValue } from './interval.js';

const OPTIONS = { share: 0.9, draws: 500 };

function values(factor: number): readonly ClusteredValue[] {
  return Array.from({ length: 400 }, (_, at) => ({ value: factor * (1 + ((at * 7919) % 1000)), cluster: `r${at % 50}` }));
}

test('half the time is a change of -50 %, and its interval is around it', () => {
  const difference = differenceOf(values(2), values(1), OPTIONS);
  expect(difference?.change).toBeCloseTo(-0.5, 5);
  expect(difference?.interval?.low).toBeLessThan(-0.5);
  expect(difference?.interval?.high).toBeGreaterThan(-0.5);
  expect(difference?.interval?.high).toBeLessThan(-0.4);
});

test('the same values differ by nothing, and the interval says that it might be something', () => {
  const difference = differenceOf(values(1), values(1), OPTIONS);
  expect(difference?.change).toBe(0);
  expect(difference?.interval?.low).toBeLessThan(0);
  expect(difference?.interval?.high).toBeGreaterThan(0);
});

test('without values on one side there is no difference, and with one release no interval', () => {
  expect(differenceOf([], values(1), OPTIONS)).toBeUndefined();
  expect(differenceOf(values(1), [], OPTIONS)).toBeUndefined();
  const once = values(1).map(({ value }) => ({ value, cluster: 'only' }));
  expect(differenceOf(values(1), once, OPTIONS)?.interval).toBeUndefined();
});
