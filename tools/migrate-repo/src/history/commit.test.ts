import { describe, expect, test } from '@jest/globals';
import { ODD_COMMITS } from '@tributary/test-repo/odd-commits';
import { formatRawCommit } from '@tributary/test-repo/raw-commit';
import fc from 'fast-check';
import { authorOf, formatCommit, parseCommit } from './commit.js';

const TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const PARENTS = ['1'.repeat(40), '2'.repeat(40), '1'.repeat(40)];
const raw = (parts: Parameters<typeof formatRawCommit>[0]): Buffer => Buffer.from(formatRawCommit(parts));

describe('a commit that is taken apart and put together again is the same to the byte', () => {
  test.each(ODD_COMMITS.map(({ title, parts }) => [title, parts] as const))('with %s', (_title, parts) => {
    for (const parents of [[], PARENTS]) {
      const content = raw({ tree: TREE, parents, ...parts });
      expect(formatCommit(parseCommit(content))).toEqual(content);
    }
  });

  test('whatever bytes follow the parents', () => {
    const ids = fc.array(fc.constantFrom(...PARENTS, 'a'.repeat(64)), { maxLength: 9 });
    fc.assert(
      fc.property(ids, fc.uint8Array({ maxLength: 200 }), (parents, rest) => {
        const header = `tree ${TREE}\n${parents.map((id) => `parent ${id}\n`).join('')}author `;
        const content = Buffer.concat([Buffer.from(header), rest]);
        const parts = parseCommit(content);
        expect(formatCommit(parts)).toEqual(content);
        expect(parts.parents).toEqual(parents);
      }),
    );
  });
});

test('another tree and other parents change nothing behind them', () => {
  for (const { parts } of ODD_COMMITS) {
    const before = parseCommit(raw({ tree: TREE, parents: PARENTS, ...parts }));
    const after = parseCommit(formatCommit({ ...before, tree: 'f'.repeat(40) as typeof before.tree, parents: [] }));
    expect(after.rest).toEqual(before.rest);
    expect(after).toMatchObject({ tree: 'f'.repeat(40), parents: [] });
  }
});

test('parents are the lines before the author only, so a message may speak of parents', () => {
  const content = raw({ tree: TREE, parents: PARENTS.slice(0, 1), message: `parent ${PARENTS[1]}\n` });
  expect(parseCommit(content).parents).toEqual(PARENTS.slice(0, 1));
});

test.each([
  ['Ada Author <ada@example.com> 1600000000 +0000', 'Ada Author <ada@example.com>'],
  ['Ada <a> b> 1600000000 +0000', 'Ada <a> b>'],
  [' <> 1 +0000', ' <>'],
  ['Ada <ada 1600000000 +0000', 'Ada <ada 1600000000 +0000'],
])('the author of "%s" is "%s", whatever the date', (author, expected) => {
  expect(authorOf(parseCommit(raw({ tree: TREE, author, message: 'x' })))).toBe(expected);
});

test('a commit without an author counts as one by nobody', () => {
  expect(authorOf(parseCommit(raw({ tree: TREE, author: null, committer: null, message: 'x' })))).toBe('');
});

test('what does not start with a tree is no commit', () => {
  expect(() => parseCommit(Buffer.from('author x\n'))).toThrow('does not start with its tree');
});
