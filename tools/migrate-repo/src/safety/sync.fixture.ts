import { expect } from '@jest/globals';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { SyncResult } from '../result/result.js';
import { createMigrated, type FixtureRun, type MigrationFixture } from './migration.fixture.js';

/** A monorepo with `left-pad` imported from a source and merged. */
export interface SyncFixture {
  readonly fixture: MigrationFixture;
  readonly source: TempRepo;
}

/** Creates a sync fixture; `options` are those of the import. */
export async function createSyncFixture(options: readonly string[] = []): Promise<SyncFixture> {
  const { fixture, source } = await createMigrated(...options);
  fixture.monorepo.merge('migrate/left-pad', 'Merge left-pad');
  fixture.monorepo.git('branch', '--quiet', '-D', 'migrate/left-pad');
  return { fixture, source };
}

/** Adds two commits, one of which changes the lockfile, a merge and two tags. */
export function grow(source: TempRepo): void {
  source.commit('Grow', {
    files: {
      'package.json': formatManifest({ name: 'left-pad', version: '2.0.0' }),
      'src/index.js': '2\n// grown\n',
      'yarn.lock': '# yarn lockfile v1\n\n# grown\n',
    },
  });
  source.git('tag', 'v2.0.0');
  source.git('checkout', '--quiet', '-b', 'more', 'HEAD~1');
  source.commit('More', { files: { 'more.js': '1\n' } });
  source.git('checkout', '--quiet', 'main');
  source.merge('more', 'Merge more');
  source.git('tag', '-a', '-m', 'The third', 'v2.1.0');
}

/** Returns the answer of a sync that must succeed. It may add nothing but refs and objects. */
export async function syncIn(fixture: MigrationFixture, args: readonly string[] = [], options: FixtureRun = {}): Promise<SyncResult> {
  const { stdout } = await fixture.accepted(['sync', 'left-pad', '--json', ...args], options);
  return JSON.parse(stdout) as SyncResult;
}

/** Returns the second parent of the merge commit with the branch's newest record. */
export function importedTip(repo: TempRepo, branch: string): string {
  return repo.git('log', '-1', '--first-parent', '--grep=^Tributary-Import: ', '--format=%P', branch).split(' ')[1] ?? '';
}

/** Returns each tag's name and the object it points to. */
export function tagsOf(repo: TempRepo): readonly string[] {
  return repo.git('for-each-ref', '--format=%(refname:strip=2) %(objectname)', 'refs/tags').split('\n');
}

export function fileAt(repo: TempRepo, branch: string, path: string): string {
  return repo.git('show', `${branch}:${path}`);
}

export function expectProven(stdout: string): void {
  expect(stdout).toMatch(/: \d+ imports? proven, 0 not\.$/m);
}
