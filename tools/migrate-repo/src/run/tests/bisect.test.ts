import { expect, test } from '@jest/globals';
import { bisect } from './bisect.js';

/** Returns a check that passes when all culprits are taken back, and counts its calls. */
function judge(culprits: readonly number[]): {
  readonly passes: (some: readonly number[]) => Promise<boolean>;
  readonly asked: () => number;
} {
  let asked = 0;
  return {
    passes: async (some) => {
      asked++;
      return culprits.every((one) => some.includes(one));
    },
    asked: () => asked,
  };
}

const MANY = Array.from({ length: 200 }, (_, at) => at);

test.each([0, 1, 99, 100, 198, 199])('one of 200 changes is found, wherever it stands: %p', async (culprit) => {
  const { passes, asked } = judge([culprit]);
  expect(await bisect(MANY, passes, 100)).toEqual({ state: 'found', culprits: [culprit], rest: [] });
  expect(asked()).toBeLessThanOrEqual(17);
});

test.each([[[3, 150]], [[0, 199]], [[7, 8, 9]], [[0, 1, 100, 198]]])(
  'several that only together make the difference are found, and no others: %p',
  async (culprits) => {
    const { passes } = judge(culprits);
    expect(await bisect(MANY, passes, 100)).toEqual({ state: 'found', culprits, rest: [] });
  },
);

test('one that passes alone is told alone, though others do harm without each other', async () => {
  // d3-scale: d3-time is the cause, and two packages must have the same d3-color.
  const passes = async (some: readonly string[]): Promise<boolean> =>
    some.includes('scale/time') && some.includes('scale/color') === some.includes('interpolate/color');
  const changes = ['scale/array', 'scale/color', 'scale/time', 'format/time', 'interpolate/color', 'time/array'];
  expect(await bisect(changes, passes, 100)).toEqual({ state: 'found', culprits: ['scale/time'], rest: [] });
});

test('where nothing or something else makes the difference, none is blamed', async () => {
  expect(await bisect(MANY, async () => false, 100)).toEqual({ state: 'not these' });
  expect(await bisect([], async () => true, 100)).toEqual({ state: 'not these' });
});

test('it asks no more often than it may, and names no change as needed that is not', async () => {
  for (const limit of [1, 2, 4, 10, 11, 12]) {
    const { passes, asked } = judge([7, 150]);
    const found = await bisect(MANY, passes, limit);
    expect(asked()).toBeLessThanOrEqual(limit);
    if (found.state !== 'found') throw new Error('nothing was found');
    expect(await passes([...found.rest, ...found.culprits])).toBe(true);
    expect(found.culprits.filter((one) => one !== 7 && one !== 150)).toEqual([]);
    expect(found.rest.length).toBeGreaterThan(0);
  }
});
