import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { plumbing } from '@tributary/git/git';
import type { CommitId } from '@tributary/model/ids';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { findMerges } from './imports.js';

const cleanUp = cleanUpIn(afterEach);

test('each import is brought by the first merge of the own line that contains it, whatever that merge brings beside it', async () => {
  const repo = cleanUp.add(TempRepo.create());
  const git = plumbing(parseAbsolutePath(join(repo.path, '.git')));
  const commits = new Map<string, string>();
  const commit = (name: string): void => void commits.set(name, repo.commit(name));
  const merge = (branch: string, name: string): void => {
    repo.merge(branch, name);
    commits.set(name, repo.id('HEAD'));
  };
  const on = (branch: string, ...names: readonly string[]): void => {
    repo.branch(branch);
    repo.checkout(branch);
    for (const name of names) commit(name);
  };
  commit('start');
  on('two', 'a', 'b');
  repo.checkout('main');
  commit('between');
  merge('two', 'brings a and b');
  on('late', 'c');
  repo.checkout('main');
  on('outer', 'before');
  merge('late', 'inner');
  repo.checkout('main');
  commit('own');
  merge('outer', 'brings c');
  repo.branch('again', 'two');
  commit('last');
  on('waiting', 'd');
  repo.checkout('main');

  const asked = [
    ...['a', 'b', 'c', 'own', 'start'].map((name) => ({ name, branch: undefined })),
    { name: 'd', branch: 'refs/heads/waiting' as never },
  ];
  const imports = asked.map(({ name, branch }) => ({ merge: commits.get(name) as CommitId, branch }));
  const found = await findMerges(git, imports, { head: repo.id('main') });
  const names = new Map([...commits].map(([name, id]) => [id, name]));
  expect([...found].map(([one, by]) => `${names.get(one)}: ${names.get(by)}`)).toEqual([
    'a: brings a and b',
    'b: brings a and b',
    'c: brings c',
  ]);
  const [, , c] = imports;
  expect([...(await findMerges(git, c === undefined ? [] : [c], { head: repo.id('main') })).values()]).toEqual([commits.get('brings c')]);
  expect(await findMerges(git, [], { head: repo.id('main') })).toEqual(new Map());
});
