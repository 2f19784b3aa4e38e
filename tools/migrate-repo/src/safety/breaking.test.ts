import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { attemptMigration, breakMigration } from './breaking.fixture.js';
import { FATES, type GitFate, GitWrapper } from './git-wrapper.fixture.js';

const cleanUp = cleanUpIn(afterEach);

// The long ring breaks each call in each way; here are the ones around the moment when the repository is changed.
describe('a migration whose git is broken', () => {
  const cases: [GitFate, string][] = [
    ['fail', ' fetch '],
    ['fail', ' update-ref '],
    ['break', ' update-ref '],
    ['die', ' update-ref '],
    ['kill', ' update-ref '],
    ['orphan', ' update-ref '],
    ['interrupt', ' update-ref '],
    ['hang', ' rev-list '],
  ];
  test.each(cases)('%s at "git%s": nothing has changed, and the same command succeeds', async (fate, command) => {
    const result = await breakMigration(attemptMigration(cleanUp), wrapperFor(fate, command));
    expect({ code: result.code, signal: result.signal }).toEqual(
      {
        fail: { code: 1, signal: null },
        break: { code: 1, signal: null },
        die: { code: 1, signal: null },
        hang: { code: 130, signal: null },
      }[fate as 'fail'] ?? (fate === 'interrupt' ? { code: 0, signal: null } : { code: null, signal: 'SIGKILL' }),
    );
  });
});

/** `break`: from the first call of the command on, nothing works. */
function wrapperFor(fate: GitFate, command: string): GitWrapper {
  if (fate !== 'break') return GitWrapper.on(cleanUp, `*"${command}"*`, FATES[fate]);
  return new GitWrapper(
    cleanUp,
    `case "$args" in *"${command}"*) touch "$log-broken";; esac; if [ -e "$log-broken" ]; then ${FATES.break}; fi`,
  );
}
