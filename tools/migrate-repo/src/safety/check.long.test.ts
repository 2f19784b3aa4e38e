import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { createFixture, MigrationFixture } from './migration.fixture.js';

const cleanUp = cleanUpIn(afterAll);

// No token is tried: without one, nothing is requested.
const env = { GITHUB_TOKEN: '', GH_TOKEN: '' };

test('check tells what is there, what is missing and how to get it, and fails where something is missing', async () => {
  const fixture = createFixture(cleanUp);
  const before = fixture.state();
  const whole = await fixture.run(['check'], { env });
  expect([whole.code, whole.stdout]).toEqual([0, expect.stringMatching(/history +ok +full/)]);
  expect(fixture.state()).toEqual(before);
  fixture.monorepo.commit('Second');
  const clone = new MigrationFixture(cleanUp.add(TempRepo.cloneOf(fixture.monorepo, '--depth=1', '--no-local')), fixture.home);
  const shallow = await clone.run(['check'], { env });
  expect([shallow.code, shallow.stdout]).toEqual([1, expect.stringMatching(/history +missing +shallow clone[\s\S]*git fetch --unshallow/)]);
  const none = await fixture.run(['check', '--into', fixture.home.path], { env });
  expect([none.code, none.stdout]).toEqual([1, expect.stringMatching(/monorepo +missing .*\[TARGET_NOT_FOUND\]/)]);
});
