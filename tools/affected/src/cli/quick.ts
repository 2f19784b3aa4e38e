import { withObjectReader } from '@tributary/git/objects';
import { writeAtOnce } from '@tributary/terminal/write-at-once';
import { locate } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import { startPlain } from '../run/start-plain.js';
import { type QuickCommand, readQuickCommand } from './quick-command.js';

/**
 * Answers a plain command line if the answer can be found in the straight way, and ends the process. Everything else is left to the whole
 * program: what is to be said beside the answer, and every failure, which will come again there and be told properly.
 */
export async function answerQuickly(argv: readonly string[]): Promise<'answered' | 'not answered'> {
  const command = readQuickCommand(argv);
  if (command === undefined) return 'not answered';
  // Node ends with 0 when nothing is left to wait for, though a promise may still be open: that must not look like an answer.
  process.exitCode = 70;
  const text = await findAnswer(command);
  process.exitCode = undefined;
  if (text === undefined) return 'not answered';
  writeAndEnd(text);
  return 'answered';
}

async function findAnswer({ request, format }: QuickCommand): Promise<string | undefined> {
  try {
    const place = locate(request.cwd);
    return await withObjectReader(openGit(place), async (git) => {
      const reading = startPlain(request, { git, place });
      if (reading === undefined) return undefined;
      // Git reads while this is loaded.
      const { answerFrom } = await import('./quick-answer.js');
      return answerFrom(reading, { git, place }, format);
    });
  } catch {
    return undefined;
  }
}

/** Ends at once: Node would wait for the compilers of its engine, which work ahead for a process that has nothing left to do. */
function writeAndEnd(text: string): void {
  // `process.stdout` takes a millisecond to be made.
  const failure = writeAtOnce(1, Buffer.from(text));
  // The reader (`head`) may have seen enough.
  if (failure === undefined || failure.code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: The output could not be written: ${failure.message}\n`);
  process.exit(1);
}
