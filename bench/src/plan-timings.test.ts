import { afterAll, describe, expect, test } from '@jest/globals';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { makeTimings, readTimings } from './plan-timings.js';

const folder = new TempFolder();
afterAll(() => folder.dispose());

function read(value: unknown): ReadonlyMap<string, number> {
  return readTimings(folder.write('timings.json', JSON.stringify(value))).seconds;
}

describe('a table of timings', () => {
  const table = { '@acme/ui': 3, '@acme/api': 4.5, '@acme/app': 6 };
  test.each<[shape: string, value: unknown]>([
    ['the whole file', table],
    ['a part of it', { note: 'x', at: 5, packages: table, skipped: [] }],
    ['with more about each package', { runs: [{ '@acme/ui': { seconds: 3, runs: 2 }, '@acme/api': { seconds: 4.5 }, '@acme/app': 6 }] }],
    ['the largest of several', { limits: { low: 1, high: 2 }, packages: table, last: { one: 1 } }],
    ['without what was not run', { ...table, '@acme/docs': 0 }],
  ])('is found: %s', (_, value) => {
    expect(Object.fromEntries(read(value))).toEqual(table);
  });

  test.each([[[1, 2, 3]], [{ a: 'x', b: 1 }], [{}], [7], [null]])('is not %j', (value) => {
    expect(() => read(value)).toThrow('no table of packages');
  });
});

test('the made-up table is always the same, with 71 packages', () => {
  expect(makeTimings()).toEqual(makeTimings());
  expect(makeTimings().seconds.size).toBe(71);
});
