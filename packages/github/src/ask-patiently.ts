import { isToolError } from '@tributary/model/errors';
import type { GitHub } from './client.js';
import type { ApiQuestion } from './failure.js';

/** The rate limit is reset every hour. */
const LONGEST_SECONDS = 3700;
const PAUSES = 3;

/**
 * Repeats `ask` after the pause that the API requests if the rate limit is used up; rethrows all other errors. Use it only where no CI job
 * waits.
 */
export async function askPatiently<T>(github: GitHub, question: ApiQuestion, ask: () => Promise<T>): Promise<T> {
  for (let pauses = 0; ; pauses++) {
    try {
      return await ask();
    } catch (error) {
      const seconds = isToolError(error) ? error.data['pauseSeconds'] : undefined;
      if (typeof seconds !== 'number' || seconds > LONGEST_SECONDS || pauses === PAUSES) throw error;
      github.onPause(seconds);
      await github.pause(question, seconds);
    }
  }
}
