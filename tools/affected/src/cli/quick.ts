import { withObjectReader } from '@tributary/git/objects';
import { writeAtOnce } from '@tributary/terminal/write-at-once';
import { locate } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import { startPlain } from '../run/start-plain.js';
import { type QuickCommand, readQuickCommand } from './quick-command.js';

/**
 * Answers a plain command line on the fast path, and ends the process. The whole program handles everything else: warnings, and every
 * failure, which occurs there again and is reported properly.
 */
export async function answerQuickly(argv: readonly string[]): Promise<'answered' | 'not answered'> {
  const command = readQuickCommand(argv);
  if (command === undefined) return 'not answered';
  // Node exits with 0 when it has nothing to wait for, even if a promise is pending: that must not look like an answer.
  process.exitCode = 70;
  const text = await findAnswer(command);
  process.exitCode = undefined;
  if (text === undefined) return 'not answered';
  writeAndEnd(text);
  return 'answered';
}

async function findAnswer(command: QuickCommand): Promise<string | undefined> {
  const { request } = command;
  try {
    const place = locate(request.cwd);
    return await withObjectReader(openGit(place), async (git) => {
      const reading = startPlain(request, { git, place });
      if (reading === undefined) return undefined;
      // Git reads while this loads.
      const { answerFrom } = await import('./quick-answer.js');
      return answerFrom(reading, { git, place }, command);
    });
  } catch {
    return undefined;
  }
}

/** Exits at once, because Node would wait for its optimising compilers although the process has nothing left to do. */
function writeAndEnd(text: string): void {
  // Creating `process.stdout` takes a millisecond.
  const failure = writeAtOnce(1, Buffer.from(text));
  // The reader, such as `head`, may have closed the pipe.
  if (failure === undefined || failure.code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: The output could not be written: ${failure.message}\n`);
  process.exit(1);
}
