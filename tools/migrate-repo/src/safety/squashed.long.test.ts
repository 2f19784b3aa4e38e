import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { failureOf, prepareMigration } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterEach);

test('what a squash has lost is not proven by the branch that still has it', async () => {
  const { scene, command } = prepareMigration(cleanUp);
  await scene.accepted(command);
  scene.monorepo.git('merge', '-q', '--squash', 'migrate/left-pad');
  scene.monorepo.git('commit', '-q', '-m', 'Add left-pad (#7)');
  expect(failureOf(await scene.run(['verify', 'left-pad']))).toEqual({ exit: 1, code: 'PROOF_MISSING' });
  expect((await scene.run(['verify', '--all'])).code).toBe(1);
  await scene.accepted(['verify', '--all', '--ref', 'migrate/left-pad']);
});
