import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseConfigFile } from './config-file.js';
import { type EdgeChange, editEdges } from './edges-edit.js';

const A_READS_B: EdgeChange = { from: '@acme/a', kind: 'workspaces', to: 'b', proof: 'a/x.ts:1' };
const A_READS_FILE: EdgeChange = { from: '@acme/a', kind: 'files', to: 'tests/x.js', proof: 'a/x.ts:2' };

function gone(change: EdgeChange): EdgeChange {
  return { ...change, proof: undefined };
}

const FRESH = `{
  "affected": {
    "edges": {
      "@acme/a": {
        "workspaces": {
          "b": "a/x.ts:1"
        },
        "files": {
          "tests/x.js": "a/x.ts:2"
        }
      }
    }
  }
}
`;

describe('edges are written', () => {
  test.each([undefined, '{}', ' {}', '{}\n', '{\n}\n'])('into a file that is missing or empty: %j', (text) => {
    expect(editEdges(text, [A_READS_B, A_READS_FILE]).trimStart()).toBe(FRESH);
  });

  test('into an empty file with Windows line ends', () => {
    expect(editEdges('{}\r\n', [A_READS_B, A_READS_FILE])).toBe(FRESH.replaceAll('\n', '\r\n'));
  });

  test('behind comments, beside other keys, in the style of the file', () => {
    const before = [
      '\uFEFF// What affected must know',
      '{',
      '\t"affected": { // ours',
      '\t\t"always": ["app"], // the core',
      '\t\t/* by check --fix */',
      '\t\t"edges": {',
      '\t\t\t// none yet',
      '\t\t},',
      '\t},',
      '}',
      '',
    ].join('\r\n');
    expect(editEdges(before, [A_READS_B])).toBe(
      before.replace(
        '\t\t\t// none yet\r\n',
        [
          '\t\t\t// none yet',
          '\t\t\t"@acme/a": {',
          '\t\t\t\t"workspaces": {',
          '\t\t\t\t\t"b": "a/x.ts:1"',
          '\t\t\t\t}',
          '\t\t\t}',
          '',
        ].join('\r\n'),
      ),
    );
  });

  test('behind the last one of several, whose comment stays with it', () => {
    const before = '{\n  "affected": {\n    "edges": {\n      "b": { "files": {\n        "x": "b:1" // why\n      } }\n    }\n  }\n}\n';
    const after = editEdges(before, [{ from: 'b', kind: 'files', to: 'y', proof: 'b:2' }]);
    expect(after).toBe(before.replace('"b:1" // why\n', '"b:1", // why\n        "y": "b:2"\n'));
  });

  test('into a file of one line on that line', () => {
    const after = editEdges('{"affected":{"always":["a"]}}', [A_READS_B]);
    expect(after).toBe('{"affected":{"always":["a"],"edges":{"@acme/a":{"workspaces":{"b":"a/x.ts:1"}}}}}');
  });

  test('with another proof in its place', () => {
    expect(editEdges(FRESH, [{ ...A_READS_B, proof: 'a/y.ts:7' }])).toBe(FRESH.replace('a/x.ts:1', 'a/y.ts:7'));
  });

  test('not if there is none', () => {
    expect(editEdges('{}', [])).toBe('{}');
  });
});

describe('edges are taken away', () => {
  test('with what is empty then', () => {
    expect(editEdges(FRESH, [gone(A_READS_FILE)])).toBe(editEdges(undefined, [A_READS_B]));
    expect(JSON.parse(editEdges(FRESH, [gone(A_READS_FILE), gone(A_READS_B)]))).toEqual({ affected: { edges: {} } });
  });

  test('but not with a comment that stands there', () => {
    const before = FRESH.replace('"b": "a/x.ts:1"', '// b is read\n          "b": "a/x.ts:1"');
    expect(editEdges(before, [gone(A_READS_B)])).toContain('// b is read');
  });

  test('not if they are not there', () => {
    expect(editEdges(FRESH, [gone({ ...A_READS_B, to: 'c' }), gone({ ...A_READS_B, from: 'c' })])).toBe(FRESH);
  });
});

const name = fc.constantFrom('a', '@acme/b', '__proto__', 'constructor', 'odd "name"', 'ü\\n');
const change = fc.record({
  from: name,
  kind: fc.constantFrom('workspaces' as const, 'files' as const),
  to: name,
  proof: fc.constant('x:1'),
});
const TEXTS = [
  undefined,
  '{}',
  FRESH,
  '{\r\n    // mine\r\n    "affected": {\r\n        "edges": {},\r\n    },\r\n}\r\n',
  '{"affected":{"edges":{"a":{"files":{"a":"y:1",},},}}}',
  '{ "affected": { "turboInputs": "ignore" /* why */ } /* end */ }',
  '{\n  "affected": { /* one */ }\n  // two\n}',
];

test('whatever is written is there, and nothing else is lost', () => {
  fc.assert(
    fc.property(fc.constantFrom(...TEXTS), fc.uniqueArray(change, { maxLength: 6 }), (text, changes) => {
      const after = editEdges(text, changes);
      const [old, edges] = [parseConfigFile(text ?? '{}', 'x').affected, parseConfigFile(after, 'x').affected];
      expect({ ...edges, edges: {} }).toEqual({ ...old, edges: {} });
      const pairs = (config: typeof old): readonly string[] =>
        Object.entries(config.edges).flatMap(([from, { workspaces, files }]) => [
          ...Object.keys(workspaces).map((to) => JSON.stringify([from, 'workspaces', to])),
          ...Object.keys(files).map((to) => JSON.stringify([from, 'files', to])),
        ]);
      const added = changes.map(({ from, kind, to }) => JSON.stringify([from, kind, to]));
      expect(new Set(pairs(edges))).toEqual(new Set([...pairs(old), ...added]));
      for (const [comment] of (text ?? '').matchAll(/\/\/ \w+|\/\*.*?\*\//g)) expect(after).toContain(comment);
      const undone = editEdges(after, changes.map(gone));
      const left = pairs(old).filter((pair) => !added.includes(pair));
      expect(new Set(pairs(parseConfigFile(undone, 'x').affected))).toEqual(new Set(left));
    }),
  );
});
