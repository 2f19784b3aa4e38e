import { runTool } from '@tributary/terminal/main';
import { buildProgram } from './program.js';

/** Everything that the command line can ask for, through commander, with messages for people. */
export async function runWholeProgram(): Promise<void> {
  await runTool(buildProgram);
}
