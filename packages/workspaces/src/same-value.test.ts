import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { changedKeys, isSameValue } from './same-value.js';

/** Returns the same value with the keys of every map in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  // `Object.fromEntries` defines `__proto__` like any other key.
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, turned(inner)]),
  );
}

describe('two values', () => {
  test('are the same exactly where their texts are, if the order of keys counts', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        // JSON writes -0 as 0, and never reads it.
        const [a, b] = [one, other].map((value) => JSON.parse(JSON.stringify(value)) as unknown);
        expect(isSameValue(a, b, 'counts')).toBe(JSON.stringify(a) === JSON.stringify(b));
        expect(isSameValue(a, structuredClone(a), 'counts')).toBe(true);
      }),
    );
  });

  test('are the same with their keys in another order, if the order is free', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        expect(isSameValue(plain, turned(plain), 'is free')).toBe(true);
      }),
    );
  });

  const different: readonly (readonly [a: unknown, b: unknown])[] = [
    [{}, []],
    [[], null],
    [{}, null],
    [0, '0'],
    [null, undefined],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: { b: [1, { c: 1 }] } }, { a: { b: [1, { c: 2 }] } }],
    [JSON.parse('{"__proto__":{"a":1}}'), {}],
  ];
  test.each(different.map((pair) => [JSON.stringify(pair), ...pair]))('differ: %s', (_, a, b) => {
    for (const order of ['counts', 'is free'] as const) {
      expect(isSameValue(a, b, order)).toBe(false);
      expect(isSameValue(b, a, order)).toBe(false);
    }
  });

  test('with their keys in another order differ, if the order counts', () => {
    expect(isSameValue({ a: 1, b: 2 }, { b: 2, a: 1 }, 'counts')).toBe(false);
    expect(isSameValue({ a: 1, b: 2 }, { b: 2, a: 1 }, 'is free')).toBe(true);
  });

  test('in a long list are compared place by place', () => {
    const list = Array.from({ length: 12 }, (_, place) => place);
    expect(isSameValue(list, [...list], 'is free')).toBe(true);
    expect(isSameValue(list, list.with(2, 10).with(10, 2), 'is free')).toBe(false);
  });
});

describe('the changed keys', () => {
  test('are those of one side and those whose value differs, sorted', () => {
    expect(changedKeys({ d: 1, a: 1, same: [1], b: 2 }, { b: 3, c: 1, same: [1], d: 1 }, () => 'counts')).toEqual(['a', 'b', 'c']);
  });

  test('count a key that is there without a value as there', () => {
    expect(changedKeys({ a: null }, {}, () => 'counts')).toEqual(['a']);
  });

  test('of what is no map are none', () => {
    expect(changedKeys(['x'], 'text', () => 'counts')).toEqual([]);
    expect(changedKeys(undefined, { a: 1 }, () => 'counts')).toEqual(['a']);
  });
});
