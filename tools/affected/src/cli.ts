import { runTool } from '@tributary/terminal/main';
import { buildProgram } from './cli/program.js';
import { REMOVED } from './cli/removed.js';

void runTool(buildProgram, { removed: REMOVED });
