import { describe, expect, test } from '@jest/globals';
import { cases } from '@tributary/test-repo/cases';
import fc from 'fast-check';
import { placesOf, shareSets } from './changed-sets.js';

const expanded = (lists: readonly (readonly number[])[]): readonly (readonly number[])[] => {
  const { sets, of } = shareSets(lists);
  return of.map((at) => placesOf(at, sets));
};

describe('sets', () => {
  test('that are the same stand there once, and a larger one names a smaller one', () =>
    expect(shareSets([[0, 1, 2], [0, 1], [0, 1, 2], [2]])).toEqual({
      sets: [
        { changed: [2], sets: [] },
        { changed: [0, 1], sets: [] },
        { changed: [2], sets: [1] },
      ],
      of: [2, 1, 2, 0],
    }));

  test('say what the lists say, whatever these are', () => {
    const list = fc.uniqueArray(fc.nat(12), { maxLength: 12 }).map((places) => places.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(fc.array(list, { maxLength: 20 }), (lists) => expect(expanded(lists)).toEqual(lists)),
      { numRuns: cases(300) },
    );
  });

  test('of a thousand workspaces that all changed, each on three before it, are few numbers', () => {
    let seed = 1;
    const random = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648;
    };
    const seen: (readonly number[])[] = [];
    for (let at = 0; at < 1000; at += 1) {
      const others = at === 0 ? [] : [1, 2, 3].flatMap(() => seen[Math.floor(at * random())] ?? []);
      seen.push([...new Set([...others, at])].sort((a, b) => a - b));
    }
    const { sets } = shareSets(seen);
    const numbers = sets.reduce((sum, one) => sum + one.changed.length + one.sets.length, 0);
    expect(numbers).toBeLessThan(6000);
    expect(expanded(seen)).toEqual(seen);
  });
});
