import { runTool } from '@tributary/terminal/main';
import { buildProgram } from './cli/program.js';

const argv = process.argv.slice(2);
// Who types the name alone wants to know what there is.
void runTool(buildProgram, argv.length === 0 ? ['--help'] : argv);
