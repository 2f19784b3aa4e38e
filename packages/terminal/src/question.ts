import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel } from '@clack/prompts';
import type { InputStream, OutputStream } from './streams.js';

/** Asks yes or no on a terminal; "no" is preset. `cancelled`: Ctrl-C, Escape, or the end of the input. Loaded late, and called by `Ui` alone. */
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

/** clack waits for ever at Ctrl-D, which closes its reader, and at an input that ends: Node would then stop with the answer outstanding. */
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
