import { expect, test } from '@jest/globals';
import { bisect } from './bisect.js';

/** Passes when all of these are taken back. */
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
  expect(await bisect(MANY, passes, 100)).toEqual({ state: 'found', culprits: [culprit] });
  expect(asked()).toBeLessThanOrEqual(17);
});

test('two that stand apart stay suspects together, with what lies between', async () => {
  const { passes } = judge([3, 150]);
  const found = await bisect(MANY, passes, 100);
  expect(found).toMatchObject({ state: 'found' });
  expect(found.state === 'found' ? found.culprits : []).toEqual(expect.arrayContaining([3, 150]));
});

test('where nothing or something else makes the difference, none is blamed', async () => {
  expect(await bisect(MANY, async () => false, 100)).toEqual({ state: 'not these' });
  expect(await bisect([], async () => true, 100)).toEqual({ state: 'not these' });
});

test('it asks no more often than it may, and what is left still makes the difference', async () => {
  const { passes, asked } = judge([7]);
  const found = await bisect(MANY, passes, 4);
  expect(asked()).toBeLessThanOrEqual(4);
  expect(found.state === 'found' && found.culprits.includes(7)).toBe(true);
});
