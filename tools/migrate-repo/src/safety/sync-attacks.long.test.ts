import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { VerifyAllResult } from '../result.js';
import type { MigrationScene } from './scene.fixture.js';
import { createSyncScene, expectProven, grow, syncIn } from './sync.fixture.js';

// What would make a claim of `sync` false, tried.

const cleanUp = cleanUpIn(afterEach);

async function failuresOf(scene: MigrationScene): Promise<readonly string[]> {
  const { failed } = JSON.parse((await scene.run(['verify', '--all', '--json'])).stdout) as VerifyAllResult;
  return failed.map(({ code, message }) => `${code}: ${/packages\/[\w./-]+\.js/.exec(message)?.[0]}`);
}

test('a sync whose history came without its files is not proven, until they come', async () => {
  const { scene, source } = await createSyncScene(cleanUp);
  grow(source);
  await syncIn(scene);
  const { monorepo } = scene;
  monorepo.git('branch', 'feature');
  const LEFT_OUT = ['PROOF_MISSING: packages/left-pad/more.js'];
  monorepo.git('merge', '--quiet', '--no-edit', '--strategy', 'ours', 'sync/left-pad');
  expect(await failuresOf(scene)).toEqual(LEFT_OUT);
  monorepo.commit('Another change', { files: { 'packages/left-pad/src/index.js': 'local\n' } });
  expect(await failuresOf(scene)).toEqual(LEFT_OUT);
  const sync = monorepo.git('log', '-1', '--format=%H', '--grep=^Tributary-Import: 2', 'sync/left-pad');
  monorepo.git('revert', '--no-edit', 'HEAD');
  monorepo.git('cherry-pick', '-m', '1', sync);
  expectProven((await scene.run(['verify', '--all'])).stdout);

  // A branch from before the sync takes main in, with its own files, and becomes main.
  monorepo.git('reset', '--quiet', '--hard', 'feature');
  monorepo.merge('sync/left-pad', 'Merge the sync');
  monorepo.checkout('feature');
  monorepo.commit('Beside', { files: { 'packages/here/x.js': '1\n' } });
  monorepo.git('merge', '--quiet', '--no-edit', '--strategy', 'ours', 'main');
  monorepo.checkout('main');
  expectProven((await scene.run(['verify', '--all'])).stdout);
  monorepo.merge('feature', 'Merge the feature');
  expect(await failuresOf(scene)).toEqual(LEFT_OUT);
});
