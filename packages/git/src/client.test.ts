import { chmodSync, chownSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { readWorkTreeState } from './client.js';
import { setVariable } from './git.fixture.js';

const cleanUp = cleanUpIn(afterEach);
const shared = cleanUpIn(afterAll);
const home = shared.add(new TempFolder());

beforeAll(() => {
  const before = { ...process.env };
  shared.defer(() => Object.assign(process.env, before));
  process.env['HOME'] = home.path;
  delete process.env['XDG_CONFIG_HOME'];
});

/** Creates a repository in which `main` has the file `a`. */
function create(): TempRepo {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('x', { files: { a: 'a\n', 'd/b': 'b\n', '.gitignore': '*.log\n' } });
  return repo;
}

/** Makes the index stale, as a checkout by another program does. git would then compare contents and rewrite the index. */
function makeStale(repo: TempRepo): void {
  utimesSync(join(repo.path, 'a'), 1_500_000_000, 1_500_000_000);
}

test('a clean work tree has nothing uncommitted', async () => {
  const repo = create();
  expect(await readWorkTreeState(repo.path)).toEqual({ uncommitted: [] });
  repo.git('checkout', '-q', '-b', 'feature/ü');
  expect(await readWorkTreeState(repo.path)).toEqual({ uncommitted: [] });
});

test('what differs and what is not tracked is listed in order, what is ignored is not', async () => {
  const repo = create();
  repo.write({ a: 'changed\n', 'd/b': null, 'new/x': 'x', 'new/y': 'y', 'x.log': 'x', 'ü "quoted".txt': 'x', staged: 'x', ' blank': 'x' });
  repo.git('add', 'staged');
  expect((await readWorkTreeState(repo.path)).uncommitted).toEqual([' blank', 'a', 'd/b', 'new/', 'staged', 'ü "quoted".txt']);
});

test('what the user ignores everywhere is not listed', async () => {
  home.write('.config/git/ignore', '*.swp\n');
  const repo = create();
  repo.write({ 'x.swp': 'x' });
  expect((await readWorkTreeState(repo.path)).uncommitted).toEqual([]);
});

test('a renamed file is listed under its new name', async () => {
  const repo = create();
  repo.git('mv', 'a', 'c');
  expect((await readWorkTreeState(repo.path)).uncommitted).toEqual(['c']);
});

test('a conflict is listed', async () => {
  const repo = create();
  repo.git('checkout', '-q', '-b', 'other');
  repo.commit('y', { files: { a: 'other\n' } });
  repo.checkout('main');
  repo.commit('z', { files: { a: 'main\n' } });
  expect(() => repo.git('merge', 'other')).toThrow();
  expect(await readWorkTreeState(repo.path)).toEqual({ uncommitted: ['a'] });
});

test('HEAD may be on no branch', async () => {
  const repo = create();
  repo.git('checkout', '-q', '--detach');
  repo.write({ a: 'x' });
  expect(await readWorkTreeState(repo.path)).toEqual({ uncommitted: ['a'] });
});

test('on an unborn branch everything is uncommitted', async () => {
  const repo = cleanUp.add(TempRepo.create());
  repo.write({ a: 'x' });
  expect(await readWorkTreeState(repo.path)).toEqual({ uncommitted: ['a'] });
});

test('a branch that follows another, ahead and behind, has nothing uncommitted for that', async () => {
  const source = create();
  const repo = cleanUp.add(TempRepo.cloneOf(source));
  source.commit('there');
  repo.git('fetch', '-q');
  repo.commit('here');
  expect(await readWorkTreeState(repo.path)).toEqual({ uncommitted: [] });
});

test('a linked work tree has its own state', async () => {
  const repo = create();
  const linked = cleanUp.add(new TempFolder()).join('linked');
  repo.git('worktree', 'add', '-q', '-b', 'side', linked);
  repo.write({ a: 'changed in the main one\n' });
  expect(await readWorkTreeState(linked)).toEqual({ uncommitted: [] });
  expect(await readWorkTreeState(repo.path)).toEqual({ uncommitted: ['a'] });
});

test('nothing is changed, not a byte of the index, although it is stale', async () => {
  const repo = create();
  makeStale(repo);
  const before = repo.snapshot();
  await readWorkTreeState(repo.path);
  expect(repo.snapshot()).toEqual(before);
  // Run directly, git writes the index.
  repo.git('status');
  expect(repo.snapshot().index).not.toBe(before.index);
});

test('no monitor and no hook of the repository is started', async () => {
  const repo = create();
  const traces = cleanUp.add(new TempFolder());
  for (const name of ['monitor', 'post-index-change']) {
    chmodSync(traces.write(name, `#!/bin/sh\necho ${name} >>'${traces.join('ran')}'\n`), 0o755);
  }
  repo.git('config', 'core.fsmonitor', traces.join('monitor'));
  repo.git('config', 'core.hooksPath', traces.path);
  makeStale(repo);
  traces.write('ran', '');
  expect(await readWorkTreeState(repo.path)).toEqual({ uncommitted: [] });
  expect(readFileSync(traces.join('ran'), 'utf8')).toBe('');
});

test('the variables of a hook do not lead to another repository', async () => {
  const [repo, other] = [create(), create()];
  other.write({ a: 'changed\n' });
  process.env['GIT_DIR'] = join(other.path, '.git');
  process.env['GIT_INDEX_FILE'] = join(other.path, '.git/index');
  cleanUp.defer(() => {
    delete process.env['GIT_DIR'];
    delete process.env['GIT_INDEX_FILE'];
  });
  expect(await readWorkTreeState(repo.path)).toEqual({ uncommitted: [] });
});

test('where no repository is, the failure has a name', async () => {
  const folder = cleanUp.add(new TempFolder()).path;
  await expect(readWorkTreeState(folder)).rejects.toMatchObject({
    code: 'GIT_FAILED',
    message: expect.stringContaining('not a git repository'),
  });
  await expect(readWorkTreeState(parseAbsolutePath(join(folder, 'gone')))).rejects.toMatchObject({ code: 'GIT_FAILED' });
});

(process.getuid?.() === 0 ? test : test.skip)('a repository of another user is read if a CI job trusts it', async () => {
  const repo = create();
  repo.write({ x: 'x' });
  chownSync(repo.path, 12_345, 12_345);
  await expect(readWorkTreeState(repo.path)).rejects.toMatchObject({ code: 'GIT_FAILED' });
  const trust = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };
  for (const [name, value] of Object.entries(trust)) setVariable(name, value, cleanUp);
  expect(await readWorkTreeState(repo.path)).toEqual({ uncommitted: ['x'] });
});
