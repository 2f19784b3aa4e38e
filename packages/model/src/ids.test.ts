import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { branchRef, parseObjectId, parseRefName, parseWorkspaceName, shortRef, tagRef, withoutScope } from './ids.js';

const refusal = expect.objectContaining({ code: 'USAGE' });

function accepts(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    expect(error).toEqual(refusal);
    return false;
  }
}

function gitAccepts(ref: string): boolean {
  return spawnSync('git', ['check-ref-format', ref]).status === 0;
}

describe('git check-ref-format decides as we do', () => {
  const names = [
    'main',
    'a/b',
    'a/b/c',
    'release-1.x',
    'ü',
    '日本',
    '@',
    'a@b',
    '@a',
    'a@',
    '-x',
    '--force',
    'HEAD',
    'refs',
    'a.b',
    'a..',
    'a.b.',
    '.a',
    'a/.b',
    'a.',
    'a/b.',
    'a./b',
    'a..b',
    'a.lock',
    'a.lock/b',
    'a/b.lock',
    'a.locked',
    '.lock',
    'lock',
    'a.LOCK',
    'x.lock.',
    '',
    '/',
    'a/',
    '/a',
    'a//b',
    'a b',
    ' ',
    'a\tb',
    'a\nb',
    'a\x7f',
    'a\x80',
    'a~',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a]',
    'a\\b',
    '{',
    '@{',
    'a@{b',
    '@@{',
    '"',
    "'",
    '$',
    '`',
    ';',
    '|',
    '&',
    '(',
    '<',
    '!',
    '%',
    '+',
    ',',
    '=',
    '\u2028',
    '😀',
  ];
  test.each(names.map((name) => [encodeURI(name), name]))('on the branch %s', (_, name) => {
    expect(accepts(parseRefName, `refs/heads/${name}`)).toBe(gitAccepts(`refs/heads/${name}`));
  });

  test('on any text, in any part of the name', () => {
    const piece = fc.constantFrom('.', '/', '..', '.lock', 'lock', '@', '{', '@{', '-', 'a', 'Z', '~', ' ', '*', '\\', 'ü', '\x7f', '\t');
    const text = fc.oneof(
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'grapheme', maxLength: 8 }).filter((random) => !random.includes('\0')),
    );
    fc.assert(
      fc.property(text, (name) => {
        expect([name, accepts(parseRefName, `refs/tags/${name}`)]).toEqual([name, gitAccepts(`refs/tags/${name}`)]);
      }),
    );
  });
});

test('a name with NUL, which no program can be asked about, is no ref', () => {
  expect(accepts(parseRefName, 'refs/heads/a\0b')).toBe(false);
});

test.each(['main', 'HEAD', 'refs', 'refs/', 'refs/stash', 'heads/main', '/refs/heads/main', '-refs/heads/main'])(
  '%s is no full name',
  (text) => {
    expect(accepts(parseRefName, text)).toBe(false);
  },
);

test.each(['-x', '--force', 'HEAD', '', 'a b', 'a..b'])('a branch cannot be called "%s"', (name) => {
  expect(accepts(branchRef, name)).toBe(false);
});

test('a short name becomes a full one, and short again', () => {
  expect([branchRef('a/b'), tagRef('@acme/ui@1.0.0'), tagRef('-old')]).toEqual([
    'refs/heads/a/b',
    'refs/tags/@acme/ui@1.0.0',
    'refs/tags/-old',
  ]);
  expect([branchRef('a/b'), tagRef('v1'), parseRefName('refs/remotes/origin/a'), parseRefName('refs/notes/commits')].map(shortRef)).toEqual(
    ['a/b', 'v1', 'origin/a', 'refs/notes/commits'],
  );
  expect(shortRef(branchRef('refs/heads/x'))).toBe('refs/heads/x');
});

test.each(['0'.repeat(40), 'abcdef0123'.repeat(4), 'f'.repeat(64)])('%s is the id of an object', (text) => {
  expect(parseObjectId(text)).toBe(text);
});

test.each([
  '',
  'abc',
  '0'.repeat(39),
  '0'.repeat(41),
  'A'.repeat(40),
  'g'.repeat(40),
  ` ${'0'.repeat(40)}`,
  `${'0'.repeat(40)}\n`,
  '0'.repeat(63),
])('"%s" is none, so the answer of git was misread', (text) => {
  expect(() => parseObjectId(text)).toThrow(expect.objectContaining({ code: 'GIT_FAILED' }));
});

test.each([
  'left-pad',
  'a',
  'JSONStream',
  'x.y',
  'a_b',
  '@acme/ui',
  '@acme/_shared',
  '@_acme/x',
  '@a-b/c.d',
  '7zip',
  '@7/8',
  '~x',
  'a'.repeat(214),
])('%s is the name of a package', (text) => {
  expect(parseWorkspaceName(text)).toBe(text);
});

test.each(
  [
    '',
    ' ',
    '-x',
    '--yes',
    '.x',
    '..',
    '_x',
    '@',
    '@acme',
    '@acme/',
    '@/x',
    '@acme/.x',
    '@acme/a/b',
    'a/b',
    '../x',
    'a b',
    'a\n',
    'a\0',
    'ü',
    'a@1',
    '@.x/y',
    'a:b',
    'a%2fb',
    'a'.repeat(215),
  ].map((text) => [encodeURI(text), text]),
)('%s is no name of a package', (_, text) => {
  expect(accepts(parseWorkspaceName, text)).toBe(false);
});

test('the scope is taken off', () => {
  expect(['@acme/ui', 'ui', '@a/b.c'].map((name) => withoutScope(parseWorkspaceName(name)))).toEqual(['ui', 'ui', 'b.c']);
});
