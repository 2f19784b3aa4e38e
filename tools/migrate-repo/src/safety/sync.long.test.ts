import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { StatusResult } from '../result/import-result.js';
import type { SyncResult } from '../result/result.js';
import { createFixture, createSource, failureOf, type MigrationFixture } from './migration.fixture.js';
import { createSyncFixture, expectProven, fileAt, grow, importedTip, syncIn, tagsOf } from './sync.fixture.js';

const cleanUp = cleanUpIn(afterEach);

function land(fixture: MigrationFixture, branch: string): void {
  fixture.monorepo.merge(branch, `Merge ${branch}`);
  fixture.monorepo.git('branch', '--quiet', '-D', branch);
}

test.each([
  ['--exact', '--tags', 'pad-{version}'],
  ['--strategy', 'merge', '--no-tags'],
])('a sync goes on as the import began: %s %s %s', async (...options) => {
  const given = options.filter((option) => option !== undefined);
  const { fixture, source } = await createSyncFixture(given);
  grow(source);
  const done = await syncIn(fixture);
  const direct = createFixture(cleanUp);
  await direct.accepted(['left-pad', '--from', source.path, ...given]);
  const isMerge = given.includes('merge');
  // With `merge`, the commit that moves the files is new each time; the commits before it are the source's.
  const tips = [fixture, direct].map(
    ({ monorepo }, at) => importedTip(monorepo, at === 0 ? 'sync/left-pad' : 'migrate/left-pad') + (isMerge ? '^1' : ''),
  );
  expect(fixture.monorepo.id(tips[0] ?? '')).toBe(direct.monorepo.id(tips[1] ?? ''));
  expect(done).toMatchObject({ state: 'synced', commits: 3, strategy: isMerge ? 'merge' : 'rewrite' });
  expect(tagsOf(fixture.monorepo)).toEqual(tagsOf(direct.monorepo));
  expect(fixture.monorepo.id('sync/left-pad:packages/left-pad')).toBe(direct.monorepo.id('migrate/left-pad:packages/left-pad'));
  land(fixture, 'sync/left-pad');
  expectProven((await fixture.run(['verify', '--all'])).stdout);
  expectProven((await fixture.run(['verify', '--all', '--refetch'])).stdout);
  expect(await syncIn(fixture)).toMatchObject({ state: 'nothing new' });
  source.commit('Once more', { files: { 'src/index.js': '3\n' } });
  expect(await syncIn(fixture)).toMatchObject({ state: 'synced', commits: 1 });
});

test('a folder of the source is synced alone; commits beside it are nothing new', async () => {
  const source = cleanUp.add(TempRepo.create());
  const manifest = formatManifest({ name: '@acme/ui', version: '1.0.0' });
  source.commit('Start', { files: { 'libs/ui/package.json': manifest, 'libs/ui/a.js': 'a\n', 'b.js': 'b\n' } });
  const fixture = createFixture(cleanUp);
  await fixture.accepted(['@acme/ui', '--from', source.path, '--subdirectory', 'libs/ui']);
  land(fixture, 'migrate/@acme/ui');
  source.commit('Beside', { files: { 'b.js': 'c\n' } });
  const sync = async (...args: readonly string[]): Promise<SyncResult> =>
    JSON.parse((await fixture.accepted(['sync', '@acme/ui', '--json', ...args])).stdout) as SyncResult;
  expect(await sync()).toMatchObject({ state: 'nothing new', commits: 0 });
  source.git('tag', 'v1.0.0');
  expect(await sync()).toMatchObject({ state: 'tags', tags: ['@acme/ui@1.0.0'], branch: null });
  source.commit('Inside', { files: { 'libs/ui/a.js': 'b\n' } });
  const done = await sync();
  expect(done).toMatchObject({ state: 'synced', commits: 1, branch: 'sync/@acme/ui', proof: { method: 'compared' } });
  const direct = createFixture(cleanUp);
  await direct.accepted(['@acme/ui', '--from', source.path, '--subdirectory', 'libs/ui']);
  expect(done.importedTip).toBe(importedTip(direct.monorepo, 'migrate/@acme/ui'));
  land(fixture, 'sync/@acme/ui');
  expectProven((await fixture.run(['verify', '--all', '--refetch'])).stdout);
});

test('another branch of the source lives on a branch of its own, and is synced from there', async () => {
  const { fixture, source } = await createSyncFixture();
  grow(source);
  source.git('checkout', '--quiet', '-b', 'release-1', 'v1.1.0');
  source.commit('Mend', { files: { 'mend.js': '1\n' } });
  source.git('checkout', '--quiet', 'main');
  fixture.monorepo.commit('Local', { files: { 'packages/left-pad/local.js': '1\n' } });
  const release = await syncIn(fixture, ['--source-branch', 'release-1']);
  expect(release).toMatchObject({ state: 'synced', branch: 'release/left-pad-1', sourceRef: 'refs/heads/release-1', commits: 1 });
  expect(fileAt(fixture.monorepo, 'release/left-pad-1', 'packages/left-pad/mend.js')).toBe('1');
  expect(fileAt(fixture.monorepo, 'release/left-pad-1', 'packages/left-pad/local.js')).toBe('1');
  await fixture.refused('TARGET_BRANCH_TAKEN', ['sync', 'left-pad', '--source-branch', 'release-1']);
  expect(await syncIn(fixture)).toMatchObject({ state: 'synced', branch: 'sync/left-pad', commits: 3 });
  await fixture.refused('USAGE', ['discard', 'left-pad']);
  source.git('checkout', '--quiet', 'release-1');
  source.commit('Mend more', { files: { 'mend.js': '2\n' } });
  fixture.monorepo.checkout('release/left-pad-1');
  const again = await syncIn(fixture);
  expect(again).toMatchObject({ state: 'synced', branch: 'sync/left-pad-release-1', commits: 1, sourceRef: 'refs/heads/release-1' });
  land(fixture, 'sync/left-pad-release-1');
  expectProven((await fixture.run(['verify', '--all'])).stdout);
});

test('a squashed sync is lost history, and another sync brings it', async () => {
  const { fixture, source } = await createSyncFixture();
  grow(source);
  await syncIn(fixture);
  fixture.monorepo.git('merge', '--quiet', '--squash', 'sync/left-pad');
  fixture.monorepo.git('commit', '--quiet', '--no-edit');
  fixture.monorepo.git('branch', '--quiet', '-D', 'sync/left-pad');
  const verify = await fixture.run(['verify', '--all']);
  expect([verify.code, verify.stdout]).toEqual([1, expect.stringContaining('1 import proven, 1 not')]);
  const status = JSON.parse((await fixture.run(['status', '--json'])).stdout) as StatusResult;
  expect(status.imports.map(({ state }) => state).sort()).toEqual(['merged', 'squashed']);
  expect(await syncIn(fixture)).toMatchObject({ state: 'synced', commits: 3, conflicts: [] });
  land(fixture, 'sync/left-pad');
  expectProven((await fixture.run(['verify', '--all'])).stdout);
});

test('a branch that was renamed is followed, a shallow source and an import that waits are refused', async () => {
  const { fixture, source } = await createSyncFixture();
  grow(source);
  source.git('branch', '--move', 'main', 'trunk');
  expect(await syncIn(fixture, ['--dry-run'])).toMatchObject({
    sourceRef: 'refs/heads/trunk',
    warnings: [expect.stringContaining('trunk')],
  });
  const shallow = cleanUp.add(TempRepo.cloneOf(source, '--depth=1', '--no-local'));
  await fixture.refused('SOURCE_SHALLOW', ['sync', 'left-pad', '--from', shallow.path]);
  const other = createFixture(cleanUp);
  await other.accepted(['left-pad', '--from', source.path]);
  await other.refused('PROOF_MISSING', ['sync', 'left-pad']);
});

test('a package that was taken away and imported again is synced from its second import', async () => {
  const { fixture, source } = await createSyncFixture();
  fixture.monorepo.git('rm', '-rq', 'packages/left-pad');
  fixture.monorepo.commit('Take it away');
  expect(failureOf(await fixture.run(['sync', 'left-pad']))).toEqual({ exit: 1, code: 'PROOF_MISSING' });
  grow(source);
  await fixture.accepted(['left-pad', '--from', source.path]);
  land(fixture, 'migrate/left-pad');
  source.commit('Once more', { files: { 'src/index.js': '3\n' } });
  expect(await syncIn(fixture)).toMatchObject({ state: 'synced', commits: 1 });
});

test('a dirty work tree stays as it is', async () => {
  const { fixture, source } = await createSyncFixture();
  grow(source);
  fixture.monorepo.write({ 'packages/left-pad/src/index.js': 'dirty\n', 'new.js': '' });
  expect(await syncIn(fixture)).toMatchObject({ state: 'synced' });
});

test('a source that has no tags and one more package is synced with its own name', async () => {
  const fixture = createFixture(cleanUp);
  const [one, two] = [createSource(cleanUp, 'one'), createSource(cleanUp, 'two')];
  await fixture.accepted(['one', '--from', one.path]);
  land(fixture, 'migrate/one');
  await fixture.accepted(['two', '--from', two.path]);
  land(fixture, 'migrate/two');
  one.commit('Grow', { files: { 'src/index.js': 'one\n' } });
  const { stdout } = await fixture.accepted(['sync', 'one', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'synced', branch: 'sync/one' });
  expect(fixture.monorepo.id('sync/one:packages/two')).toBe(fixture.monorepo.id('HEAD:packages/two'));
});
