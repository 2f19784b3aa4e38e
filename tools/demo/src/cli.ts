import { takesBack } from '@tributary/terminal/interruption';
import { runTool } from '@tributary/terminal/main';
import { Command } from 'commander';
import { demo } from './run/demo.js';

void runTool((services) =>
  takesBack(new Command('demo'))
    .description(
      'Creates three small git repositories and a monorepo in a temporary folder, and moves the repositories into the monorepo. Then it selects the tests of a change, runs them in two shards, and compares lead times before and after.',
    )
    .action(() => demo(services)),
);
