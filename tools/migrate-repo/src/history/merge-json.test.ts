import { describe, expect, test } from '@jest/globals';
import { mergeJson } from './merge-json.js';

const BASE = '{\n  "name": "a",\n  "version": "1.0.0",\n  "dependencies": {\n    "z": "^1.0.0",\n    "b": "^1.0.0"\n  }\n}\n';
const OURS = '{\n  "name": "a",\n  "version": "1.0.0",\n  "dependencies": {\n    "b": "workspace:^",\n    "z": "^1.0.0"\n  }\n}\n';

describe('a package.json is merged key by key', () => {
  test('though Yarn has sorted it, and the neighbour of a line changed', () => {
    const theirs = BASE.replace('1.0.0",\n  "dep', '1.1.0",\n  "dep').replace('"z": "^1.0.0"', '"z": "^2.0.0"');
    expect(mergeJson({ base: BASE, ours: OURS, theirs })).toBe(
      OURS.replace('1.0.0",\n  "dep', '1.1.0",\n  "dep').replace('"z": "^1.0.0"', '"z": "^2.0.0"'),
    );
  });

  test.each<[string, string, string]>([
    ['a key that is added', '{"name":"a","x":1}', '{"name":"a","x":1}'],
    ['a key that goes', '{}', '{}'],
  ])('%s', (_, theirs, merged) => {
    expect(mergeJson({ base: '{"name":"a"}', ours: '{"name":"a"}', theirs })).toBe(merged);
  });

  test('what both have changed alike is no conflict', () => {
    expect(mergeJson({ base: '{"v":1}', ours: '{"v":2}', theirs: '{"v":2}' })).toBe('{"v":2}');
  });
});

test.each<[string, string, string, string]>([
  ['both have changed a value', '{"v":1}', '{"v":2}', '{"v":3}'],
  ['one has taken away what the other has changed', '{"d":{"v":1}}', '{}', '{"d":{"v":3}}'],
  ['it is no JSON', '{', '{}', '{"a":1}'],
  ['both have changed a list', '{"f":["a"]}', '{"f":["a","b"]}', '{"f":["a","c"]}'],
])('it conflicts where %s', (_, base, ours, theirs) => {
  expect(mergeJson({ base, ours, theirs })).toBeUndefined();
});
