import { afterAll, describe, expect, test } from '@jest/globals';
import { textAsName } from '@tributary/git/tree';
import { CleanUp } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { findUnportable, isUnsafeName } from './unportable-paths.js';

const cleanUp = new CleanUp();
afterAll(() => cleanUp.run());

const NAMES = [
  ...['.git', '.GIT', '.Git', 'git~1', 'GIT~1', '.git ', '.git.', '.git . .', 'git~1.', '.git:x', '.git::$INDEX_ALLOCATION', '.g\u200cit'],
  ...['a\\.git', '.git\\a', 'git~1\\b'],
  ...['git', '.gitx', '.git x', 'git~2', '.gitignore', '.gitmodules', 'git~10', '.git-', 'con', 'a:b', '. git', '.gıt', 'é', '...'],
];

test('a name is unsafe exactly where git, with all its protections, refuses to stage it', () => {
  const repo = cleanUp.add(TempRepo.create());
  const blob = repo.gitWithInput('x', 'hash-object', '-w', '--stdin');
  const settings = ['-c', 'core.protectNTFS=true', '-c', 'core.protectHFS=true'];
  const isRefused = (name: string, mode: string): boolean => {
    try {
      repo.git(...settings, 'update-index', '--add', '--cacheinfo', `${mode},${blob},packages/x/${name}`);
      return false;
    } catch {
      return true;
    }
  };
  const links = ['.gitmodules', '.GITMODULES', 'gitmod~1', '.gitmodules .', 'gitignore', '.gitattributes'];
  const cases = [...NAMES.map((name) => [name, '100644'] as const), ...links.map((name) => [name, '120000'] as const)];
  const verdicts = cases.map(([name, mode]) => ({ name, mode, unsafe: isUnsafeName(name, mode) }));
  expect(verdicts).toEqual(cases.map(([name, mode]) => ({ name, mode, unsafe: isRefused(name, mode) })));
});

describe('what Windows cannot check out', () => {
  test.each(['con', 'src/NUL.txt', 'aux', 'com1', 'lpt9.log', 'prn', 'a:b', 'a?', 'end.', 'end ', 'x/tab\t', 'a\\b', 'CONIN$'])(
    '%j',
    (path) => {
      expect(findUnportable([path, 'index.js']).windows).toEqual([path]);
    },
  );

  test.each(['console', 'com', 'com10', 'nullable.js', '.con', 'a.con', 'lpt', 'é'])('%j is fine', (path) => {
    expect(findUnportable([textAsName(path)])).toEqual({ windows: [], colliding: [] });
  });
});

describe('what becomes one path', () => {
  const cases: readonly (readonly [string, readonly string[], readonly (readonly string[])[]])[] = [
    ['files', ['README.md', 'Readme.md', 'src/a'], [['README.md', 'Readme.md']]],
    ['files in folders', ['A/x', 'a/X', 'a/y'], [['A/x', 'a/X']]],
    ['a file and a folder', ['Src', 'src/a'], [['Src', 'src']]],
    ['accents', ['e\u0301', '\u00e9'], [['e\u0301', '\u00e9']]],
    ['folders alone', ['A/x', 'a/y'], []],
  ];
  test.each(cases)('%s', (_, paths, expected) => {
    expect(findUnportable(paths.map(textAsName)).colliding).toEqual(expected);
  });
});
