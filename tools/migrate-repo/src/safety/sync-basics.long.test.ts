import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { RepoSnapshot } from '@tributary/test-repo/repo-snapshot';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { StatusResult } from '../result/import-result.js';
import { createFixture, MigrationFixture } from './migration.fixture.js';
import { createSyncFixture, expectProven, fileAt, grow, importedTip, syncIn, tagsOf } from './sync.fixture.js';

// A merge brings what an import's source has gained since. The long ring has more of it.

const cleanUp = cleanUpIn(afterEach);

test('a sync gives the ids that an import of the new tip gives, keeps local changes, is proven in any clone, and can be repeated', async () => {
  const { fixture, source } = await createSyncFixture();
  expect(await syncIn(fixture)).toMatchObject({ state: 'nothing new', branch: null, commits: 0 });
  fixture.monorepo.commit('Change it here', {
    files: { 'packages/left-pad/src/index.js': '// local\n2\n', 'packages/left-pad/local.js': '1\n', 'packages/here/x.js': '1\n' },
  });
  grow(source);
  const planned = await syncIn(fixture, ['--dry-run']);
  expect(planned).toMatchObject({
    state: 'planned',
    commits: 3,
    branch: 'sync/left-pad',
    tip: null,
    conflicts: [],
    tags: ['left-pad@2.0.0', 'left-pad@2.1.0'],
  });
  expect(fixture.monorepo.git('branch', '--list', 'sync/*')).toBe('');
  const done = await syncIn(fixture);
  expect(done).toMatchObject({ state: 'synced', commits: 3, proof: { method: 'inverse', commits: 7 }, importedTip: planned.importedTip });
  expect(fileAt(fixture.monorepo, 'sync/left-pad', 'packages/left-pad/src/index.js')).toBe('// local\n2\n// grown');
  expect(fileAt(fixture.monorepo, 'sync/left-pad', 'packages/left-pad/local.js')).toBe('1');
  expect(fixture.monorepo.git('ls-tree', '-r', '--name-only', 'sync/left-pad')).not.toContain('left-pad/yarn.lock');

  const direct = createFixture(cleanUp);
  await direct.accepted(['left-pad', '--from', source.path]);
  expect(done.importedTip).toBe(importedTip(direct.monorepo, 'migrate/left-pad'));
  expect(tagsOf(fixture.monorepo)).toEqual(tagsOf(direct.monorepo));

  fixture.monorepo.merge('sync/left-pad', 'Merge the sync');
  fixture.monorepo.git('branch', '--quiet', '-D', 'sync/left-pad');
  const clone = new MigrationFixture(cleanUp.add(TempRepo.cloneOf(fixture.monorepo)), fixture.home);
  expectProven((await clone.run(['verify', '--all'])).stdout);
  const status = JSON.parse((await clone.run(['status', '--json'])).stdout) as StatusResult;
  expect(status.imports).toMatchObject([{ name: 'left-pad', state: 'merged', sourceCommit: done.to, news: { state: 'none' } }]);
  expect(await syncIn(clone)).toMatchObject({ state: 'nothing new' });
  source.commit('Once more', { files: { 'src/index.js': '2\n// grown twice\n' } });
  const again = await syncIn(clone);
  expect(again).toMatchObject({ state: 'synced', commits: 1, tags: [], previousTip: done.importedTip });
  expect(fileAt(clone.monorepo, 'sync/left-pad', 'packages/left-pad/src/index.js')).toBe('// local\n2\n// grown twice');
  await clone.discarded('left-pad');
  expect(clone.monorepo.git('tag', '--list', 'left-pad@*').split('\n')).toHaveLength(4);
});

test('a merge that conflicts is left in a work tree of its own, to be given up or gone on with', async () => {
  const { fixture, source } = await createSyncFixture();
  fixture.monorepo.commit('Change it here', { files: { 'packages/left-pad/src/index.js': 'mine\n' } });
  grow(source);
  const folder = join(fixture.home.path, 'conflict');
  const before = fixture.monorepo.snapshot();
  const left = await fixture.run(['sync', 'left-pad', '--worktree', folder, '--json']);
  const conflicts = ['packages/left-pad/src/index.js'];
  expect([left.code, JSON.parse(left.stdout)]).toMatchObject([1, { state: 'conflicts', conflicts, worktree: folder, tip: null }]);
  expect(ownOf(fixture.monorepo.snapshot())).toEqual(ownOf(before));
  expect(fixture.monorepo.git('-C', folder, 'status', '--porcelain', '--', 'packages').split('\n')).toEqual([
    'A  packages/left-pad/more.js',
    'M  packages/left-pad/package.json',
    'UU packages/left-pad/src/index.js',
  ]);
  await fixture.refused('SYNC_UNFINISHED', ['sync', 'left-pad']);
  const open = { name: 'left-pad', branch: 'sync/left-pad', worktree: folder };
  expect(await openSyncsOf(fixture)).toEqual([{ ...open, state: 'conflicts' }]);
  await fixture.refused('SYNC_UNFINISHED', ['sync', 'left-pad', '--continue']);
  const gone = await fixture.run(['sync', 'left-pad', '--abort', '--json']);
  expect([gone.code, JSON.parse(gone.stdout)]).toMatchObject([0, { branch: 'sync/left-pad', tags: ['left-pad@2.0.0', 'left-pad@2.1.0'] }]);
  expect([existsSync(folder), fixture.monorepo.snapshot().refs]).toEqual([false, before.refs]);

  await fixture.run(['sync', 'left-pad', '--worktree', folder]);
  writeFileSync(join(folder, ...conflicts), 'mine\n// grown\n');
  fixture.monorepo.git('-C', folder, 'commit', '--quiet', '--no-edit', '--all');
  expect(await openSyncsOf(fixture)).toEqual([{ ...open, state: 'committed' }]);
  const done = await fixture.run(['sync', 'left-pad', '--continue', '--json']);
  expect(JSON.parse(done.stdout)).toMatchObject({
    state: 'synced',
    commits: 3,
    from: source.id('HEAD~2'),
    to: source.id('HEAD'),
    branch: 'sync/left-pad',
  });
  expect([existsSync(folder), fixture.monorepo.git('worktree', 'list').split('\n').length]).toEqual([false, 1]);
  expectProven((await fixture.run(['verify', '--all', '--ref', 'sync/left-pad'])).stdout);
});

async function openSyncsOf(fixture: MigrationFixture): Promise<StatusResult['openSyncs']> {
  return (JSON.parse((await fixture.run(['status', '--json'])).stdout) as StatusResult).openSyncs;
}

function ownOf({ head, index, status, worktree, config }: RepoSnapshot): unknown {
  return { head, index, status, worktree, config };
}

test('what cannot be synced is refused with its own code, and nothing is changed', async () => {
  const { fixture, source } = await createSyncFixture();
  await fixture.refused('IMPORT_NOT_FOUND', ['sync', 'nobody']);
  await fixture.refused('SYNC_NOT_OPEN', ['sync', 'left-pad', '--continue']);
  await fixture.refused('SYNC_NOT_OPEN', ['sync', 'left-pad', '--abort']);
  await fixture.refused('USAGE', ['sync', 'left-pad', '--continue', '--from', source.path]);
  await fixture.refused('SOURCE_BRANCH_MISSING', ['sync', 'left-pad', '--source-branch', 'nope']);
  await fixture.refused('SOURCE_UNREACHABLE', ['sync', 'left-pad', '--from', `${source.path}.away`]);
  source.git('tag', '--force', 'v1.0.0', 'HEAD');
  source.git('tag', '--delete', 'v1.1.0');
  source.git('reset', '--quiet', '--hard', 'HEAD~1');
  source.commit('Instead', { files: { 'instead.js': '1\n' } });
  const rewritten = await fixture.refused('SOURCE_REWRITTEN', ['sync', 'left-pad']);
  expect(rewritten.stderr).toMatch(/2 imported commits have vanished[^\n]*:\n {2}[0-9a-f]+ Merge side\n {2}[0-9a-f]+ Aside \[/);
  source.git('merge', '--quiet', '--no-edit', 'v1.0.0');
  expect(await syncIn(fixture, ['--dry-run'])).toMatchObject({ state: 'planned', commits: 2, movedTags: ['left-pad@1.0.0'] });
  fixture.monorepo.git('mv', 'packages/left-pad', 'packages/pad');
  fixture.monorepo.commit('Move');
  await fixture.refused('IMPORT_MOVED', ['sync', 'left-pad']);
  fixture.monorepo.git('reset', '--quiet', '--hard', 'HEAD~2');
  await fixture.refused('IMPORT_NOT_FOUND', ['sync', 'left-pad']);
});
