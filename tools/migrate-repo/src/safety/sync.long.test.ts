import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { StatusResult } from '../result/import-result.js';
import type { SyncResult } from '../result/result.js';
import { createScene, createSource, failureOf, type MigrationScene } from './scene.fixture.js';
import { createSyncScene, expectProven, fileAt, grow, importedTip, syncIn, tagsOf } from './sync.fixture.js';

const cleanUp = cleanUpIn(afterEach);

function land(scene: MigrationScene, branch: string): void {
  scene.monorepo.merge(branch, `Merge ${branch}`);
  scene.monorepo.git('branch', '--quiet', '-D', branch);
}

test.each([
  ['--exact', '--tags', 'pad-{version}'],
  ['--strategy', 'merge', '--no-tags'],
])('a sync goes on as the import began: %s %s %s', async (...options) => {
  const given = options.filter((option) => option !== undefined);
  const { scene, source } = await createSyncScene(cleanUp, given);
  grow(source);
  const done = await syncIn(scene);
  const direct = createScene(cleanUp);
  await direct.accepted(['left-pad', '--from', source.path, ...given]);
  const isMerge = given.includes('merge');
  // With `merge`, the commit that moves the files is new each time; the commits before it are the source's.
  const tips = [scene, direct].map(
    ({ monorepo }, at) => importedTip(monorepo, at === 0 ? 'sync/left-pad' : 'migrate/left-pad') + (isMerge ? '^1' : ''),
  );
  expect(scene.monorepo.id(tips[0] ?? '')).toBe(direct.monorepo.id(tips[1] ?? ''));
  expect(done).toMatchObject({ state: 'synced', commits: 3, strategy: isMerge ? 'merge' : 'rewrite' });
  expect(tagsOf(scene.monorepo)).toEqual(tagsOf(direct.monorepo));
  expect(scene.monorepo.id('sync/left-pad:packages/left-pad')).toBe(direct.monorepo.id('migrate/left-pad:packages/left-pad'));
  land(scene, 'sync/left-pad');
  expectProven((await scene.run(['verify', '--all'])).stdout);
  expectProven((await scene.run(['verify', '--all', '--refetch'])).stdout);
  expect(await syncIn(scene)).toMatchObject({ state: 'nothing new' });
  source.commit('Once more', { files: { 'src/index.js': '3\n' } });
  expect(await syncIn(scene)).toMatchObject({ state: 'synced', commits: 1 });
});

test('a folder of the source is synced alone; commits beside it are nothing new', async () => {
  const source = cleanUp.add(TempRepo.create());
  const manifest = formatManifest({ name: '@acme/ui', version: '1.0.0' });
  source.commit('Start', { files: { 'libs/ui/package.json': manifest, 'libs/ui/a.js': 'a\n', 'b.js': 'b\n' } });
  const scene = createScene(cleanUp);
  await scene.accepted(['@acme/ui', '--from', source.path, '--subdirectory', 'libs/ui']);
  land(scene, 'migrate/@acme/ui');
  source.commit('Beside', { files: { 'b.js': 'c\n' } });
  const sync = async (...args: readonly string[]): Promise<SyncResult> =>
    JSON.parse((await scene.accepted(['sync', '@acme/ui', '--json', ...args])).stdout) as SyncResult;
  expect(await sync()).toMatchObject({ state: 'nothing new', commits: 0 });
  source.git('tag', 'v1.0.0');
  expect(await sync()).toMatchObject({ state: 'tags', tags: ['@acme/ui@1.0.0'], branch: null });
  source.commit('Inside', { files: { 'libs/ui/a.js': 'b\n' } });
  const done = await sync();
  expect(done).toMatchObject({ state: 'synced', commits: 1, branch: 'sync/@acme/ui', proof: { method: 'compared' } });
  const direct = createScene(cleanUp);
  await direct.accepted(['@acme/ui', '--from', source.path, '--subdirectory', 'libs/ui']);
  expect(done.importedTip).toBe(importedTip(direct.monorepo, 'migrate/@acme/ui'));
  land(scene, 'sync/@acme/ui');
  expectProven((await scene.run(['verify', '--all', '--refetch'])).stdout);
});

test('another branch of the source lives on a branch of its own, and is synced from there', async () => {
  const { scene, source } = await createSyncScene(cleanUp);
  grow(source);
  source.git('checkout', '--quiet', '-b', 'release-1', 'v1.1.0');
  source.commit('Mend', { files: { 'mend.js': '1\n' } });
  source.git('checkout', '--quiet', 'main');
  scene.monorepo.commit('Local', { files: { 'packages/left-pad/local.js': '1\n' } });
  const release = await syncIn(scene, ['--source-branch', 'release-1']);
  expect(release).toMatchObject({ state: 'synced', branch: 'release/left-pad-1', sourceRef: 'refs/heads/release-1', commits: 1 });
  expect(fileAt(scene.monorepo, 'release/left-pad-1', 'packages/left-pad/mend.js')).toBe('1');
  expect(fileAt(scene.monorepo, 'release/left-pad-1', 'packages/left-pad/local.js')).toBe('1');
  await scene.refused('TARGET_BRANCH_TAKEN', ['sync', 'left-pad', '--source-branch', 'release-1']);
  expect(await syncIn(scene)).toMatchObject({ state: 'synced', branch: 'sync/left-pad', commits: 3 });
  await scene.refused('USAGE', ['discard', 'left-pad']);
  source.git('checkout', '--quiet', 'release-1');
  source.commit('Mend more', { files: { 'mend.js': '2\n' } });
  scene.monorepo.checkout('release/left-pad-1');
  const again = await syncIn(scene);
  expect(again).toMatchObject({ state: 'synced', branch: 'sync/left-pad-release-1', commits: 1, sourceRef: 'refs/heads/release-1' });
  land(scene, 'sync/left-pad-release-1');
  expectProven((await scene.run(['verify', '--all'])).stdout);
});

test('a squashed sync is lost history, and another sync brings it', async () => {
  const { scene, source } = await createSyncScene(cleanUp);
  grow(source);
  await syncIn(scene);
  scene.monorepo.git('merge', '--quiet', '--squash', 'sync/left-pad');
  scene.monorepo.git('commit', '--quiet', '--no-edit');
  scene.monorepo.git('branch', '--quiet', '-D', 'sync/left-pad');
  const verify = await scene.run(['verify', '--all']);
  expect([verify.code, verify.stdout]).toEqual([1, expect.stringContaining('1 import proven, 1 not')]);
  const status = JSON.parse((await scene.run(['status', '--json'])).stdout) as StatusResult;
  expect(status.imports.map(({ state }) => state).sort()).toEqual(['merged', 'squashed']);
  expect(await syncIn(scene)).toMatchObject({ state: 'synced', commits: 3, conflicts: [] });
  land(scene, 'sync/left-pad');
  expectProven((await scene.run(['verify', '--all'])).stdout);
});

test('a branch that was renamed is followed, a shallow source and an import that waits are refused', async () => {
  const { scene, source } = await createSyncScene(cleanUp);
  grow(source);
  source.git('branch', '--move', 'main', 'trunk');
  expect(await syncIn(scene, ['--dry-run'])).toMatchObject({ sourceRef: 'refs/heads/trunk', warnings: [expect.stringContaining('trunk')] });
  const shallow = cleanUp.add(TempRepo.cloneOf(source, '--depth=1', '--no-local'));
  await scene.refused('SOURCE_SHALLOW', ['sync', 'left-pad', '--from', shallow.path]);
  const other = createScene(cleanUp);
  await other.accepted(['left-pad', '--from', source.path]);
  await other.refused('PROOF_MISSING', ['sync', 'left-pad']);
});

test('a package that was taken away and imported again is synced from its second import', async () => {
  const { scene, source } = await createSyncScene(cleanUp);
  scene.monorepo.git('rm', '-rq', 'packages/left-pad');
  scene.monorepo.commit('Take it away');
  expect(failureOf(await scene.run(['sync', 'left-pad']))).toEqual({ exit: 1, code: 'PROOF_MISSING' });
  grow(source);
  await scene.accepted(['left-pad', '--from', source.path]);
  land(scene, 'migrate/left-pad');
  source.commit('Once more', { files: { 'src/index.js': '3\n' } });
  expect(await syncIn(scene)).toMatchObject({ state: 'synced', commits: 1 });
});

test('a dirty work tree stays as it is', async () => {
  const { scene, source } = await createSyncScene(cleanUp);
  grow(source);
  scene.monorepo.write({ 'packages/left-pad/src/index.js': 'dirty\n', 'new.js': '' });
  expect(await syncIn(scene)).toMatchObject({ state: 'synced' });
});

test('a source that has no tags and one more package is synced with its own name', async () => {
  const scene = createScene(cleanUp);
  const [one, two] = [createSource(cleanUp, 'one'), createSource(cleanUp, 'two')];
  await scene.accepted(['one', '--from', one.path]);
  land(scene, 'migrate/one');
  await scene.accepted(['two', '--from', two.path]);
  land(scene, 'migrate/two');
  one.commit('Grow', { files: { 'src/index.js': 'one\n' } });
  const { stdout } = await scene.accepted(['sync', 'one', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'synced', branch: 'sync/one' });
  expect(scene.monorepo.id('sync/one:packages/two')).toBe(scene.monorepo.id('HEAD:packages/two'));
});
