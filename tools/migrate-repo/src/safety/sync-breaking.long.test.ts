import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { FAULTS, type GitFault, GitWrapper } from './git-wrapper.fixture.js';
import { createSyncFixture, grow } from './sync.fixture.js';

const cleanUp = cleanUpIn(afterEach);

test.each<[GitFault, string]>([
  ['fail', ' fetch '],
  ['kill', ' update-ref -m'],
])('a sync with %s at "git%s" changes nothing, and the same command succeeds', async (fault, command) => {
  const { fixture, source } = await createSyncFixture();
  grow(source);
  const before = fixture.monorepo.snapshot();
  const broken = await fixture.run(['sync', 'left-pad'], { env: GitWrapper.on(cleanUp, `*"${command}"*`, FAULTS[fault]).env });
  expect(broken.code).not.toBe(0);
  expect(broken.code).not.toBe(70);
  const now = fixture.monorepo.snapshot();
  expect([now.head, now.index, now.worktree, now.config]).toEqual([before.head, before.index, before.worktree, before.config]);
  const again = await fixture.run(['sync', 'left-pad']);
  const isThere = again.stderr.includes('[TARGET_BRANCH_TAKEN]');
  expect({ code: isThere ? 0 : again.code, stderr: isThere || again.code === 0 ? '' : again.stderr }).toEqual({ code: 0, stderr: '' });
  expect((await fixture.run(['verify', 'left-pad', '--ref', 'sync/left-pad'])).code).toBe(0);
});

test.each<[GitFault, string]>([
  ['kill', ' checkout-index '],
  ['kill', ' update-ref refs/worktree'],
])('a conflict with %s at "git%s" is taken back, or says how', async (fault, command) => {
  const { fixture, source } = await createSyncFixture();
  fixture.monorepo.commit('Change it here', { files: { 'packages/left-pad/src/index.js': 'mine\n' } });
  grow(source);
  const before = fixture.monorepo.snapshot();
  const sync = ['sync', 'left-pad', '--worktree', join(fixture.home.path, 'conflict')];
  await fixture.run(sync, { env: GitWrapper.on(cleanUp, `*"${command}"*`, FAULTS[fault]).env });
  const now = fixture.monorepo.snapshot();
  expect([now.head, now.index, now.worktree, now.config]).toEqual([before.head, before.index, before.worktree, before.config]);
  const again = await fixture.run(sync);
  if (again.stderr.includes('[SYNC_UNFINISHED]')) {
    const gone = await fixture.run(['sync', 'left-pad', '--abort']);
    expect({ code: gone.code, stderr: gone.code === 0 ? '' : gone.stderr }).toEqual({ code: 0, stderr: '' });
    expect((await fixture.run(sync)).stdout).toContain('the merge conflicts');
  } else expect(again.stdout).toContain('the merge conflicts');
  await fixture.run(['sync', 'left-pad', '--abort']);
  expect(fixture.monorepo.snapshot().refs.filter((ref) => ref.includes('heads'))).toEqual(
    before.refs.filter((ref) => ref.includes('heads')),
  );
});
