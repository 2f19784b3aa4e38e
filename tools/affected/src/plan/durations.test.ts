import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Timings } from '../timings/timings.js';
import { predictDurations, type Timed } from './durations.js';

/** Predicts times. `{ a: 3 }` gives a three test files. Times are those of `test`. */
function predict(files: Readonly<Record<string, number>>, times: Readonly<Record<string, readonly number[]>>): unknown {
  const all = Object.entries(files).map(([name, testFiles]) => ({ name, testFiles }));
  return Object.fromEntries(predictDurations(all, timingsOf(times), 'test'));
}

function timingsOf(times: Readonly<Record<string, readonly number[]>>): Timings {
  return new Map(Object.entries(times).map(([name, seconds]) => [`${name}#test`, seconds]));
}

describe('the tests of a workspace are expected to take', () => {
  test('a slower pace is believed after two runs, and not after one', () => {
    const runs = [10, 10, 10, 10, 10, 10];
    expect([predict({ a: 9 }, { a: [...runs, 30] }), predict({ a: 9 }, { a: [...runs, 30, 30] })]).toEqual([{ a: 10 }, { a: 30 }]);
  });

  test('the median of what they took', () => expect(predict({ a: 9 }, { a: [10, 1, 3] })).toEqual({ a: 3 }));

  test('what their files take at the pace of those that are known', () => {
    // 10 files took 30 seconds.
    expect(predict({ a: 2, b: 8, c: 5 }, { a: [10], b: [20] })).toEqual({ a: 10, b: 20, c: 15 });
  });

  test('as long as the others on average, if they have no file that is known as one', () => {
    expect(predict({ a: 1, b: 0, c: 0 }, { a: [4], b: [8] })).toEqual({ a: 4, b: 8, c: 6 });
  });

  test('five seconds a file, or in all, where nothing is known', () => {
    expect(predict({ a: 3, b: 0 }, {})).toEqual({ a: 15, b: 5 });
    expect(predict({ a: 3, b: 0, c: 0 }, { b: [2] })).toEqual({ a: 15, b: 2, c: 2 });
  });

  test('never nothing', () => {
    expect(predict({ a: 1, b: 7, c: 0 }, { a: [0] })).toEqual({ a: 0.1, b: 0.1, c: 0.1 });
  });

  test('not what another task took, or a workspace that is not planned', () => {
    const timings = new Map([
      ['a#build', [100]],
      ['gone#test', [100]],
    ]);
    expect(predictDurations([{ name: 'a', testFiles: 1 }], timings, 'test')).toEqual(new Map([['a', 5]]));
  });
});

describe('whatever is known', () => {
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1 });
  const times = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.array(fc.double({ min: 0, max: 86_400, noNaN: true })));
  const all = names.chain((some) => fc.tuple(...some.map((name) => fc.record({ name: fc.constant(name), testFiles: fc.nat(50) }))));

  test('everybody has a time above zero', () => {
    fc.assert(
      fc.property(all, times, (some: readonly Timed[], known) => {
        const durations = predictDurations(some, timingsOf(known), 'test');
        expect([...durations.keys()]).toEqual(some.map(({ name }) => name));
        for (const seconds of durations.values()) expect(seconds).toBeGreaterThanOrEqual(0.1);
        for (const seconds of durations.values()) expect(seconds).toBeLessThan(Number.POSITIVE_INFINITY);
      }),
    );
  });

  test('more test files are not expected to take less, where no time is known', () => {
    fc.assert(
      fc.property(all, times, fc.nat(50), fc.nat(50), (some: readonly Timed[], known, few, more) => {
        const two = [
          { name: 'few', testFiles: 1 + few },
          { name: 'more', testFiles: 1 + few + more },
        ];
        const durations = predictDurations([...some, ...two], timingsOf(known), 'test');
        expect(durations.get('more')).toBeGreaterThanOrEqual(durations.get('few') ?? 0);
      }),
    );
  });
});
