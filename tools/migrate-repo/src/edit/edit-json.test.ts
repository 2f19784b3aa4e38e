import { expect, test } from '@jest/globals';
import { cases } from '@tributary/test-repo/cases';
import fc from 'fast-check';
import { readLooseJson, renameKey, setJson } from './edit-json.js';

test.each([
  ['a value is set', '{\n\t"a": 1, // why\n\t"b": [2]\n}\n', ['b'], [3], '{\n\t"a": 1, // why\n\t"b": [3]\n}\n'],
  ['one over lines is followed by one over lines', '{\n  "b": [\n    2\n  ]\n}\n', ['b'], [3], '{\n  "b": [\n    3\n  ]\n}\n'],
  ['a value is added', '{\n    "a": 1\n}\n', ['c', 'd'], true, '{\n    "a": 1,\n    "c": {\n        "d": true\n    }\n}\n'],
  ['one beside others on a line', '{\n  "a": { "b": 1 }\n}\n', ['a', 'c'], [2], '{\n  "a": { "b": 1, "c": [2] }\n}\n'],
  ['one in what is empty', '{\n  "a": {}\n}\n', ['a', 'c'], { d: 2 }, '{\n  "a": {\n    "c": {\n      "d": 2\n    }\n  }\n}\n'],
  ['a text becomes an object', '{\r\n  "a": "x"\r\n}', ['a', 'b'], 1, '{\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}'],
  ['an item is added', '{ "a": [{ "b": 1 }] }', ['a', 1], { c: 2 }, '{ "a": [{ "b": 1 }, { "c": 2 }] }'],
  [
    'an item is replaced',
    '{\n  "a": [\n    { "b": 1 }, // b\n    2\n  ]\n}',
    ['a', 0],
    { c: 2 },
    '{\n  "a": [\n    { "c": 2 }, // b\n    2\n  ]\n}',
  ],
  [
    'a value is taken out',
    '{\r\n  "a": 1,\r\n  "b": { "c": 2, "d": 3 }\r\n}\r\n',
    ['a'],
    undefined,
    '{\r\n  "b": { "c": 2, "d": 3 }\r\n}\r\n',
  ],
  ['one of a key that stands twice', '{ "a": 1, "b": 2, "a": 3 }', ['a'], undefined, '{ "b": 2 }'],
  [
    'neighbours on one line stay on it',
    '{\n "files": ["a","b"], "x": 1,\n "y": {"z":1}\n}',
    ['x'],
    undefined,
    '{\n "files": ["a","b"],\n "y": {"z":1}\n}',
  ],
  ['an equal value changes nothing', '{ "a":{"b":1} }', ['a'], { b: 1 }, '{ "a":{"b":1} }'],
  ['what is not there need not be taken out', '{ "a":1 }', ['b', 'c'], undefined, '{ "a":1 }'],
  ['a byte order mark stays', '\uFEFF{"a":1}', ['a'], 2, '\uFEFF{"a":2}'],
])('%s', (_, before, path, value, after) => {
  expect(setJson(before, path, value)).toBe(after);
});

const scalar = fc.constantFrom<unknown>(1, 'x', null, [1, 'y'], { n: { m: [] } }, {});
const gap = (end: string) => fc.constantFrom('', ' ', `${end}  `, `${end}\t`);
const texts = fc
  .constantFrom('\n', '\r\n')
  .chain((end) =>
    fc.tuple(fc.array(fc.tuple(gap(end), scalar, gap(end)), { minLength: 1, maxLength: 4 }), fc.constantFrom('', end), fc.constant(end)),
  );

test('whatever the layout: the value is there, the others are what they were, and no line of them changes but for a comma', () => {
  fc.assert(
    fc.property(texts, fc.nat(5), scalar, ([entries, last, end], nth, value) => {
      const written = entries.map(([before, one, after], at) => `${before}"k${at}": ${JSON.stringify(one)}${after}`);
      const text = `{${written.join(',')}}${last}`;
      const after = setJson(text, [`k${nth}`], value);
      expect(JSON.parse(after)).toEqual({ ...(JSON.parse(text) as object), [`k${nth}`]: value });
      expect(setJson(after, [`k${nth}`], value)).toBe(after);
      if (end === '\r\n') expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      expect(after.endsWith(last)).toBe(true);
      // A new key may be added to the line of the last one.
      const touched = [`"k${nth}"`, `"k${entries.length - 1}"`];
      const others = text.split('\n').filter((line) => !touched.some((key) => line.includes(key)) && !/[{}]/.test(line));
      const kept = after.split('\n').map((line) => line.replace(/,(\s*)$/, '$1'));
      for (const line of others) expect(kept).toContain(line.replace(/,(\s*)$/, '$1'));
    }),
    { numRuns: cases(300) },
  );
});

test('a key gets another name, unless that is taken', () => {
  expect(renameKey('{ "a": 1 /* a */, "b": 2 }', 'a', 'c')).toBe('{ "c": 1 /* a */, "b": 2 }');
  expect(renameKey('{ "a": 1, "b": 2 }', 'a', 'b')).toBe('{ "a": 1, "b": 2 }');
});

test('comments and trailing commas are read, and what is none of it is told apart', () => {
  expect(readLooseJson('{ // a\n "b": [1,], }')).toEqual({ b: [1] });
  expect(readLooseJson('{')).toBeUndefined();
});
