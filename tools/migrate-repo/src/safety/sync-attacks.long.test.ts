import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { VerifyAllResult } from '../result/import-result.js';
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';
import { createSyncFixture, expectProven, grow, importedTip, syncIn } from './sync.fixture.js';

// Attempts to make a claim of `sync` false.

const cleanUp = cleanUpIn(afterEach);

async function failuresOf(fixture: MigrationFixture): Promise<readonly string[]> {
  const { failed } = JSON.parse((await fixture.run(['verify', '--all', '--json'])).stdout) as VerifyAllResult;
  return failed.map(({ code, message }) => `${code}: ${/packages\/[\w./-]+\.js/.exec(message)?.[0]}`);
}

test('a sync whose history came without its files is not proven, until they come', async () => {
  const { fixture, source } = await createSyncFixture();
  grow(source);
  await syncIn(fixture);
  const { monorepo } = fixture;
  monorepo.git('branch', 'feature');
  const LEFT_OUT = ['PROOF_MISSING: packages/left-pad/more.js'];
  monorepo.git('merge', '--quiet', '--no-edit', '--strategy', 'ours', 'sync/left-pad');
  expect(await failuresOf(fixture)).toEqual(LEFT_OUT);
  monorepo.commit('Another change', { files: { 'packages/left-pad/src/index.js': 'local\n' } });
  expect(await failuresOf(fixture)).toEqual(LEFT_OUT);
  const sync = monorepo.git('log', '-1', '--format=%H', '--grep=^Tributary-Import: 2', 'sync/left-pad');
  monorepo.git('revert', '--no-edit', 'HEAD');
  monorepo.git('cherry-pick', '-m', '1', sync);
  expectProven((await fixture.run(['verify', '--all'])).stdout);

  // Somebody changes other files in that merge, or takes only some of the sync's files.
  const joinWithoutFiles = async (change: () => void): Promise<readonly string[]> => {
    monorepo.git('reset', '--quiet', '--hard', 'feature');
    monorepo.git('merge', '--quiet', '--no-commit', '--strategy', 'ours', 'sync/left-pad');
    change();
    monorepo.commit('Merge the sync');
    return failuresOf(fixture);
  };
  expect(await joinWithoutFiles(() => monorepo.write({ 'packages/left-pad/local.js': '' }))).toEqual(LEFT_OUT);
  const takeSome = (): void => {
    monorepo.write({ 'packages/left-pad/src/index.js': 'local\n' });
    monorepo.git('checkout', '--quiet', 'sync/left-pad', '--', 'packages/left-pad/package.json');
  };
  expect(await joinWithoutFiles(takeSome)).toEqual(LEFT_OUT);
  // Some of the missing files are not all of them.
  monorepo.git('checkout', '--quiet', 'sync/left-pad', '--', 'packages/left-pad/src');
  monorepo.commit('Bring a file');
  expect(await failuresOf(fixture)).toEqual(LEFT_OUT);

  // A person's decision about a conflict counts.
  monorepo.git('reset', '--quiet', '--hard', 'feature');
  monorepo.commit('Change it here', { files: { 'packages/left-pad/src/index.js': 'local\n' } });
  expect(() => monorepo.git('merge', '--quiet', 'sync/left-pad')).toThrow();
  monorepo.git('checkout', '--quiet', '--ours', '--', 'packages/left-pad/src/index.js');
  monorepo.commit('Merge the sync, and keep a file');
  expectProven((await fixture.run(['verify', '--all'])).stdout);

  // A branch from before the sync merges main but keeps its own files, and becomes main.
  monorepo.git('reset', '--quiet', '--hard', 'feature');
  monorepo.merge('sync/left-pad', 'Merge the sync');
  monorepo.checkout('feature');
  monorepo.commit('Beside', { files: { 'packages/here/x.js': '1\n' } });
  monorepo.git('merge', '--quiet', '--no-edit', '--strategy', 'ours', 'main');
  monorepo.checkout('main');
  expectProven((await fixture.run(['verify', '--all'])).stdout);
  monorepo.merge('feature', 'Merge the feature');
  expect(await failuresOf(fixture)).toEqual(LEFT_OUT);
});

test('an import of mapping version 1 is synced by its own rules, and proven', async () => {
  const source = createSource(cleanUp);
  const fixture = createFixture(cleanUp);
  const { monorepo } = fixture;
  await fixture.accepted(['left-pad', '--from', source.path, '--exact']);
  // Releases before version 2 wrote the same record with this number.
  const merge = monorepo.git('log', '-1', '--merges', '--format=%H', 'migrate/left-pad');
  const content = `${monorepo.git('cat-file', 'commit', merge)}\n`.replace('Mapping-Version: 2', 'Mapping-Version: 1');
  const old = monorepo.writeObject('commit', content);
  const tip = monorepo.git('commit-tree', '-p', old, '-m', 'Clean up', 'migrate/left-pad^{tree}');
  monorepo.git('update-ref', 'refs/heads/migrate/left-pad', tip);
  monorepo.merge('migrate/left-pad', 'Merge left-pad');
  expect(monorepo.git('log', '--format=%B', '--grep=^Tributary-Mapping-Version: 1$')).toContain('Tributary-Import: 1');
  source.commit('Mend it\n\nCloses #4, thanks @ada', { files: { 'src/index.js': '3\n' } });
  const done = await syncIn(fixture);
  expect(done).toMatchObject({ state: 'synced', commits: 1, proof: { method: 'inverse', commits: 5 } });
  monorepo.merge('sync/left-pad', 'Merge the sync');
  expectProven((await fixture.run(['verify', '--all', '--refetch'])).stdout);
  const direct = createFixture(cleanUp);
  await direct.accepted(['left-pad', '--from', source.path, '--exact']);
  expect(done.importedTip).toBe(importedTip(direct.monorepo, 'migrate/left-pad'));
});

test('a folder that the source has moved or taken away is not followed: the commit is named', async () => {
  const source = cleanUp.add(TempRepo.create());
  const manifest = formatManifest({ name: 'ui', version: '1.0.0' });
  source.commit('Start', { files: { 'libs/ui/package.json': manifest, 'libs/ui/a.js': 'a\n' } });
  const fixture = createFixture(cleanUp);
  await fixture.accepted(['ui', '--from', source.path, '--subdirectory', 'libs/ui']);
  fixture.monorepo.merge('migrate/ui', 'Merge ui');
  source.commit('Rename it', { files: { 'libs/ui/package.json': formatManifest({ name: 'design', version: '1.0.0' }) } });
  const renamed = await fixture.refused('SOURCE_NAME_MISMATCH', ['sync', 'ui']);
  expect(renamed.stderr.replaceAll('\n', ' ')).toMatch(/is named design, not ui\..* A sync follows the name that was imported\./);
  source.git('mv', 'libs/ui', 'libs/design');
  source.commit('Move it');
  const moved = await fixture.refused('SOURCE_SUBDIRECTORY_MISSING', ['sync', 'ui']);
  expect(moved.stderr.replaceAll('\n', ' ')).toContain(`${source.id('HEAD').slice(0, 10)} moved it to libs/design.`);
  source.git('rm', '-rq', 'libs');
  source.commit('Take it away', { files: { 'x.js': '' } });
  const gone = await fixture.refused('SOURCE_SUBDIRECTORY_MISSING', ['sync', 'ui']);
  expect(gone.stderr.replaceAll('\n', ' ')).toContain(`${source.id('HEAD').slice(0, 10)} removed it.`);
});
