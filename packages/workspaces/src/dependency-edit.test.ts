import { describe, expect, test } from '@jest/globals';
import { cases } from '@tributary/test-repo/cases';
import fc from 'fast-check';
import { type DependencyBlock, type DependencyChange, setDependency } from './dependency-edit.js';

type Cases = Readonly<Record<string, readonly [before: string, change: DependencyChange, after: string]>>;

function dependency(name: string, range: string): DependencyChange {
  return { block: 'dependencies', name, range };
}

describe('a dependency is declared', () => {
  const cases: Cases = {
    'in its alphabetical place': [
      '{\n  "dependencies": {\n    "a": "1",\n    "c": "3"\n  }\n}\n',
      dependency('b', '^2.0.0'),
      '{\n  "dependencies": {\n    "a": "1",\n    "b": "^2.0.0",\n    "c": "3"\n  }\n}\n',
    ],
    'before all others': [
      '{\r\n\t"dependencies": {\r\n\t\t"b": "1"\r\n\t}\r\n}',
      dependency('@x/a', '2'),
      '{\r\n\t"dependencies": {\r\n\t\t"@x/a": "2",\r\n\t\t"b": "1"\r\n\t}\r\n}',
    ],
    'behind all others': [
      '{\n    "dependencies": {\n        "a": "1"\n    }\n}\n',
      dependency('b', '2'),
      '{\n    "dependencies": {\n        "a": "1",\n        "b": "2"\n    }\n}\n',
    ],
    'at the end of a block that is not sorted': [
      '{\n  "dependencies": {\n    "c": "1",\n    "a": "1"\n  }\n}\n',
      dependency('b', '2'),
      '{\n  "dependencies": {\n    "c": "1",\n    "a": "1",\n    "b": "2"\n  }\n}\n',
    ],
    'where npm would put it, in a block that npm sorted': [
      '{"dependencies":{"fs":"1","JSONStream":"1","mocha":"1"}}',
      dependency('jest', '2'),
      '{"dependencies":{"fs":"1","jest":"2","JSONStream":"1","mocha":"1"}}',
    ],
    'where Yarn would put it, in a block that Yarn sorted': [
      '{"dependencies":{"JSONStream":"1","fs":"1","mocha":"1"}}',
      dependency('Zed', '2'),
      '{"dependencies":{"JSONStream":"1","Zed":"2","fs":"1","mocha":"1"}}',
    ],
    'with another range': [
      '{ "dependencies": { "a" : "^1.0.0", "b": "2" } }',
      dependency('a', 'workspace:^'),
      '{ "dependencies": { "a" : "workspace:^", "b": "2" } }',
    ],
    'on one line': ['{ "dependencies": { "b": "2" } }\n', dependency('a', '1'), '{ "dependencies": { "a": "1", "b": "2" } }\n'],
    'on one line without spaces, whatever a text says': [
      '{"description":"one, two: three","dependencies":{"b":"2"}}',
      dependency('a', '1'),
      '{"description":"one, two: three","dependencies":{"a":"1","b":"2"}}',
    ],
    'with the spaces of the others': [
      '{\n  "dependencies" : {\n    "b" : "2"\n  }\n}\n',
      dependency('a', '1'),
      '{\n  "dependencies" : {\n    "a" : "1",\n    "b" : "2"\n  }\n}\n',
    ],
    'in a block that is empty': ['{\n  "dependencies": {}\n}\n', dependency('a', '1'), '{\n  "dependencies": {\n    "a": "1"\n  }\n}\n'],
    'in a new block, in front of devDependencies': [
      '{\n  "name": "x",\n  "devDependencies": {\n    "b": "2"\n  },\n  "files": []\n}\n',
      dependency('a', '1'),
      '{\n  "name": "x",\n  "dependencies": {\n    "a": "1"\n  },\n  "devDependencies": {\n    "b": "2"\n  },\n  "files": []\n}\n',
    ],
    'in a new block, behind dependencies': [
      '{\n  "dependencies": {\n    "b": "2"\n  },\n  "files": []\n}\n',
      { block: 'devDependencies', name: 'a', range: '1' },
      '{\n  "dependencies": {\n    "b": "2"\n  },\n  "devDependencies": {\n    "a": "1"\n  },\n  "files": []\n}\n',
    ],
    'in a new block, behind what is said about peers': [
      '{"peerDependencies":{"p":"1"},"peerDependenciesMeta":{},"files":[]}',
      { block: 'optionalDependencies', name: 'a', range: '1' },
      '{"peerDependencies":{"p":"1"},"peerDependenciesMeta":{},"optionalDependencies":{"a":"1"},"files":[]}',
    ],
    'in a new block at the end': [
      '{\n\t"name": "x"\n}\n',
      dependency('a', '1'),
      '{\n\t"name": "x",\n\t"dependencies": {\n\t\t"a": "1"\n\t}\n}\n',
    ],
    'in a new block at the front': [
      '{\n  "devDependencies": {}\n}',
      dependency('a', '1'),
      '{\n  "dependencies": {\n    "a": "1"\n  },\n  "devDependencies": {}\n}',
    ],
    'behind a byte order mark': ['\uFEFF{"dependencies":{}}', dependency('a', '1'), '\uFEFF{"dependencies":{"a":"1"}}'],
    'in the last of two blocks, which is the one that counts': [
      '{"dependencies":{"a":"1"},"dependencies":{"a":"2","a":"3"}}',
      dependency('a', '4'),
      '{"dependencies":{"a":"1"},"dependencies":{"a":"2","a":"4"}}',
    ],
    'in an empty file': ['', dependency('a', '1'), '{\n  "dependencies": {\n    "a": "1"\n  }\n}\n'],
    'in an empty object': ['{}\n', dependency('a', '1'), '{"dependencies":{"a":"1"}}\n'],
  };
  test.each(Object.entries(cases))('%s', (_, [before, change, after]) => {
    expect(setDependency(before, change)).toBe(after);
    expect(setDependency(after, change)).toBe(after);
  });
});

test('what is no manifest, and a block that is no object, are refused', () => {
  expect(() => setDependency('{', dependency('a', '1'))).toThrow('package.json:1: it is not JSON');
  expect(() => setDependency('{"dependencies":["a"]}', dependency('a', '1'))).toThrow(
    '"dependencies" in the package.json is not an object',
  );
});

describe('in any manifest', () => {
  const names = fc.constantFrom('a', 'b', 'B', '@x/y', 'long-name', 'é"', '__proto__', 'z');
  const blocks = fc.constantFrom<DependencyBlock>('dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies');
  const entries = fc.uniqueArray(fc.tuple(names, fc.string()), { selector: ([name]) => name });
  const texts = fc
    .record({
      properties: fc.uniqueArray(fc.oneof(fc.tuple(blocks, entries.map(jsonObject)), fc.tuple(fc.string(), fc.jsonValue().map(json))), {
        selector: ([key]) => key,
      }),
      indent: fc.constantFrom(0, 1, 2, 4, '\t'),
      end: fc.constantFrom('\n', '\r\n'),
      last: fc.constantFrom('', '\n'),
    })
    .filter(({ properties }) => properties.every(([key]) => key !== 'workspaces' && key !== '__proto__' && key !== 'name'))
    .map(({ properties, indent, end, last }) => ({
      indent,
      text: JSON.stringify(JSON.parse(jsonObject(properties, asIs)), null, indent).replaceAll('\n', end) + last,
    }));

  test('a dependency that is set is there, all else is as before, and a second time changes nothing', () => {
    fc.assert(
      fc.property(texts, blocks, names, fc.string(), ({ text, indent }, block, name, range) => {
        const after = setDependency(text, { block, name, range });
        expect(without(after, block, name)).toEqual(without(text, block, name));
        expect(declared(after, block).get(name)).toBe(range);
        expect(setDependency(after, { block, name, range })).toBe(after);
        if (indent !== 0 && text.trimEnd() !== '{}') expect(after).toBe(rewritten(after, text, indent));
      }),
      { numRuns: cases(500) },
    );
  });
});

function json(value: unknown): string {
  return JSON.stringify(value);
}

function asIs(text: string): string {
  return text;
}

/** Returns a JSON object built as text, because `__proto__` is not an ordinary key of a JavaScript object. */
function jsonObject(entries: readonly (readonly [string, string])[], write: (value: string) => string = json): string {
  return `{${entries.map(([key, value]) => `${json(key)}:${write(value)}`).join(',')}}`;
}

function declared(text: string, block: DependencyBlock): ReadonlyMap<string, unknown> {
  return new Map(Object.entries((JSON.parse(text) as Record<string, object>)[block] ?? {}));
}

/** Returns everything except one declaration. An empty block equals a missing one. */
function without(text: string, block: DependencyBlock, name: string): unknown {
  const rest = [...declared(text, block)].filter(([own]) => own !== name);
  return { ...(JSON.parse(text) as object), [block]: rest };
}

/** Returns the text in the layout of `JSON.stringify`. */
function rewritten(text: string, like: string, indent: number | string): string {
  const end = like.includes('\r\n') ? '\r\n' : '\n';
  return JSON.stringify(JSON.parse(text), null, indent).replaceAll('\n', end) + (like.endsWith('\n') ? '\n' : '');
}
