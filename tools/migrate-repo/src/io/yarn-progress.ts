import type { Progress } from '@tributary/terminal/progress';
import type { YarnMessage } from './yarn.js';

/** The callbacks of a `YarnContext`. */
interface YarnListener {
  readonly onPhase: (name: string) => void;
  readonly onMessage: (message: YarnMessage) => void;
}

/** Shows Yarn's messages as they arrive: steps, warnings and errors, and the rest if the terminal has a line for it. */
export function yarnOnProgress(progress: Progress): YarnListener {
  return {
    onPhase: (name) => progress.phase(name),
    onMessage: (message) => {
      const words = wordsOf(message);
      if (words !== undefined) progress.message(words.text, words.weight);
    },
  };
}

/**
 * Returns the text to show. `undefined` for the end of a step or a run, and for a step that was not requested (YN0073).
 * Only the first line of a message is shown, because the others are a position in Yarn's own code.
 */
function wordsOf({ type, code, text }: YarnMessage): { readonly text: string; readonly weight: 'plain' | 'aside' } | undefined {
  const [line = ''] = text.split('\n');
  if (/^└ |^(?:Done|Failed)\b.* in \d/.test(line) || code === 'YN0073') return undefined;
  const [, step] = /^┌ (.*)$/.exec(line) ?? [];
  if (step !== undefined) return { text: step, weight: 'plain' };
  return type === 'info'
    ? { text: line, weight: 'aside' }
    : { text: `${type}${code === 'YN0000' ? '' : ` ${code}`}: ${line}`, weight: 'plain' };
}
