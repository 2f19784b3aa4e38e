import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { FATES, type GitFate, GitWrapper } from './git-wrapper.fixture.js';
import { createSyncScene, grow } from './sync.fixture.js';

const cleanUp = cleanUpIn(afterEach);

test.each<[GitFate, string]>([
  ['fail', ' fetch '],
  ['kill', ' update-ref -m'],
])('a sync with %s at "git%s" changes nothing, and the same command succeeds', async (fate, command) => {
  const { scene, source } = await createSyncScene(cleanUp);
  grow(source);
  const before = scene.monorepo.snapshot();
  const broken = await scene.run(['sync', 'left-pad'], { env: GitWrapper.on(cleanUp, `*"${command}"*`, FATES[fate]).env });
  expect(broken.code).not.toBe(0);
  expect(broken.code).not.toBe(70);
  const now = scene.monorepo.snapshot();
  expect([now.head, now.index, now.worktree, now.config]).toEqual([before.head, before.index, before.worktree, before.config]);
  const again = await scene.run(['sync', 'left-pad']);
  const isThere = again.stderr.includes('[TARGET_BRANCH_TAKEN]');
  expect({ code: isThere ? 0 : again.code, stderr: isThere || again.code === 0 ? '' : again.stderr }).toEqual({ code: 0, stderr: '' });
  expect((await scene.run(['verify', 'left-pad', '--ref', 'sync/left-pad'])).code).toBe(0);
});

test.each<[GitFate, string]>([
  ['kill', ' checkout-index '],
  ['kill', ' update-ref refs/worktree'],
])('a conflict with %s at "git%s" is taken back, or says how', async (fate, command) => {
  const { scene, source } = await createSyncScene(cleanUp);
  scene.monorepo.commit('Change it here', { files: { 'packages/left-pad/src/index.js': 'mine\n' } });
  grow(source);
  const before = scene.monorepo.snapshot();
  const sync = ['sync', 'left-pad', '--worktree', join(scene.home.path, 'conflict')];
  await scene.run(sync, { env: GitWrapper.on(cleanUp, `*"${command}"*`, FATES[fate]).env });
  const now = scene.monorepo.snapshot();
  expect([now.head, now.index, now.worktree, now.config]).toEqual([before.head, before.index, before.worktree, before.config]);
  const again = await scene.run(sync);
  if (again.stderr.includes('[SYNC_UNFINISHED]')) {
    const gone = await scene.run(['sync', 'left-pad', '--abort']);
    expect({ code: gone.code, stderr: gone.code === 0 ? '' : gone.stderr }).toEqual({ code: 0, stderr: '' });
    expect((await scene.run(sync)).stdout).toContain('the merge conflicts');
  } else expect(again.stdout).toContain('the merge conflicts');
  await scene.run(['sync', 'left-pad', '--abort']);
  expect(scene.monorepo.snapshot().refs.filter((ref) => ref.includes('heads'))).toEqual(before.refs.filter((ref) => ref.includes('heads')));
});
