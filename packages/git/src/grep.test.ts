import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { AbsolutePath, RepoFolder } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { plumbing } from './git.js';
import { findFilesWith, type SearchedFor } from './grep.js';

const cleanUp = cleanUpIn(afterAll);

function repoWith(files: Files): TempRepo {
  const repo = cleanUp.add(TempRepo.create());
  repo.write(files);
  repo.commit('Start');
  return repo;
}

function search(repo: TempRepo, asked: Omit<SearchedFor, 'project'> & { project?: string }): ReturnType<typeof findFilesWith> {
  const git = plumbing(`${repo.path}/.git` as AbsolutePath);
  return findFilesWith(git, repo.id('HEAD'), { ...asked, project: (asked.project ?? '') as RepoFolder });
}

describe('files that hold a word', () => {
  const files = {
    'a.js': 'one\n',
    'sub/b.js': 'two\n',
    'sub/c d.js': 'one two\n',
    'sub/deep/Makefile': 'one\n',
    'x.png': 'one\n',
    'n.bin': 'one\0\n',
  };

  test('are found in the whole commit, without pictures and binary files', async () => {
    const repo = repoWith(files);
    expect(await search(repo, { words: ['one'] })).toEqual({ files: ['a.js', 'sub/c d.js', 'sub/deep/Makefile'], unreadable: [] });
    expect((await search(repo, { words: ['one', 'two'] })).files).toHaveLength(4);
  });

  test('count from the folder of the project', async () => {
    expect((await search(repoWith(files), { words: ['one', 'two'], project: 'sub' })).files).toEqual(['b.js', 'c d.js', 'deep/Makefile']);
  });

  test('can be looked for in some files alone', async () => {
    const repo = repoWith(files);
    expect((await search(repo, { words: ['one'], within: ['**/Makefile', '*.js'] })).files).toEqual(['a.js', 'sub/deep/Makefile']);
    expect((await search(repo, { words: ['one'], project: 'sub', within: ['deep/**'] })).files).toEqual(['deep/Makefile']);
  });

  test('are none for no words, and for words that are nowhere', async () => {
    const repo = repoWith(files);
    expect(await search(repo, { words: [] })).toEqual({ files: [], unreadable: [] });
    expect(await search(repo, { words: ['-three'] })).toEqual({ files: [], unreadable: [] });
  });
});

test('a file that the clone lacks is named', async () => {
  const repo = repoWith({ 'a.js': 'one\n', 'b.js': 'two\n' });
  const id = repo.id('HEAD:b.js');
  rmSync(`${repo.path}/.git/objects/${id.slice(0, 2)}/${id.slice(2)}`, { force: true });
  expect(await search(repo, { words: ['one'] })).toEqual({ files: ['a.js'], unreadable: ['b.js'] });
});

test('a partial clone is refused', async () => {
  const repo = repoWith({ 'a.js': 'one\n' });
  repo.git('config', 'remote.origin.promisor', 'true');
  await expect(search(repo, { words: ['one'] })).rejects.toMatchObject({ code: 'GIT_FAILED' });
});
