import { describe, expect, test } from '@jest/globals';
import { cases } from '@tributary/test-repo/cases';
import fc from 'fast-check';
import { parseTree } from 'jsonc-parser';
import { insertEntry, keyOf, removeEntries } from './json-edit.js';

function without(text: string, keys: readonly string[]): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new Error('this is no JSON');
  return removeEntries(text, root, (entry) => keys.includes(String(keyOf(entry))));
}

describe('an entry goes with its lines, and no other line changes', () => {
  test.each([
    ['the first', '{\n  "a": 1,\n  "b": 2\n}\n', ['a'], '{\n  "b": 2\n}\n'],
    ['the last', '{\n  "a": 1,\n  "b": 2\n}', ['b'], '{\n  "a": 1\n}'],
    ['one between', '{\n\t"a": 1,\n\t"b": [\n\t\t2\n\t],\n\t"c": 3\n}\n', ['b'], '{\n\t"a": 1,\n\t"c": 3\n}\n'],
    ['several at the end', '{\r\n  "a": 1,\r\n  "b": 2,\r\n  "c": 3\r\n}\r\n', ['b', 'c'], '{\r\n  "a": 1\r\n}\r\n'],
    ['all', '{\n  "a": 1,\n  "b": 2\n}\n', ['a', 'b'], '{}\n'],
    ['the first of a line', '{ "a": 1, "b": 2 }', ['a'], '{ "b": 2 }'],
    ['the last of a line', '{ "a": 1, "b": 2 }', ['b'], '{ "a": 1 }'],
    ['all of a line', '{ "a": 1 }', ['a'], '{}'],
    ['without blanks', '{"a":1,"b":2,"c":3}', ['b'], '{"a":1,"c":3}'],
    ['the second on a line with others below', '{\n  "a": 1, "b": 2,\n  "c": 3\n}', ['b'], '{\n  "a": 1,\n  "c": 3\n}'],
    ['the first on a line with others', '{\n  "a": 1, "b": 2,\n  "c": 3\n}', ['a'], '{\n  "b": 2,\n  "c": 3\n}'],
    ['before a bracket on its line', '{ "a": 1,\n  "b": 2 }', ['b'], '{ "a": 1 }'],
    ['with its comment', '{\n  "a": 1, // one\n  "b": 2 // two\n}\n', ['b'], '{\n  "a": 1 // one\n}\n'],
    ['below a comment', '{\n  // about\n  "a": 1,\n  // more\n  "b": 2,\n}\n', ['a'], '{\n  // about\n  // more\n  "b": 2,\n}\n'],
  ])('%s', (_, before, keys, after) => {
    expect(without(before, keys)).toBe(after);
  });
});

const blank = (eol: string) => fc.constantFrom('', ' ', `${eol}  `, `${eol}\t`, `${eol}${eol}    `);
const value = (eol: string) => fc.constantFrom('1', '"x, y"', '[1, 2]', `{${eol}    "n": [${eol}]${eol}  }`, '{}', '"\\"}"');
const documents = fc.constantFrom('\n', '\r\n').chain((eol) =>
  fc.record({
    entries: fc.array(fc.tuple(blank(eol), value(eol), blank(eol)), { minLength: 1, maxLength: 5 }),
    end: blank(eol),
    last: fc.constantFrom('', eol),
  }),
);

test('whatever the layout: the entry and one comma go, blanks beside them, and nothing else', () => {
  fc.assert(
    fc.property(documents, fc.nat(4), ({ entries, end, last }, nth) => {
      const at = nth % entries.length;
      const written = entries.map(([before, content, after], index) => `${before}"k${index}": ${content}${after}`);
      const text = `{${written.join(',')}${end}}${last}`;
      const after = without(text, [`k${at}`]);
      const kept = written.filter((_, index) => index !== at);
      const bare = (some: string): string => some.replace(/\s/g, '');
      expect(bare(after)).toBe(bare(`{${kept.join(',')}}`));
      expect(after.replace(/\r\n/g, '').includes('\r')).toBe(false);
      expect(after.endsWith(last)).toBe(true);
      if (kept.length === 0) return;
      const start = (index: number): number => 1 + written.slice(0, index).join(',').length + (index === 0 ? 0 : 1);
      // The entry that becomes the last one loses its comma; lines above and below are unchanged, byte for byte.
      const first = at === entries.length - 1 ? start(at - 1) : start(at);
      const above = text.slice(0, text.lastIndexOf('\n', first) + 1);
      expect(after.slice(0, above.length)).toBe(above);
      const below = text.indexOf('\n', start(at) + (written[at]?.length ?? 0) + 1);
      if (below !== -1) expect(after.endsWith(text.slice(below + 1))).toBe(true);
    }),
    { numRuns: cases(500) },
  );
});

test('an entry is added behind the last one, whose comment stays with it', () => {
  const added = (text: string): string => {
    const root = parseTree(text, [], { allowTrailingComma: true });
    if (root === undefined) throw new Error('this is no JSON');
    return insertEntry(text, root, { at: root.children?.length ?? 0, content: '"z": 0' });
  };
  expect(added('{\n  "a": 1 // one\n}\n')).toBe('{\n  "a": 1, // one\n  "z": 0\n}\n');
  expect(added('{\n  "a": 1, // one\n}\n')).toBe('{\n  "a": 1, // one\n  "z": 0,\n}\n');
  expect(added('{ "a": 1 }')).toBe('{ "a": 1, "z": 0 }');
});
