import { setImmediate } from 'node:timers/promises';
import { isToolError } from '@tributary/model/errors';
import { systemClock } from '@tributary/terminal/clock';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import type { CliResult } from '@tributary/test-repo/run-cli';
import { buildProgram } from '../cli/program.js';

/** What a job of CI sets for a program would change answers, and so would the user's settings of git. */
const KEPT = /^(?:PATH|TMPDIR|TRIBUTARY_\w+)$/;
const HERMETIC = { HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };

/**
 * Asks `affected --json` in this process, from the sources: the program takes longer to start than to answer. That the program itself gives
 * the same answers is tested by every question with variables or other commands, and by random ones.
 */
export async function answerHere(args: readonly string[], cwd: string): Promise<CliResult> {
  for (const name of Object.keys(process.env)) if (!KEPT.test(name)) delete process.env[name];
  Object.assign(process.env, HERMETIC);
  const streams = recordStreams();
  const ui = new Ui(streams, {}, { quiet: false, verbose: false, color: 'never', input: 'never', json: true });
  const ended = (code: number): CliResult => ({ code, signal: null, stdout: streams.stdoutText(), stderr: streams.stderrText() });
  try {
    const program = buildProgram({ ui, clock: systemClock, signal: new AbortController().signal });
    await program.exitOverride().parseAsync(['--cwd', cwd, '--json', ...args], { from: 'user' });
    await setImmediate();
    return ended(0);
  } catch (error) {
    if (!isToolError(error)) throw error;
    return { ...ended(error.code === 'USAGE' ? 2 : 1), stdout: JSON.stringify({ error }) };
  }
}
