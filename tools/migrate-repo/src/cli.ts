import { runProgram } from '@tributary/terminal/main';
import { buildProgram } from './cli/program.js';

void runProgram(buildProgram);
