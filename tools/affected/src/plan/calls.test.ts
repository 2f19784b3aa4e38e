import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { callsOf, describeCall } from './calls.js';
import { type Piece, pieceName } from './plan.js';

function piece(workspace: string, more: Partial<Piece> = {}): Piece {
  return { workspace, part: null, seconds: 1, fresh: false, ...more };
}

describe('calls of turborepo', () => {
  test('hold all whole pieces at once, those that must be fresh apart', () => {
    const pieces = [
      piece('a'),
      piece('b', { fresh: true }),
      piece('c', { part: [1, 2] }),
      piece('d'),
      piece('e', { part: [2, 2], fresh: true }),
    ];
    const calls = callsOf(pieces).map((call) => [call.cache, ...call.pieces.map(({ workspace }) => workspace)]);
    expect(calls).toEqual([
      ['used', 'a', 'd'],
      ['ignored', 'b'],
      ['used', 'c'],
      ['ignored', 'e'],
    ]);
  });

  test('are each for one task, in the order in which the tasks come', () => {
    const pieces = [
      piece('a', { task: 'build' }),
      piece('b', { task: 'test' }),
      piece('a', { task: 'test', fresh: true }),
      piece('c', { task: 'build' }),
    ];
    expect(callsOf(pieces).map(({ pieces: [...own] }) => own.map(pieceName))).toEqual([['a#build', 'c#build'], ['b#test'], ['a#test']]);
  });

  test('there are none of nothing, and none without a workspace: turborepo would run all', () => {
    expect(callsOf([])).toEqual([]);
  });

  const part = fc.option(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.constant(3)));
  const pieces = fc.array(fc.record({ workspace: fc.string(), part, seconds: fc.constant(1), fresh: fc.boolean() }));

  test('have each piece once, with a cache only where it may have one', () => {
    fc.assert(
      fc.property(pieces, (all: readonly Piece[]) => {
        const calls = callsOf(all);
        expect(new Set(calls.flatMap((call) => call.pieces))).toEqual(new Set(all));
        expect(calls.flatMap((call) => call.pieces)).toHaveLength(all.length);
        for (const call of calls) {
          expect(call.pieces.length).toBeGreaterThan(0);
          expect(new Set(call.pieces.map(({ fresh }) => fresh))).toEqual(new Set([call.cache === 'ignored']));
          if (call.pieces.some((one) => one.part !== null)) expect(call.pieces).toHaveLength(1);
        }
      }),
    );
  });
});

test.each<[heading: string, pieces: readonly Piece[], cache: 'used' | 'ignored']>([
  ['a', [piece('a')], 'used'],
  ['a (1 of 2); cached results do not count', [piece('a', { part: [1, 2] })], 'ignored'],
  ['a, b, c', ['a', 'b', 'c'].map((name) => piece(name)), 'used'],
  ['a, b, c and 2 more; cached results do not count', ['a', 'b', 'c', 'd', 'e'].map((name) => piece(name)), 'ignored'],
])('a heading says "%s"', (heading, pieces, cache) => expect(describeCall({ pieces, cache })).toBe(heading));
