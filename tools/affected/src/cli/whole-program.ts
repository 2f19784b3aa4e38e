import { runProgram } from '@tributary/terminal/main';
import type { EarlyReading } from '../io/early.js';
import { buildProgram } from './program.js';

/** Everything that the command line can ask for, through commander, with messages for people. */
export async function runWholeProgram(early: EarlyReading | undefined): Promise<void> {
  await runProgram((services) => buildProgram(services, early));
}
