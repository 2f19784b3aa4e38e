import { describe, expect, test } from '@jest/globals';
import { DEFAULT_CONFIG } from '@tributary/model/config';
import { isToolError } from '@tributary/model/errors';
import { RIGHT, WRONG } from './config-documents.fixture.js';
import { parseConfigFile } from './config-file.js';

test.each(Object.entries(RIGHT))('%s is right', (_, document) => {
  expect(() => parseConfigFile(JSON.stringify(document), 'tributary.json')).not.toThrow();
});

test.each(Object.entries(WRONG))('%s is wrong', (_, document) => {
  expect(() => parseConfigFile(JSON.stringify(document), 'tributary.json')).toThrow(/^tributary\.json:1: /);
});

test('nested without end', () => {
  expect(() => parseConfigFile('{"a":'.repeat(50_000), 'tributary.json')).toThrow('nested too deeply');
});

test('nothing said means the defaults', () => {
  expect(parseConfigFile('{}', 'tributary.json')).toEqual(DEFAULT_CONFIG);
});

describe('what is wrong is named by file, line and key', () => {
  const pack = (line: string): string =>
    `{\n  "migrate": {\n    "packages": {\n      "d3-array": {\n        "source": "../d3-array",\n        ${line}\n      }\n    }\n  }\n}\n`;
  const cases: Readonly<Record<string, readonly [text: string, message: string]>> = {
    'an unknown key': [
      pack('"sorce": "x"'),
      'tributary.json:6: migrate.packages.d3-array.sorce is not a known key; known here: source, path, branch, subdirectory',
    ],
    'a wrong type': [pack('"branch": 7'), 'tributary.json:6: migrate.packages.d3-array.branch must be a non-empty string, not 7'],
    'something missing': [
      '{\n  "migrate": {\n    "packages": {\n      "@a/b": {}\n    }\n  }\n}',
      'tributary.json:4: migrate.packages["@a/b"] needs "source", the address or path of the repository',
    ],
    'no object': ['\n[]', 'tributary.json:2: it must be an object, not a list'],
    'a key twice': [
      '{\n  "migrate": {\n    "path": "a",\n    "tags": false,\n    "path": "b"\n  }\n}',
      'tributary.json:5: migrate.path is duplicated, first on line 3',
    ],
    'a key twice in a rule': [
      '{\n  "affected": {\n    "rules": [\n      { "files": "a", "affects": "all" },\n      { "files": "a",\n        "files": "b", "affects": "none" }\n    ]\n  }\n}',
      'tributary.json:6: affected.rules[1].files is duplicated, first on line 5',
    ],
    'a rule that misses something': [
      '{\n  "affected": {\n    "rules": [\n      { "files": "a", "affects": "all" },\n      { "files": "b" }\n    ]\n  }\n}',
      'tributary.json:5: affected.rules[1] needs "files" and "affects"',
    ],
    'a glob among others': [
      '{\n  "affected": {\n    "rules": [\n      {\n        "files": [\n          "a",\n          "docs/"\n        ],\n        "affects": "none"\n      }\n    ]\n  }\n}',
      'tributary.json:7: affected.rules[0].files[1] names a folder; for its contents, write "docs/**"',
    ],
    'a list in a list with a key twice': [
      '{"affected": {"rules": [[{"a": 1,\n"a": 2}]]}}',
      'tributary.json:2: affected.rules[0][0].a is duplicated, first on line 1',
    ],
    'two commas': ['{\n  "migrate": {},,\n}', 'tributary.json:2: it is not JSON: property name expected'],
    'a comment that does not end': ['{}\n/* mine', 'tributary.json:2: it is not JSON: unexpected end of comment'],
    'text behind the end': ['{}\n{}', 'tributary.json:2: it is not JSON: end of file expected'],
    'an empty file': ['', 'tributary.json:1: it is empty'],
    'a comment alone': ['// mine\n', 'tributary.json:2: it is not JSON: value expected'],
    'edges of a workspace that are a list': [
      '{"affected": {"edges": {\n"@acme/a": []}}}',
      'tributary.json:2: affected.edges["@acme/a"] must be an object, not a list',
    ],
    'an edge without a place': [
      '{"affected": {"edges": {"a": {"workspaces": {\n"b": ""}}}}}',
      'tributary.json:2: affected.edges.a.workspaces.b must be a non-empty string, not an empty one',
    ],
    'an edge of a kind that is none': [
      '{"affected": {"edges": {"a": {\n"packages": {}}}}}',
      'tributary.json:2: affected.edges.a.packages is not a known key; known here: workspaces, files',
    ],
    'a key twice that is called as what every object has': [
      '{"affected": {"edges": {\n"__proto__": {},\n"__proto__": {}}}}',
      'tributary.json:3: affected.edges.__proto__ is duplicated, first on line 2',
    ],
    'a merge that was not finished': ['{\n<<<<<<< HEAD\n}', 'tributary.json:2: it has conflict markers of an unfinished merge'],
  };
  test.each(Object.entries(cases))('%s', (_, [text, message]) => {
    const error = thrownBy(() => parseConfigFile(text, 'tributary.json'));
    expect(isToolError(error) && [error.code, error.message]).toEqual(['CONFIG_INVALID', message]);
  });

  test('none of comments and of commas behind the last', () => {
    const text = '// mine\r\n{ "affected": { /* why */ "always": ["a",], }, }\r\n';
    expect(parseConfigFile(`\uFEFF${text}`, 'tributary.json').affected.always).toEqual(['a']);
  });

  test('none of names that every object has: they are edges as all others', () => {
    const { edges } = parseConfigFile(
      '{"affected": {"edges": {"__proto__": {"workspaces": {"constructor": "a:1"}}}}}',
      'tributary.json',
    ).affected;
    expect(Object.entries(edges)).toEqual([['__proto__', { workspaces: { constructor: 'a:1' }, files: {} }]]);
    expect(edges['constructor']).toBeUndefined();
  });

  test('also behind a byte order mark and with Windows line ends', () => {
    expect(() => parseConfigFile('\uFEFF{\r\n  "x": 1\r\n}', 'tributary.json')).toThrow(
      'tributary.json:2: x is not a known key; known here: migrate, affected',
    );
  });
});

function thrownBy(work: () => unknown): unknown {
  const result = resultOf(work);
  if (!isToolError(result)) throw new Error('nothing was thrown');
  return result;
}

/** Returns the result, or the error that it throws. */
function resultOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
