import { expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import { readTests } from './test-options.js';

const read = (...testsEnv: string[]) => readTests({ testsEnv, align: true, install: true }, { TZ: 'UTC', DB_PASS: 'hunter2' });

test('a variable is passed as the user has it, or as it is given', () => {
  expect(read('TZ', 'LIMIT=5', 'UNSET').variables).toEqual({ TZ: 'UTC', LIMIT: '5', UNSET: undefined });
});

test.each(['DB_PASS', 'APIKEY=hunter2', 'PROXY=bob:hunter2@proxy:3128'])(
  'a secret is refused also where it is named, with what to do, and is not shown: %s',
  (given) => {
    try {
      read(given);
      throw new Error('it was accepted');
    } catch (error) {
      if (!isToolError(error)) throw error;
      expect([error.code, error.hint]).toEqual(['USAGE', expect.stringMatching(/rename the variable.*container/)]);
      expect(`${error.message}${error.hint}`).not.toContain('hunter2');
    }
  },
);
