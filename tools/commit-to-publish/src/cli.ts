import { runTool } from '@tributary/terminal/main';
import { buildProgram } from './cli/program.js';

const argv = process.argv.slice(2);
// The name alone shows the help.
void runTool(buildProgram, { argv: argv.length === 0 ? ['--help'] : argv });
