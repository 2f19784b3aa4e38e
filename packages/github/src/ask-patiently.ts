import { isToolError } from '@tributary/model/errors';
import type { GitHub } from './client.js';
import type { Question } from './failure.js';

/** A limit of requests is renewed every hour. */
const LONGEST_SECONDS = 3700;
const PAUSES = 3;

export interface Waiting {
  /** Called before a pause until the limit of requests is renewed. */
  readonly onPause?: ((seconds: number) => void) | undefined;
}

/** `ask` again after the pause that the API wants where the limit of requests is used up; what else it throws is thrown. For work that nobody waits for at a CI job. */
export async function askPatiently<T>(
  github: GitHub,
  question: Question,
  { ask, onPause }: Waiting & { ask: () => Promise<T> },
): Promise<T> {
  for (let pauses = 0; ; pauses++) {
    try {
      return await ask();
    } catch (error) {
      const seconds = isToolError(error) ? error.data['pauseSeconds'] : undefined;
      if (typeof seconds !== 'number' || seconds > LONGEST_SECONDS || pauses === PAUSES) throw error;
      onPause?.(seconds);
      await github.pause(question, seconds);
    }
  }
}
