import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { attemptMigration, breakMigration } from './breaking.fixture.js';
import { FATES, type Fate, GitWrapper } from './git-wrapper.fixture.js';

const cleanUp = cleanUpIn(afterEach);

// The long ring breaks each call in each way; here are the ones around the moment when the repository is changed.
describe('a migration whose git is broken', () => {
  const cases: [Fate, string][] = [
    ['fail', ' fetch '],
    ['kill', ' index-pack '],
    ['orphan', ' fetch '],
    ['fail', ' update-ref '],
    ['die', ' update-ref '],
    ['kill', ' update-ref '],
    ['orphan', ' update-ref '],
    ['interrupt', ' update-ref '],
    ['hang', ' rev-list '],
  ];
  test.each(cases)('%s at "git%s": nothing has changed, and the same command succeeds', async (fate, command) => {
    const result = await breakMigration(attemptMigration(cleanUp), GitWrapper.on(cleanUp, `*"${command}"*`, FATES[fate]));
    expect({ code: result.code, signal: result.signal }).toEqual(
      { fail: { code: 1, signal: null }, die: { code: 1, signal: null }, hang: { code: 130, signal: null } }[fate as 'fail'] ??
        (fate === 'interrupt' ? { code: 0, signal: null } : { code: null, signal: 'SIGKILL' }),
    );
  });
});
