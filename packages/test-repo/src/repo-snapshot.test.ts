import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from './clean-up.js';
import type { RepoSnapshot } from './repo-snapshot.js';
import { TempRepo } from './temp-repo.js';

const cleanUp = cleanUpIn(afterEach);

function createRepo(): TempRepo {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('Start', { files: { 'a.txt': 'a', '.gitignore': 'ignored\n' } });
  repo.write({ ignored: 'x', untracked: 'y' });
  return repo;
}

test('taking it changes nothing, and reading with git neither', () => {
  const repo = createRepo();
  const before = repo.snapshot();
  repo.git('log');
  repo.git('pack-refs', '--all');
  expect(repo.snapshot()).toEqual(before);
  expect(before).toMatchObject({
    head: 'ref: refs/heads/main',
    refs: [`${repo.id('HEAD')} commit refs/heads/main`],
    status: ['?? untracked'],
    hooks: [],
  });
});

const changes: readonly [keyof RepoSnapshot, (repo: TempRepo) => void][] = [
  ['head', (repo) => repo.git('symbolic-ref', 'HEAD', 'refs/heads/other')],
  ['refs', (repo) => repo.branch('other')],
  ['index', (repo) => repo.git('add', 'untracked')],
  ['status', (repo) => repo.write({ 'a.txt': 'changed' })],
  ['config', (repo) => repo.git('config', 'remote.x.promisor', 'true')],
  ['hooks', (repo) => repo.write({ '.git/hooks/pre-commit': { executable: '#!/bin/sh\n' } })],
  ['gitFolder', (repo) => repo.write({ '.git/FETCH_HEAD': '' })],
  ['gitFolder', (repo) => writeFileSync(join(repo.path, '.git/refs/heads/main.lock'), '')],
  ['worktree', (repo) => repo.write({ ignored: 'changed' })],
  ['worktree', (repo) => repo.write({ 'a.txt': { executable: 'a' } })],
  ['worktree', (repo) => repo.write({ 'a.txt': { symlink: 'a' } })],
  ['worktree', (repo) => mkdirSync(join(repo.path, 'empty'))],
];

test.each(changes)('a change is seen in %s', (part, change) => {
  const repo = createRepo();
  const before = repo.snapshot()[part];
  change(repo);
  expect(repo.snapshot()[part]).not.toEqual(before);
});

test('a bare repository has neither index, status nor worktree', () => {
  const repo = cleanUp.add(TempRepo.create({ bare: true }));
  expect(repo.snapshot()).toMatchObject({ head: 'ref: refs/heads/main', refs: [], index: 'absent', status: [], worktree: {} });
});
