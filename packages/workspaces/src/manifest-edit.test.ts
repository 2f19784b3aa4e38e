import { describe, expect, test } from '@jest/globals';
import { parseRepoPath } from '@tributary/model/paths';
import fc from 'fast-check';
import { isCovered } from './discover.js';
import { parseManifest } from './manifest.js';
import { addWorkspacePattern } from './manifest-edit.js';

const path = parseRepoPath('packages/new');

/** Returns the added text, between the unchanged start and end. */
function difference(before: string, after: string): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  expect(before.length).toBe(start + end);
  return after.slice(start, after.length - end);
}

describe('adding a workspace changes nothing but its entry', () => {
  const cases: Readonly<Record<string, readonly [before: string, after: string]>> = {
    'two spaces': [
      '{\n  "name": "root",\n  "workspaces": [\n    "packages/*",\n    "tools/x"\n  ],\n  "private": true\n}\n',
      '{\n  "name": "root",\n  "workspaces": [\n    "packages/*",\n    "tools/x",\n    "packages/new"\n  ],\n  "private": true\n}\n',
    ],
    'four spaces and no newline at the end': [
      '{\n    "workspaces": [\n        "tools/x"\n    ]\n}',
      '{\n    "workspaces": [\n        "tools/x",\n        "packages/new"\n    ]\n}',
    ],
    tabs: ['{\n\t"workspaces": [\n\t\t"tools/x"\n\t]\n}\n', '{\n\t"workspaces": [\n\t\t"tools/x",\n\t\t"packages/new"\n\t]\n}\n'],
    'Windows line ends': [
      '{\r\n  "workspaces": [\r\n    "tools/x"\r\n  ]\r\n}\r\n',
      '{\r\n  "workspaces": [\r\n    "tools/x",\r\n    "packages/new"\r\n  ]\r\n}\r\n',
    ],
    'a list on one line': [
      '{\n  "workspaces": ["a", "b"],\n  "x": {"y": [1,2]}\n}\n',
      '{\n  "workspaces": ["a", "b", "packages/new"],\n  "x": {"y": [1,2]}\n}\n',
    ],
    'a list on one line with one entry': ['{\n  "workspaces": [ "a" ]\n}\n', '{\n  "workspaces": [ "a", "packages/new" ]\n}\n'],
    'an empty list': ['{\n  "workspaces": []\n}\n', '{\n  "workspaces": ["packages/new"]\n}\n'],
    'the object form': [
      '{\n  "workspaces": {\n    "packages": [\n      "a"\n    ],\n    "nohoist": []\n  }\n}\n',
      '{\n  "workspaces": {\n    "packages": [\n      "a",\n      "packages/new"\n    ],\n    "nohoist": []\n  }\n}\n',
    ],
    'the object form without a list': [
      '{\n  "workspaces": {\n    "nohoist": []\n  }\n}\n',
      '{\n  "workspaces": {\n    "nohoist": [],\n    "packages": [\n      "packages/new"\n    ]\n  }\n}\n',
    ],
    'an empty object form': [
      '{\n  "workspaces": {}\n}\n',
      '{\n  "workspaces": {\n    "packages": [\n      "packages/new"\n    ]\n  }\n}\n',
    ],
    'no key': [
      '{\n    "name": "root",\n    "private": true\n}\n',
      '{\n    "name": "root",\n    "private": true,\n    "workspaces": [\n        "packages/new"\n    ]\n}\n',
    ],
    'no key, tabs and Windows line ends': [
      '{\r\n\t"name": "root"\r\n}\r\n',
      '{\r\n\t"name": "root",\r\n\t"workspaces": [\r\n\t\t"packages/new"\r\n\t]\r\n}\r\n',
    ],
    'no key behind an object': [
      '{\n  "scripts": {\n    "test": "jest"\n  }\n}\n',
      '{\n  "scripts": {\n    "test": "jest"\n  },\n  "workspaces": [\n    "packages/new"\n  ]\n}\n',
    ],
    'one line with spaces': [
      '{ "name": "root", "private": true }\n',
      '{ "name": "root", "private": true, "workspaces": ["packages/new"] }\n',
    ],
    'one line without spaces': ['{"name":"root","workspaces":["a"]}', '{"name":"root","workspaces":["a","packages/new"]}'],
    'one line without spaces and without the key': ['{"name":"root"}', '{"name":"root","workspaces":["packages/new"]}'],
    'a byte order mark': ['\uFEFF{\n  "workspaces": ["a"]\n}', '\uFEFF{\n  "workspaces": ["a", "packages/new"]\n}'],
    'a key that stands there twice, of which JSON takes the last': [
      '{\n  "workspaces": ["a"],\n  "workspaces": ["b"]\n}',
      '{\n  "workspaces": ["a"],\n  "workspaces": ["b", "packages/new"]\n}',
    ],
  };
  test.each(Object.entries(cases))('%s', (_, [before, after]) => {
    expect(addWorkspacePattern(before, path)).toBe(after);
    expect(addWorkspacePattern(after, path)).toBe(after);
    if (!before.includes('{}') && !before.includes('[]')) expect(difference(before, after)).toContain('packages/new');
  });

  test('an empty file and an empty object become a manifest', () => {
    expect(addWorkspacePattern('', path)).toBe('{\n  "workspaces": [\n    "packages/new"\n  ]\n}\n');
    expect(addWorkspacePattern('{}', path)).toBe('{"workspaces":["packages/new"]}');
    expect(addWorkspacePattern('{\n}\n', path)).toBe('{\n  "workspaces": [\n    "packages/new"\n  ]\n}\n');
  });

  test('a folder with signs of a pattern in its name is escaped, so that it means itself', () => {
    const text = addWorkspacePattern('{"workspaces":[]}', parseRepoPath('packages/(a)[b]'));
    expect(text).toBe('{"workspaces":["packages/\\\\(a\\\\)\\\\[b\\\\]"]}');
    expect(isCovered(parseManifest(text, 'package.json'), parseRepoPath('packages/(a)[b]'))).toBe(true);
  });

  test('what is neither a list nor an object is refused', () => {
    expect(() => addWorkspacePattern('{"workspaces": "packages/*"}', path)).toThrow('"workspaces" in the root package.json is neither');
    expect(() => addWorkspacePattern('{"workspaces": {"packages": 1}}', path)).toThrow(
      '"workspaces.packages" in the root package.json is neither',
    );
    expect(() => addWorkspacePattern('{', path)).toThrow('package.json:1: it is not JSON');
  });

  test('in any manifest: the folder is covered then, all else is as before, and a second time changes nothing', () => {
    const manifest = fc.dictionary(fc.string(), fc.jsonValue()).chain((rest) =>
      fc.record({
        rest: fc.constant(rest),
        workspaces: fc.oneof(
          fc.array(fc.constantFrom('a', 'tools/*')),
          fc.record({ packages: fc.array(fc.constantFrom('a', 'b/**')) }),
          fc.constant(undefined),
        ),
      }),
    );
    const indent = fc.constantFrom(0, 1, 2, 4, '\t');
    fc.assert(
      fc.property(manifest, indent, fc.constantFrom('\n', '\r\n'), (value, indentation, end) => {
        const { workspaces: _, ...rest } = value.rest;
        const before = JSON.stringify({ ...rest, workspaces: value.workspaces }, null, indentation).replaceAll('\n', end);
        const after = addWorkspacePattern(before, path);
        expect(isCovered(parseManifest(after, 'package.json'), path)).toBe(true);
        expect({ ...(JSON.parse(after) as object), workspaces: 0 }).toEqual({ ...(JSON.parse(before) as object), workspaces: 0 });
        expect(parseManifest(after, '').workspaces).toEqual([...parseManifest(before, '').workspaces, path]);
        expect(addWorkspacePattern(after, path)).toBe(after);
        if (indentation !== 0 && value.workspaces !== undefined && !before.includes('[]'))
          expect(after).toBe(reindented(after, indentation, end));
      }),
    );
  });
});

function reindented(text: string, indentation: number | string, end: string): string {
  return JSON.stringify(JSON.parse(text), null, indentation).replaceAll('\n', end);
}
