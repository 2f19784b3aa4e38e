import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { createFixture, createSource } from './migration.fixture.js';
import { expectProven, importedTip, syncIn } from './sync.fixture.js';

// Attempts to make a claim of `sync` false.

const cleanUp = cleanUpIn(afterEach);

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
  source.git('mv', 'libs/ui', 'libs/design');
  source.commit('Move it');
  const moved = await fixture.refused('SOURCE_SUBDIRECTORY_MISSING', ['sync', 'ui']);
  expect(moved.stderr.replaceAll('\n', ' ')).toContain(`${source.id('HEAD').slice(0, 10)} moved it to libs/design.`);
  source.git('rm', '-rq', 'libs');
  source.commit('Take it away', { files: { 'x.js': '' } });
  const gone = await fixture.refused('SOURCE_SUBDIRECTORY_MISSING', ['sync', 'ui']);
  expect(gone.stderr.replaceAll('\n', ' ')).toContain(`${source.id('HEAD').slice(0, 10)} removed it.`);
});
