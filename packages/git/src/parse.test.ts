import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { hasFileName, parseListedFiles, parseRawDiff, parseRemoteRefs, splitNul } from './parse.js';
import { textAsName } from './tree.js';

const cleanUp = cleanUpIn(afterAll);

test('pieces that end each with NUL are split, also empty ones', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', '\n', ' ', 'ü') });
  fc.assert(fc.property(fc.array(piece), (pieces) => expect(splitNul(pieces.map((one) => `${one}\0`).join(''))).toEqual(pieces)));
  expect(splitNul('a\0b')).toEqual(['a', 'b']);
});

describe('what a remote announces', () => {
  const repo = cleanUp.add(TempRepo.create());
  const announced = (...args: string[]): string => repo.git('ls-remote', '--symref', ...args, '.');

  test('is nothing for an empty one', () => {
    expect(parseRemoteRefs(announced())).toEqual([]);
    expect(parseRemoteRefs('')).toEqual([]);
  });

  test('is its refs in its order: HEAD with its branch, tag objects with what they are peeled to', () => {
    const commit = repo.commit('x');
    repo.branch('ü/x');
    repo.tag('light');
    const tag = repo.tag('v1', { message: 'x' });
    expect(parseRemoteRefs(announced())).toEqual([
      { ref: 'HEAD', id: commit, target: 'refs/heads/main' },
      { ref: 'refs/heads/main', id: commit },
      { ref: 'refs/heads/ü/x', id: commit },
      { ref: 'refs/tags/light', id: commit },
      { ref: 'refs/tags/v1', id: tag, peeled: commit },
    ]);
    repo.git('checkout', '-q', '--detach');
    expect(parseRemoteRefs(announced())[0]).toEqual({ ref: 'HEAD', id: commit });
    repo.git('symbolic-ref', 'HEAD', 'refs/heads/unborn');
    expect(parseRemoteRefs(announced()).map(({ ref }) => ref)).not.toContain('HEAD');
  });

  test('with an id that is none was misread', () => {
    expect(() => parseRemoteRefs('fatal\trefs/heads/x\n')).toThrow(expect.objectContaining({ code: 'GIT_FAILED' }));
  });
});

describe('the files of a commit', () => {
  const repo = cleanUp.add(TempRepo.create());
  const odd = 'a\tb "ü"\n';
  repo.write({ [odd]: 'x', run: { executable: 'xyz' }, link: { symlink: 'run' }, 'd/e/package.json': '{}' });
  repo.git('add', '-A');
  repo.git('update-index', '--add', '--cacheinfo', `160000,${'e'.repeat(40)},sub`);
  repo.git('commit', '-q', '-m', 'x');
  const listed = (...args: string[]) => parseListedFiles(repo.gitBytes('ls-tree', '-r', '-z', ...args, 'HEAD').toString('latin1'));

  test('are listed with mode, id and path, whatever stands in their names', () => {
    expect(listed()).toEqual([
      { mode: '100644', id: repo.gitWithInput('x', 'hash-object', '--stdin'), size: undefined, path: textAsName(odd) },
      { mode: '100644', id: repo.id('HEAD:d/e/package.json'), size: undefined, path: 'd/e/package.json' },
      { mode: '120000', id: repo.id('HEAD:link'), size: undefined, path: 'link' },
      { mode: '100755', id: repo.id('HEAD:run'), size: undefined, path: 'run' },
      { mode: '160000', id: 'e'.repeat(40), size: undefined, path: 'sub' },
    ]);
  });

  test('have their size where it was asked for, but a submodule has none', () => {
    expect(listed('-l').map(({ path, size }) => [path, size])).toEqual([
      [textAsName(odd), 1],
      ['d/e/package.json', 2],
      ['link', 3],
      ['run', 3],
      ['sub', undefined],
    ]);
  });

  test('are none where nothing is listed', () => {
    expect(parseListedFiles('')).toEqual([]);
  });
});

describe('the changes between two commits', () => {
  const line = (modes: string, status: string): string => `:${modes} ${'a'.repeat(40)} ${'b'.repeat(40)} ${status}`;

  test('have modes, ids and the path, in the order of git, whatever stands in the path', () => {
    const paths = ['a', 'b\nc', ':100644 x', 'd\te', 'ü', ' '];
    const output = paths.map((path) => `${line('100644 100755', 'M')}\0${path}\0`).join('');
    const rest = { oldMode: '100644', newMode: '100755', oldId: 'a'.repeat(40), newId: 'b'.repeat(40) };
    expect(parseRawDiff(output)).toEqual(paths.map((path) => ({ ...rest, path })));
  });

  test('may be none', () => {
    expect(parseRawDiff('')).toEqual([]);
  });

  test('that were cut off are an error, or fewer', () => {
    const whole = ['packages/a/x.ts', 'packages/b/y.ts', 'z'].map((path) => `${line('100644 100644', 'M')}\0${path}\0`).join('');
    const known = parseRawDiff(whole).map(({ path }) => path);
    for (let end = 1; end < whole.length - 1; end++) {
      const read = ((): readonly string[] => {
        try {
          return parseRawDiff(whole.slice(0, end)).map(({ path }) => path);
        } catch {
          return [];
        }
      })();
      // The last change may be cut short. git itself would have failed then, which is checked first.
      expect(known.slice(0, Math.max(read.length - 1, 0))).toEqual(read.slice(0, -1));
    }
    for (const text of ['x', `${line('100644 100644', 'M')}\0`, 'fatal: bad object\0x\0', `x\0${whole}`])
      expect(() => parseRawDiff(text)).toThrow("git's list of changes is cut off");
  });
});

test.each([
  ['package.json', 'package.json', true],
  ['a/package.json', 'package.json', true],
  ['a/not-package.json', 'package.json', false],
  ['package.json/a', 'package.json', false],
  [textAsName('a/ü'), 'ü', true],
])('that %s has the name %s is %s', (path, name, has) => {
  expect(hasFileName(path, name)).toBe(has);
});
