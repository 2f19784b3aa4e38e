import type { EarlyReading } from '../io/early.js';
import { renderList } from '../render-lists.js';
import { answerStraight } from '../run/select.js';
import { type QuickCommand, readQuickCommand } from './quick-command.js';

/**
 * Answers a plain command line if the answer can be found in the straight way, and ends the process. Everything else is left to the whole
 * program: other command lines, changes that must be read exactly, and every failure, which will come again there and be told properly.
 */
export async function answerQuickly(argv: readonly string[], early: EarlyReading | undefined): Promise<'answered' | 'not answered'> {
  const command = readQuickCommand(argv);
  if (command === undefined) return 'not answered';
  // Node ends with 0 when nothing is left to wait for, though a promise may still be open: that must not look like an answer.
  process.exitCode = 70;
  const text = await findAnswer(command, early);
  process.exitCode = undefined;
  if (text === undefined) return 'not answered';
  await writeAndEnd(text);
  return 'answered';
}

async function findAnswer({ request, format }: QuickCommand, early: EarlyReading | undefined): Promise<string | undefined> {
  try {
    const result = await answerStraight(request, early);
    // What is to be said beside the answer is for the whole program to say.
    const isSilent = result !== undefined && result.warnings.length === 0 && (result.all === null || format === 'json');
    return isSilent ? renderList(result, format) : undefined;
  } catch {
    return undefined;
  }
}

/** Ends at once: Node would wait for the compilers of its engine, which work ahead for a process that has nothing left to do. */
async function writeAndEnd(text: string): Promise<void> {
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    process.stdout.on('error', resolve);
    process.stdout.write(text, () => resolve(undefined));
  });
  // The reader (`head`) may have seen enough.
  if (failure === undefined || failure.code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: The output could not be written: ${failure.message}\n`);
  process.exit(1);
}
