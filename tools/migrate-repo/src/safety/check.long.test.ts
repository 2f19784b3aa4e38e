import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { createScene, MigrationScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

// No token is tried: without one, nothing is requested.
const env = { GITHUB_TOKEN: '', GH_TOKEN: '' };

test('check tells what is there, what is missing and how to get it, and fails where something is missing', async () => {
  const scene = createScene(cleanUp);
  const before = scene.state();
  const whole = await scene.run(['check'], { env });
  expect([whole.code, whole.stdout]).toEqual([0, expect.stringMatching(/history +ok +full/)]);
  expect(scene.state()).toEqual(before);
  scene.monorepo.commit('Second');
  const clone = new MigrationScene(cleanUp.add(TempRepo.cloneOf(scene.monorepo, '--depth=1', '--no-local')), scene.home);
  const shallow = await clone.run(['check'], { env });
  expect([shallow.code, shallow.stdout]).toEqual([1, expect.stringMatching(/history +missing +shallow clone[\s\S]*git fetch --unshallow/)]);
  const none = await scene.run(['check', '--into', scene.home.path], { env });
  expect([none.code, none.stdout]).toEqual([1, expect.stringMatching(/monorepo +missing .*\[TARGET_NOT_FOUND\]/)]);
});
