import { runTool } from '@tributary/terminal/main';
import { buildProgram } from './program.js';
import { REMOVED } from './removed.js';

/** Runs the whole command line through commander, with messages for people. */
export async function runWholeProgram(): Promise<void> {
  await runTool(buildProgram, { removed: REMOVED });
}
