import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isInside, joinRepoPath, parseAbsolutePath, parseRepoPath } from './paths.js';

const repo = mkdtempSync(join(tmpdir(), 'tributary-'));
afterAll(() => rmSync(repo, { recursive: true }));
runGit('init', '-q');

function runGit(...args: string[]): number | null {
  const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  return spawnSync('git', args, { cwd: repo, env, stdio: 'ignore' }).status;
}

/** Returns whether git accepts the path in an index, with the protections for all platforms on. */
function gitAllows(path: string): boolean {
  const protections = ['-c', 'core.protectHFS=true', '-c', 'core.protectNTFS=true'];
  const entry = `100644,${'1'.repeat(40)},${path}`;
  return runGit(...protections, 'update-index', '--add', '--replace', '--cacheinfo', entry) === 0;
}

const refusal = expect.objectContaining({ code: 'USAGE' });

describe('a path of a repository is brought into one form', () => {
  const cases: readonly (readonly [text: string, path: string])[] = [
    ['a', 'a'],
    ['a/b', 'a/b'],
    ['a/', 'a'],
    ['a//b///c/', 'a/b/c'],
    ['./a/./b/.', 'a/b'],
    ['packages/@acme/ui', 'packages/@acme/ui'],
    ['...', '...'],
    ['a..b/..c', 'a..b/..c'],
    ['.github/.gitignore', '.github/.gitignore'],
    ['x.git', 'x.git'],
    ['.gitmodules', '.gitmodules'],
    ['git~10', 'git~10'],
    ['-x', '-x'],
    [' ', ' '],
    ['über/日本', 'über/日本'],
    ['ab:c/d', 'ab:c/d'],
  ];
  test.each(cases)('%s is %s', (text, path) => {
    expect(parseRepoPath(text)).toBe(path);
  });
});

describe('a path that is none of a repository is refused', () => {
  const cases: readonly (readonly [text: string, why: string])[] = [
    ['', 'it is empty'],
    ['.', 'it is empty'],
    ['./', 'it is empty'],
    ['/', 'it is absolute'],
    ['/a', 'it is absolute'],
    ['C:/a', 'it is absolute'],
    ['c:a', 'it is absolute'],
    ['..', 'it leaves the repository'],
    ['a/../b', 'it leaves the repository'],
    ['a/..', 'it leaves the repository'],
    ['a\\b', 'it has a backslash'],
    ['..\\a', 'it has a backslash'],
    ['a\nb', 'a control character'],
    ['a\0', 'a control character'],
    ['.git', 'it passes through .git'],
    ['a/.git/hooks/pre-commit', 'it passes through .git'],
    ['.GIT/config', 'it passes through .git'],
    ['.gIt', 'it passes through .git'],
    ['git~1', 'it passes through .git'],
    ['a/GIT~1/b', 'it passes through .git'],
    ['.git ', 'it passes through .git'],
    ['.git. . .', 'it passes through .git'],
    ['.git::$INDEX_ALLOCATION/config', 'it passes through .git'],
    ['.git:x', 'it passes through .git'],
    ['.g\u200cit', 'it passes through .git'],
    ['\ufeff.git', 'it passes through .git'],
    ['a/.git\u202e', 'it passes through .git'],
  ];
  test.each(cases.map(([text, why]) => [encodeURI(text), why, text]))('%s: %s', (_, why, text) => {
    expect(() => parseRepoPath(text)).toThrow(refusal);
    expect(() => parseRepoPath(text)).toThrow(why);
  });
});

const piece = fc.constantFrom(
  '.',
  '..',
  '/',
  '.git',
  '.GIT',
  'git~1',
  ' ',
  ':',
  '\u200c',
  '\u206f',
  'a',
  'B',
  '~',
  '1',
  '-',
  'ü',
  'git',
  '.g',
  'it',
);
const anyPath = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));

function parsed(text: string): string | undefined {
  try {
    return parseRepoPath(text);
  } catch (error) {
    expect(error).toEqual(refusal);
    return undefined;
  }
}

test('the one form is kept when it is parsed again', () => {
  fc.assert(
    fc.property(fc.oneof(anyPath, fc.string({ unit: 'binary' })), (text) => {
      const path = parsed(text);
      if (path !== undefined) expect(parseRepoPath(path)).toBe(path);
    }),
  );
});

test('git allows in its index whatever is accepted', () => {
  fc.assert(
    fc.property(anyPath, (text) => {
      const path = parsed(text);
      if (path !== undefined) expect([path, gitAllows(path)]).toEqual([path, true]);
    }),
  );
});

test('the oracle of the law above does refuse', () => {
  expect(['.git', 'a/.GIT/b', 'git~1', '.g\u200cit', '.git::$INDEX_ALLOCATION', 'a/../b', 'a'].map(gitAllows)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
    true,
  ]);
});

test('joining to a folder is joining the texts, and what is joined is inside', () => {
  expect(joinRepoPath('', 'a/')).toBe('a');
  expect(joinRepoPath(parseRepoPath('a'), './b')).toBe('a/b');
  expect(() => joinRepoPath(parseRepoPath('a'), '../b')).toThrow(refusal);
  expect(() => joinRepoPath('', '')).toThrow(refusal);
  fc.assert(
    fc.property(anyPath, anyPath, (a, b) => {
      const [folder, below] = [parsed(a), parsed(b)];
      if (folder === undefined || below === undefined) return;
      const joined = joinRepoPath(parseRepoPath(folder), below);
      expect(joined).toBe(`${folder}/${below}`);
      expect(isInside(joined, parseRepoPath(folder))).toBe(true);
    }),
  );
});

test.each([
  ['a', '', true],
  ['', '', true],
  ['a', 'a', true],
  ['a/b', 'a', true],
  ['ab', 'a', false],
  ['a', 'a/b', false],
  ['a-b/c', 'a', false],
])('that "%s" is inside "%s" is %s', (path, folder, inside) => {
  expect(isInside(path, folder === '' ? '' : parseRepoPath(folder))).toBe(inside);
});

test.each(['/', '/a/b', 'C:\\a', 'c:/a', '/a b', '/-x', '\\\\server\\share\\a'])('%s is an absolute path', (text) => {
  expect(parseAbsolutePath(text)).toBe(text);
});

test.each(['', 'a', './a', '../a', '~/a', 'C:a', '\\a', '\\\\', '\\\\/a', '-/a', '/a\0b'].map((text) => [encodeURI(text), text]))(
  '%s is no absolute path',
  (_, text) => {
    expect(() => parseAbsolutePath(text)).toThrow(refusal);
  },
);
