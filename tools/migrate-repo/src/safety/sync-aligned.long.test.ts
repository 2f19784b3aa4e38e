import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import type { MigrateResult, SyncResult } from '../result/result.js';
import { createMovingFixture } from '../result.fixture.js';
import { createFixture } from './migration.fixture.js';

// What an import removes or rewrites neither returns with a sync nor conflicts.

const cleanUp = cleanUpIn(afterEach);

function filesOf(version: number): Files {
  const manifest = { name: 'app', version: `${version}.0.0`, dependencies: { here: version === 1 ? '^0.0.0' : '>=0.0.0 <1' } };
  const lock = { name: 'app', lockfileVersion: 3, packages: { '': manifest, 'node_modules/here': { version: '0.0.0' } } };
  return {
    '.mailmap': `Ada <ada@${version}.example> <ada@example.com>\n`,
    '.npmrc': `save-exact=true\n# ${version}\n`,
    'package-lock.json': JSON.stringify(lock),
    'package.json': formatManifest(manifest),
    'index.js': `${version}\n`,
  };
}

test('carried files, aligned ranges and a removed lockfile', async () => {
  const source = cleanUp.add(TempRepo.create());
  source.commit('One', { files: filesOf(1) });
  const fixture = createFixture(cleanUp);
  const came = JSON.parse((await fixture.accepted(['app', '--from', source.path, '--json'])).stdout) as MigrateResult;
  fixture.monorepo.merge(came.branch);
  const before = fixture.monorepo.git('ls-tree', '-r', '--name-only', 'HEAD');
  source.commit('Two', { files: filesOf(2) });
  const { stdout } = await fixture.accepted(['sync', 'app', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'synced', conflicts: [], warnings: [] });
  expect(fixture.monorepo.git('ls-tree', '-r', '--name-only', 'sync/app')).toBe(before);
  expect(fixture.monorepo.git('show', 'sync/app:.mailmap')).toContain('ada@2.example');
  expect(fixture.monorepo.git('show', 'sync/app:packages/app/package.json')).toContain('"2.0.0"');

  fixture.monorepo.git('branch', '-q', '-D', 'sync/app');
  fixture.monorepo.commit('Change it here', { files: { '.mailmap': 'Ada <mine@x.example> <ada@example.com>\n' } });
  const again = JSON.parse((await fixture.accepted(['sync', 'app', '--json'])).stdout) as SyncResult;
  expect(again).toMatchObject({ state: 'synced', conflicts: [], warnings: [expect.stringContaining('.mailmap')] });
  expect(fixture.monorepo.git('show', 'sync/app:.mailmap')).toContain('mine');
});

test('the lockfile of the root gets what the source has locked since, and the branch is installed', async () => {
  const { monorepo, source, env } = await createMovingFixture(cleanUp);
  const call = async (...args: readonly string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await runCli('migrate-repo', [...args, '--json'], { cwd: monorepo.path, env });
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  await call('mover', '--from', source.path);
  monorepo.merge('migrate/mover');
  monorepo.git('branch', '-q', '-D', 'migrate/mover');
  const manifest = JSON.parse(source.git('show', 'HEAD:package.json')) as { version: string; dependencies: Record<string, string> };
  const lock = JSON.parse(source.git('show', 'HEAD:package-lock.json')) as { packages: Record<string, object> };
  const { wide: _, ...rest } = manifest.dependencies;
  const next = { ...manifest, version: '1.1.0', dependencies: { ...rest, chosen: '^2.0.0' } };
  const { 'node_modules/wide': __, ...nodes } = lock.packages;
  const packages = { ...nodes, '': next, 'node_modules/chosen': { version: '2.0.0' } };
  source.commit('Go on', { files: { 'package.json': formatManifest(next), 'package-lock.json': JSON.stringify({ ...lock, packages }) } });
  const done = (await call('sync', 'mover')) as SyncResult;
  expect(done).toMatchObject({ state: 'synced', commits: 1, conflicts: [] });
  const merged = JSON.parse(monorepo.git('show', 'sync/mover:packages/mover/package.json')) as typeof manifest;
  expect([merged.version, merged.dependencies['wide'], merged.dependencies['chosen']]).toEqual(['1.1.0', undefined, '^2.0.0']);
  const written = monorepo.git('show', 'sync/mover:yarn.lock');
  expect(written).toContain('"mover@workspace:packages/mover"');
  expect(/"mover@workspace:packages\/mover":[\s\S]*?\n\n/.exec(`${written}\n\n`)?.[0]).toContain('chosen: "npm:^2.0.0"');
  expect(done.alignment?.some(({ step, commit }) => step === 'lockfile' && commit !== null)).toBe(true);
});
