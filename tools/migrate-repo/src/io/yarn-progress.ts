import type { Progress } from '@tributary/terminal/progress';
import type { YarnMessage } from './yarn.js';

/** What a `YarnContext` calls. */
interface YarnListener {
  readonly onPhase: (name: string) => void;
  readonly onMessage: (message: YarnMessage) => void;
}

/** Shows what Yarn says as it comes: its steps, warnings and errors, and, where a terminal has a line for it, the rest. */
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
 * `undefined` for what only closes a step or a run, and for a step that was not asked for (YN0073). Of several lines the first says it; those
 * behind it are a place in Yarn's own code.
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
