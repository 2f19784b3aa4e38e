import { describe, expect, test } from '@jest/globals';
import { addToYaml, readYaml } from './edit-yaml.js';

test('aliases of aliases that stand for millions of words are not valid', () => {
  const lines = Array.from(
    { length: 12 },
    (_, at) =>
      `a${at}: &a${at} [${
        at === 0
          ? 'x'
          : Array(9)
              .fill(`*a${at - 1}`)
              .join()
      }]\n`,
  );
  expect(readYaml(lines.join(''))).toBeUndefined();
  expect(readYaml(lines.slice(0, 2).join(''))).toBeDefined();
});

describe('an entry is added, and no other line changes', () => {
  test.each([
    ['to an empty file', '', 'catalog:\n  a: ^1.0.0\n'],
    ['to a file of comments', '# Words.\n', '# Words.\ncatalog:\n  a: ^1.0.0\n'],
    ['to a map that is missing', 'nodeLinker:   node-modules # so\n', 'nodeLinker:   node-modules # so\ncatalog:\n  a: ^1.0.0\n'],
    [
      'to the end of a map',
      'catalog:\n  # why\n  b:   "^2" # b\n\n# next\nx: 1\n',
      'catalog:\n  # why\n  b:   "^2" # b\n  a: ^1.0.0\n\n# next\nx: 1\n',
    ],
    ['with the indentation of the others', 'catalog:\n    b: 2\nx: |\n  text\n', 'catalog:\n    b: 2\n    a: ^1.0.0\nx: |\n  text\n'],
    [
      'behind text over several lines',
      'catalog:\n  b: |\n    one\n    two\nx: 1\n',
      'catalog:\n  b: |\n    one\n    two\n  a: ^1.0.0\nx: 1\n',
    ],
    ['behind a last line without an end', 'catalog:\n  b: 2', 'catalog:\n  b: 2\n  a: ^1.0.0\n'],
    ['with the line ends of the file', 'catalog:\r\n  b: 2\r\nx: 1\r\n', 'catalog:\r\n  b: 2\r\n  a: ^1.0.0\r\nx: 1\r\n'],
    ['to a map on one line', 'catalog: { b: 2 }\n', 'catalog: { b: 2, a: ^1.0.0 }\n'],
    ['to a map without entries', 'catalog:\nx: 1 # y\n', 'catalog:\n  a: ^1.0.0\nx: 1 # y\n'],
    ['in the place of the one of that key', 'catalog:\n  a: 1 # y\n', 'catalog:\n  a: ^1.0.0 # y\n'],
  ])('%s', (_, before, after) => {
    expect(addToYaml(before, { path: ['catalog'], key: 'a', value: '^1.0.0' })).toBe(after);
  });

  test('deep below', () => {
    const text = 'packageExtensions:\n  "b@*":\n    dependencies:\n      c: 1\n';
    const added = addToYaml(text, { path: ['packageExtensions'], key: 'a@^1', value: { dependencies: { d: '*' } } });
    expect(added).toBe(`${text}  a@^1:\n    dependencies:\n      d: "*"\n`);
  });

  test('to a list', () => {
    const added = addToYaml('updates:\n- a: 1\n  b: 2\n', { path: ['updates'], key: undefined, value: { c: 3, d: 4 }, comment: 'new' });
    expect(added).toBe('updates:\n- a: 1\n  b: 2\n# new\n- c: 3\n  d: 4\n');
  });
});

test('what is no YAML is told apart', () => {
  expect(readYaml('a: [')).toBeUndefined();
  expect(readYaml('a: 1\na: 2\n')).toBeUndefined();
});
