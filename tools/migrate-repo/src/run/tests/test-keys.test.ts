import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { plumbing } from '@tributary/git/git';
import { parseAbsolutePath, type RepoFolder } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { readTestKeys } from './test-keys.js';

const cleanUp = cleanUpIn(afterEach);

test('a result holds while all files are the same that may decide it', async () => {
  const repo = cleanUp.add(TempRepo.create());
  const files = [
    'package.json',
    'yarn.lock',
    'scripts/test.js',
    '.yarn/patches/a',
    'packages/a/a.js',
    'packages/b/b.js',
    'packages/b/package.json',
  ];
  const start = repo.commit('Start', { files: Object.fromEntries(files.map((file) => [`project/${file}`, '1'])) });
  const members = ['', 'packages/a', 'packages/b'].map((path) => ({ name: path, path: path as RepoFolder }));
  const git = plumbing(parseAbsolutePath(join(repo.path, '.git')), { signal: new AbortController().signal });
  const keyAt = async (tip: typeof start): Promise<string> => {
    const closures = { of: () => ['packages/a' as RepoFolder] };
    const branch = { tip, root: 'project' as RepoFolder, members: members as never, closures };
    const keysOf = await readTestKeys(
      git,
      { level: 'test', script: 'test' },
      { sources: [{ name: 'a', commit: start, subdirectory: undefined }], branch },
    );
    return JSON.stringify(keysOf('a'));
  };
  const first = await keyAt(start);
  const changed: string[] = [];
  for (const file of [...files.map((name) => `project/${name}`), 'tsconfig.json']) {
    repo.checkout(start);
    if ((await keyAt(repo.commit(file, { files: { [file]: '2' } }))) !== first) changed.push(file);
  }
  expect(changed).toEqual([...files.filter((file) => file !== 'packages/b/b.js').map((name) => `project/${name}`), 'tsconfig.json']);
});
