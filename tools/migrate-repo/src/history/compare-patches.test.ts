import { afterEach, expect, test } from '@jest/globals';
import { plumbing } from '@tributary/git/git';
import type { RepoPath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { findChangedPatch } from './compare-patches.js';

const cleanUp = cleanUpIn(afterEach);

test('a commit whose patch, files, author or date differ from what it was is found', async () => {
  const repo = cleanUp.add(TempRepo.create());
  const git = plumbing(`${repo.path}/.git` as typeof repo.path);
  const folders = { format: 'sha1', subdirectory: undefined, path: 'packages/x' as RepoPath } as const;
  const make = (prefix: string, text: string, environment = {}): void =>
    void repo.commit('Change', { files: { [`${prefix}a.txt`]: text, [`${prefix}b.bin`]: Buffer.from([0, 255]) }, environment });
  const at = { GIT_AUTHOR_DATE: '@1600000000 +0000', GIT_COMMITTER_DATE: '@1600000000 +0000' };
  const start = repo.commit('Start');
  make('', 'one\n', at);
  const source = repo.id('HEAD');
  const image = (text: string, more = {}): ReturnType<typeof repo.id> => {
    repo.git('checkout', '--quiet', start);
    make('packages/x/', text, { ...at, ...more });
    return repo.id('HEAD');
  };
  const find = (one: ReturnType<typeof repo.id>): Promise<string | undefined> => findChangedPatch(git, [{ source, image: one }], folders);
  expect(await find(image('one\n'))).toBeUndefined();
  expect(await find(image('two\n'))).toMatch(/its patch differs$/);
  expect(await find(image('one\n', { GIT_AUTHOR_NAME: 'Eve' }))).toMatch(/its author, its committer or a date differs$/);
  expect(await find(image('one\n', { GIT_AUTHOR_DATE: '@1600000001 +0000' }))).toMatch(/a date differs$/);
  expect(await find(image('one\n', { GIT_COMMITTER_DATE: '@1600000000 +0100' }))).toMatch(/a date differs$/);
  repo.git('checkout', '--quiet', start);
  make('', 'one\n', at);
  expect(await find(repo.id('HEAD'))).toMatch(/its patch differs$/);
  // The same patch beside other files: only the trees tell them apart.
  repo.git('checkout', '--quiet', start);
  repo.commit('Before', { files: { 'packages/x/other.txt': '1\n' } });
  make('packages/x/', 'one\n', at);
  expect(await find(repo.id('HEAD'))).toMatch(/its content differs$/);
});
