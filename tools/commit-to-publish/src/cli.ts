import { runTool } from '@tributary/terminal/main';
import { buildProgram } from './cli/program.js';
import { REMOVED } from './cli/removed.js';

const argv = process.argv.slice(2);
// The name alone shows the help.
void runTool(buildProgram, { argv: argv.length === 0 ? ['--help'] : argv, removed: REMOVED });
