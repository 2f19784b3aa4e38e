import { expect, test } from '@jest/globals';
import type { RemoteRef } from '@tributary/git/parse';
import { parseWorkspaceName } from '@tributary/model/ids';
import { parseRepoPath } from '@tributary/model/paths';
import { RepoUrl } from '@tributary/model/repo-url';
import { chooseMirrorRef, refuseFolder } from './mirror-refusals.js';

const to = new RepoUrl('path', '/mirror');
const id = 'a'.repeat(40) as RemoteRef['id'];
const main: RemoteRef = { ref: 'refs/heads/main', id };
const head: RemoteRef = { ref: 'HEAD', id, target: 'refs/heads/main' };

test.each([
  ['the one that was imported', 'refs/heads/main', [head, main], undefined, 'refs/heads/main'],
  ['the one that was imported, in an empty mirror', 'refs/heads/master', [], undefined, 'refs/heads/master'],
  ['main, in an empty mirror, of a source that stood on no branch', 'HEAD', [], undefined, 'refs/heads/main'],
  ['the one of its HEAD, where it was renamed', 'refs/heads/master', [head, main], undefined, 'refs/heads/main'],
  ['the one that is asked for', 'refs/heads/main', [head, main], 'next', 'refs/heads/next'],
  ['the one that was imported, beside tags alone', 'refs/heads/main', [{ ref: 'refs/tags/v1', id }], undefined, 'refs/heads/main'],
])('the branch of a mirror is %s', (_, sourceRef, announced, branch, expected) => {
  expect(chooseMirrorRef({ sourceRef }, announced, { branch, to })).toBe(expected);
});

test('a mirror that has branches and none of them is refused', () => {
  expect(() => chooseMirrorRef({ sourceRef: 'refs/heads/master' }, [main], { branch: undefined, to })).toThrow(
    /no branch master, and no default branch/,
  );
});

test('an import of a folder is refused', () => {
  const name = parseWorkspaceName('ui');
  expect(() => refuseFolder({ package: name, subdirectory: parseRepoPath('libs/ui') })).toThrow(
    /from the folder libs\/ui of its repository/,
  );
  expect(() => refuseFolder({ package: name, subdirectory: undefined })).not.toThrow();
});
