import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel } from '@clack/prompts';
import type { InputStream, OutputStream } from './streams.js';

/**
 * Asks yes or no on a terminal; the default is no. `cancelled`: Ctrl-C, Escape, or the end of the input. Loaded lazily, and called only by
 * `Ui`.
 */
export async function askYesOrNo(question: string, input: InputStream, output: OutputStream): Promise<'yes' | 'no' | 'cancelled'> {
  const end = watchEnd(input);
  const answer = await confirm({
    message: question,
    initialValue: false,
    withGuide: false,
    input: input as Readable,
    output: output as Writable,
    signal: end.signal,
  });
  end.stop();
  if (isCancel(answer)) return 'cancelled';
  return answer ? 'yes' : 'no';
}

/**
 * Aborts at Ctrl-D, which closes clack's reader, and at the end of the input. clack would wait for ever there, and Node would stop without
 * an answer.
 */
function watchEnd(input: InputStream): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const onEnd = (): void => controller.abort();
  const onKey = (_text: unknown, key: { readonly name?: string; readonly ctrl?: boolean } | undefined): void => {
    if (key?.ctrl === true && key.name === 'd') onEnd();
  };
  const events = ['end', 'close'] as const;
  for (const event of events) input.on(event, onEnd);
  input.on('keypress', onKey);
  return {
    signal: controller.signal,
    stop: () => {
      for (const event of events) input.off(event, onEnd);
      input.off('keypress', onKey);
    },
  };
}
