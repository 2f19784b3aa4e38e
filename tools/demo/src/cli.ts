import { runTool } from '@tributary/terminal/main';
import { Command } from 'commander';
import { demo } from './run/demo.js';

void runTool((services) =>
  new Command('demo')
    .description(
      'Makes a small organisation of git repositories and a monorepo in a temporary folder, moves the one into the other, asks which tests a change then needs, runs them as two machines would, and reports what the move was worth.',
    )
    .action(() => demo(services)),
);
