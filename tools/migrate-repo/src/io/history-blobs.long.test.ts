import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { plumbing } from '@tributary/git/git';
import { parseAbsolutePath, type RepoPath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { findOddBlobs } from './history-blobs.js';
import { openRepository } from './target.js';

const cleanUp = cleanUpIn(afterEach);

test('large files and pointers of Git LFS are found in every commit, of the folder that comes', async () => {
  const source = cleanUp.add(TempRepo.create());
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'1'.repeat(64)}\nsize 10\n`;
  const large = '\0'.repeat(50 * 1024 * 1024);
  source.commit('Add', {
    files: {
      'a/big.bin': large,
      'a/model.dat': pointer,
      'b/model.dat': pointer.replace('sha256:1', 'sha256:2'),
      'a/small': 'x'.repeat(150),
    },
  });
  source.git('rm', '-q', '-r', 'a/big.bin', 'a/model.dat', 'b');
  source.commit('Remove', { files: {} });
  source.git('update-ref', 'refs/source/branch', 'HEAD');
  const signal = new AbortController().signal;
  const git = plumbing(parseAbsolutePath(join(source.path, '.git')), { signal });
  const target = await openRepository(parseAbsolutePath(source.path), signal);
  const big = [{ path: 'a/big.bin', size: large.length }];
  expect(await findOddBlobs(git, target, undefined)).toEqual({ large: big, missingLfs: ['a/model.dat', 'b/model.dat'] });
  expect(await findOddBlobs(git, target, 'a' as RepoPath)).toEqual({ large: big, missingLfs: ['a/model.dat'] });
  expect(await findOddBlobs(git, target, 'c' as RepoPath)).toEqual({ large: [], missingLfs: [] });
});
