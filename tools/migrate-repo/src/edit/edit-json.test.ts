import { expect, test } from '@jest/globals';
import { readLooseJson, setJson } from './edit-json.js';

test.each([
  ['a value is set', '{\n\t"a": 1, // why\n\t"b": [2]\n}\n', ['b'], [3], '{\n\t"a": 1, // why\n\t"b": [\n\t\t3\n\t]\n}\n'],
  ['a value is added', '{\n    "a": 1\n}\n', ['c', 'd'], true, '{\n    "a": 1,\n    "c": {\n        "d": true\n    }\n}\n'],
  ['a value is taken out', '{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n', ['a'], undefined, '{\r\n  "b": 2\r\n}\r\n'],
  ['an equal value changes nothing', '{ "a":{"b":1} }', ['a'], { b: 1 }, '{ "a":{"b":1} }'],
  ['what is not there need not be taken out', '{ "a":1 }', ['b', 'c'], undefined, '{ "a":1 }'],
  ['a byte order mark stays', '\uFEFF{"a":1}', ['a'], 2, '\uFEFF{"a":2}'],
])('%s', (_, before, path, value, after) => {
  expect(setJson(before, path, value)).toBe(after);
});

test('comments and trailing commas are read, and what is none of it is told apart', () => {
  expect(readLooseJson('{ // a\n "b": [1,], }')).toEqual({ b: [1] });
  expect(readLooseJson('{')).toBeUndefined();
});
