import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { type Git, plumbing } from '@tributary/git/git';
import type { CommitId } from '@tributary/model/ids';
import { parseAbsolutePath, parseRepoPath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { type FolderTrace, traceFolder } from './folder-trace.js';

const cleanUp = cleanUpIn(afterEach);
const PATH = parseRepoPath('packages/a');
const LONG = `${'line\n'.repeat(20)}`;

function start(): { readonly repo: TempRepo; readonly git: Git } {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('Start', { files: { 'x.txt': '' } });
  return { repo, git: plumbing(parseAbsolutePath(join(repo.path, '.git'))) };
}

/** Merges a branch that adds the folder, as an import does. */
function bring(repo: TempRepo): CommitId {
  repo.branch('side');
  repo.checkout('side');
  repo.commit('Theirs', { files: { 'packages/a/package.json': LONG, 'packages/a/index.js': '1' } });
  repo.checkout('main');
  return repo.merge('side', 'Bring');
}

function trace(repo: TempRepo, git: Git, landing: CommitId | undefined): Promise<FolderTrace> {
  const landings = new Set(landing === undefined ? [] : [landing]);
  return traceFolder(git, repo.id('main'), { path: PATH, landings, since: landing });
}

test('a folder is followed to the merge that brought it, however often it was changed, taken away and put back, or moved', async () => {
  const { repo, git } = start();
  expect(await trace(repo, git, undefined)).toEqual({ state: 'never' });
  const landing = bring(repo);
  repo.commit('Change', { files: { 'packages/a/package.json': `${LONG}more\n` } });
  expect(await trace(repo, git, landing)).toEqual({ state: 'here', origin: landing });
  expect(await trace(repo, git, undefined)).toEqual({ state: 'here', origin: landing });
  repo.git('rm', '-rq', 'packages/a');
  const removal = repo.commit('Take away');
  expect(await trace(repo, git, landing)).toEqual({ state: 'gone', by: removal });
  repo.git('revert', '--no-edit', 'HEAD');
  expect(await trace(repo, git, landing)).toEqual({ state: 'here', origin: landing });
  repo.write({ 'libs/.keep': '' });
  repo.git('mv', 'packages/a', 'libs/a');
  const move = repo.commit('Move', { files: { 'libs/a/index.js': '2' } });
  expect(await trace(repo, git, landing)).toEqual({ state: 'moved', origin: landing, by: move, to: 'libs/a' });
  repo.write({ 'packages/.keep': '' });
  repo.git('mv', 'libs/a', 'packages/a');
  repo.commit('Move back', { files: { 'packages/a/index.js': '3' } });
  expect(await trace(repo, git, landing)).toEqual({ state: 'here', origin: landing });
});

test('a folder is followed to where it was moved in the end, and to its end there', async () => {
  const { repo, git } = start();
  const landing = bring(repo);
  for (const [from, to] of [
    ['packages/a', 'libs/a'],
    ['libs/a', 'libs/b'],
  ] as const) {
    repo.write({ 'libs/.keep': '' });
    repo.git('mv', from, to);
    repo.commit(`Move to ${to}`);
  }
  expect(await trace(repo, git, landing)).toEqual({ state: 'moved', origin: landing, by: repo.id('main'), to: 'libs/b' });
  repo.git('rm', '-rq', 'libs/b');
  const by = repo.commit('Take away');
  expect(await trace(repo, git, landing)).toEqual({ state: 'gone', by });
});

test('a folder that was made anew has another origin', async () => {
  const { repo, git } = start();
  const landing = bring(repo);
  repo.git('rm', '-rq', 'packages/a');
  repo.commit('Take away');
  const anew = repo.commit('Anew', { files: { 'packages/a/package.json': LONG, 'packages/a/other.js': '1' } });
  expect(await trace(repo, git, landing)).toEqual({ state: 'here', origin: anew });
  repo.commit('Later', { files: { 'x.txt': '2' } });
  expect(await trace(repo, git, landing)).toEqual({ state: 'here', origin: anew });
});

test('a folder that was there before the import has another origin, even if it was moved since', async () => {
  const { repo, git } = start();
  repo.branch('early');
  const squashed = repo.commit('Squash', { files: { 'packages/a/package.json': LONG, 'packages/a/index.js': '1' } });
  repo.git('checkout', '-q', 'early');
  const landing = bring(repo);
  expect(await trace(repo, git, landing)).toEqual({ state: 'here', origin: squashed });
  repo.write({ 'libs/.keep': '' });
  repo.git('mv', 'packages/a', 'libs/a');
  const by = repo.commit('Move');
  expect(await trace(repo, git, landing)).toEqual({ state: 'moved', origin: squashed, by, to: 'libs/a' });
});

test('a file that was there before the import does not make the folder', async () => {
  const { repo, git } = start();
  repo.commit('Announce', { files: { 'packages/a/README.md': 'soon' } });
  const landing = bring(repo);
  expect(await trace(repo, git, undefined)).toEqual({ state: 'here', origin: landing });
});

test('the first commit of all may have brought it', async () => {
  const repo = cleanUp.add(TempRepo.create());
  const git = plumbing(parseAbsolutePath(join(repo.path, '.git')));
  const first = repo.commit('Start', { files: { 'packages/a/package.json': LONG } });
  expect(await trace(repo, git, undefined)).toEqual({ state: 'here', origin: first });
});
