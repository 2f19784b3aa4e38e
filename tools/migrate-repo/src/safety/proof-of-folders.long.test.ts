import { beforeEach, expect, test } from '@jest/globals';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { MigrationFixture } from './migration.fixture.js';
import { BRANCH, PATH, ProofFixture, WHOLE } from './proof.fixture.js';

// A folder moved or removed on purpose is not lost; one that a merge lost is.

let proof: ProofFixture;
let fixture: MigrationFixture;
let source: TempRepo;
let repo: TempRepo;

beforeEach(async () => {
  proof = await ProofFixture.create();
  ({ fixture, source, repo } = proof);
});

test('a folder that main has moved and rewritten, and a branch gets by a merge of main, is not lost', async () => {
  repo.merge(BRANCH);
  repo.git('branch', 'work');
  repo.write({ 'libs/.keep': '' });
  repo.git('mv', PATH, 'libs/pad');
  repo.commit('Move');
  repo.commit('Rewrite', { files: { 'libs/pad/package.json': '{\n  "name": "left-pad",\n  "version": "9.0.0",\n  "private": true\n}\n' } });
  repo.checkout('work');
  repo.commit('Work', { files: { 'work.txt': '' } });
  repo.git('merge', '-q', '--no-ff', '--no-edit', 'main');
  expect(await proof.proveAll()).toMatchObject({ exit: 0, failed: [] });
});

test('a folder that was moved afterwards is still proven, and one that was put back', async () => {
  repo.merge(BRANCH);
  repo.write({ 'libs/.keep': '' });
  repo.git('mv', PATH, 'libs/pad');
  const moved = repo.commit('Move');
  expect(await proof.accepted()).toMatchObject({ movedTo: 'libs/pad' });
  expect(await proof.status()).toMatchObject([{ state: 'merged', movedTo: 'libs/pad' }]);
  repo.clock.advance();
  repo.git('revert', '--no-edit', moved);
  expect(await proof.accepted()).toMatchObject({ movedTo: null });
  expect(await proof.proveAll()).toEqual(WHOLE);
});

test('after a revert of the merge status says so, and after its revert all is well', async () => {
  const merge = repo.merge(BRANCH);
  repo.clock.advance();
  repo.git('revert', '--no-edit', '-m', '1', merge);
  const by = repo.id('HEAD');
  expect(await proof.refused()).toMatchObject({ code: 'PROOF_MISSING', state: 'removed', by });
  expect((await fixture.run(['status'])).stdout).toContain(`merged by ${merge.slice(0, 10)}, removed by ${by.slice(0, 10)}`);
  expect(await proof.proveAll()).toEqual({ exit: 0, proven: 1, removed: [`left-pad by ${by}`], failed: [] });
  repo.clock.advance();
  repo.git('revert', '--no-edit', by);
  expect(await proof.accepted()).toMatchObject({ mergedBy: merge });
  expect(await proof.proveAll()).toEqual(WHOLE);
});

test('a folder that a merge lost fails, one that was taken away on a branch is named', async () => {
  const start = repo.id('main');
  const merge = repo.merge(BRANCH);
  repo.branch('stale', start);
  repo.checkout('stale');
  repo.commit('Other work', { files: { 'x.txt': '' } });
  repo.checkout('main');
  repo.git('merge', '-q', '--no-ff', '--no-commit', 'stale');
  repo.git('rm', '-rq', PATH);
  const lost = repo.commit('Merge stale');
  expect(await proof.proveAll()).toEqual({ exit: 1, proven: 1, removed: [], failed: ['left-pad: PROOF_MISSING'] });
  expect((await fixture.run(['verify', '--all'])).stdout).toContain(`but the merge ${lost.slice(0, 10)} lost ${PATH}`);
  repo.git('reset', '-q', '--hard', merge);
  repo.git('checkout', '-q', '-b', 'clean-up');
  repo.git('rm', '-rq', PATH);
  repo.commit('Take it away');
  repo.checkout('main');
  const by = repo.merge('clean-up');
  expect(await proof.proveAll()).toEqual({ exit: 0, proven: 1, removed: [`left-pad by ${by}`], failed: [] });
});

test('a merge that takes none of the files fails, and a new run repairs it', async () => {
  repo.git('checkout', '-q', '-b', 'integration');
  repo.git('merge', '-q', '--strategy', 'ours', '--no-ff', '--no-edit', BRANCH);
  const by = repo.id('HEAD');
  repo.checkout('main');
  repo.commit('Meanwhile', { files: { 'x.txt': '' } });
  repo.merge('integration');
  expect(await proof.proveAll()).toEqual({ exit: 1, proven: 1, removed: [], failed: ['left-pad: PROOF_MISSING'] });
  expect((await fixture.run(['verify', '--all'])).stdout).toContain(`but not its files: the merge ${by.slice(0, 10)} left out ${PATH}`);
  expect(await proof.refused()).toMatchObject({ code: 'PROOF_MISSING', state: 'removed', by });
  repo.git('branch', '-q', '-D', BRANCH);
  fixture.monorepo.clock.advance();
  expect((await fixture.run(['left-pad', '--from', source.path])).code).toBe(0);
  repo.merge(BRANCH);
  expect(await proof.accepted()).toMatchObject({ contained: 'merged' });
  expect(await proof.proveAll()).toMatchObject({ exit: 0, removed: [], failed: [] });
});

test('a folder that was moved, or taken away, on the branch before the merge is no loss', async () => {
  repo.commit('Meanwhile', { files: { 'x.txt': '' } });
  repo.checkout(BRANCH);
  repo.write({ 'libs/.keep': '' });
  repo.git('mv', PATH, 'libs/pad');
  repo.commit('Move');
  repo.checkout('main');
  const start = repo.id('main');
  repo.merge(BRANCH);
  expect(await proof.accepted()).toMatchObject({ movedTo: 'libs/pad' });
  expect(await proof.proveAll()).toEqual(WHOLE);
  repo.git('mv', 'libs/pad', 'libs/left');
  repo.commit('Move again');
  expect(await proof.accepted()).toMatchObject({ movedTo: 'libs/left' });
  expect(await proof.proveAll()).toEqual(WHOLE);
  repo.git('reset', '-q', '--hard', start);
  repo.checkout(BRANCH);
  repo.git('rm', '-rq', 'libs/pad');
  const by = repo.commit('Take it away');
  repo.checkout('main');
  repo.merge(BRANCH);
  expect(await proof.proveAll()).toEqual({ exit: 0, proven: 1, removed: [`left-pad by ${by}`], failed: [] });
});
