import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { CleanUp, cleanUpIn } from '@tributary/test-repo/clean-up';
import {
  type Attempt,
  attemptMigration,
  breakDiscard,
  breakMigration,
  copyAttempt,
  expectFault,
  expectToSucceed,
} from './breaking.fixture.js';
import { FAULTS, type GitFault, GitWrapper } from './git-wrapper.fixture.js';

const cleanUp = cleanUpIn(afterEach);
/** Of what all ways of breaking start from, each with a copy. */
const shared = cleanUpIn(afterAll);
const ALL_FAULTS = Object.keys(FAULTS) as GitFault[];

/**
 * In each way of breaking, every fortieth call is broken, so that the sweep takes minutes. BREAK_EVERY=1 breaks every
 * call in every way.
 */
const EVERY = Number(process.env['BREAK_EVERY'] ?? 40);

/** Breaks calls in one way, two at a time, and returns those with a wrong outcome. */
async function sweep(
  attempt: Attempt,
  calls: readonly string[],
  breakOne: (copy: Attempt, wrapper: GitWrapper) => Promise<unknown>,
  fault: GitFault,
) {
  const wrong: string[] = [];
  const numbers = calls.map((_, at) => at + 1).filter((number) => (number + ALL_FAULTS.indexOf(fault)) % EVERY === 0);
  const worker = async (): Promise<void> => {
    for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
      const own = new CleanUp();
      try {
        await breakOne(copyAttempt(own, attempt), GitWrapper.at(own, number, fault));
      } catch (error) {
        wrong.push(`${fault} at call ${number}, git ${calls[number - 1]}: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        await own.run();
      }
    }
  };
  await Promise.all([worker(), worker()]);
  return wrong;
}

async function countCalls(attempt: Attempt, args: readonly string[]): Promise<string[]> {
  const wrapper = new GitWrapper(shared, ':');
  await attempt.fixture.run(args, { env: wrapper.env });
  return wrapper.calls();
}

describe('a migration broken at its calls of git', () => {
  let attempt: Attempt;
  let calls: readonly string[];
  beforeAll(async () => {
    attempt = attemptMigration(shared);
    calls = await countCalls(copyAttempt(shared, attempt), ['left-pad', '--from', attempt.source.path]);
  });

  test.each(ALL_FAULTS)('%s', async (fault) => {
    expect(calls.length).toBeGreaterThan(30);
    expect(await sweep(attempt, calls, breakMigration, fault)).toEqual([]);
  });
});

describe('a discard broken at its calls of git', () => {
  let attempt: Attempt;
  let calls: readonly string[];
  beforeAll(async () => {
    attempt = attemptMigration(shared);
    await expectToSucceed(attempt.fixture, ['left-pad', '--from', attempt.source.path]);
    calls = await countCalls(copyAttempt(shared, attempt), ['discard', 'left-pad']);
  });

  test.each(ALL_FAULTS)('%s', async (fault) => {
    expect(calls.length).toBeGreaterThan(8);
    expect(await sweep(attempt, calls, breakDiscard, fault)).toEqual([]);
  });
});

// More ways than in breaking-basics.long.test.ts, each with its outcome.
describe('a migration whose git is broken', () => {
  const cases: [GitFault, string][] = [
    ['break', ' update-ref '],
    ['die', ' update-ref '],
    ['orphan', ' update-ref '],
    ['interrupt', ' update-ref '],
    ['hang', ' rev-list '],
  ];
  test.each(cases)('%s at "git%s": nothing has changed, and the same command succeeds', async (fault, command) => {
    await expectFault(cleanUp, fault, command);
  });
});
