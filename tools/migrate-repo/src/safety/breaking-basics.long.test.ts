import { afterEach, describe, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { expectFault } from './breaking.fixture.js';
import type { GitFault } from './git-wrapper.fixture.js';

const cleanUp = cleanUpIn(afterEach);

// The long ring breaks each call in several ways. These are three of them, around the moment when the repository changes.
describe('a migration whose git is broken', () => {
  const cases: [GitFault, string][] = [
    ['fail', ' fetch '],
    ['fail', ' update-ref '],
    ['kill', ' update-ref '],
  ];
  test.each(cases)('%s at "git%s": nothing has changed, and the same command succeeds', async (fault, command) => {
    await expectFault(cleanUp, fault, command);
  });
});
