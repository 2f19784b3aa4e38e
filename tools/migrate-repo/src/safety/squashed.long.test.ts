import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { failureOf, prepareMigration } from './migration.fixture.js';

const cleanUp = cleanUpIn(afterEach);

test('what a squash has lost is not proven by the branch that still has it', async () => {
  const { fixture, command } = prepareMigration(cleanUp);
  await fixture.accepted(command);
  fixture.monorepo.git('merge', '-q', '--squash', 'migrate/left-pad');
  fixture.monorepo.git('commit', '-q', '-m', 'Add left-pad (#7)');
  expect(failureOf(await fixture.run(['verify', 'left-pad']))).toEqual({ exit: 1, code: 'PROOF_MISSING' });
  expect((await fixture.run(['verify', '--all'])).code).toBe(1);
  await fixture.accepted(['verify', '--all', '--ref', 'migrate/left-pad']);
});
