import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel } from '@clack/prompts';
import type { InputStream, OutputStream } from './streams.js';

/** Asks yes or no on a terminal; "no" is preset. `cancelled`: Ctrl-C or Escape. Loaded late, and called by `Ui` alone. */
export async function askYesOrNo(question: string, input: InputStream, output: OutputStream): Promise<'yes' | 'no' | 'cancelled'> {
  const answer = await confirm({
    message: question,
    initialValue: false,
    withGuide: false,
    input: input as Readable,
    output: output as Writable,
  });
  if (isCancel(answer)) return 'cancelled';
  return answer ? 'yes' : 'no';
}
