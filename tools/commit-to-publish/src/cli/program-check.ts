import { addExamples, readCwd } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import type { Command } from 'commander';

/** Adds `check`. Its code is loaded when it runs. */
export function addCheck(program: Command, services: Services): void {
  const command = program
    .command('check')
    .summary('show what is needed, and what is missing')
    .description(
      'Shows what this command needs (git, Node, DuckDB, a clone with full history, a token), what is missing, and how to get it. Changes nothing. Exit code 1 if something is missing.',
    );
  addExamples(command, [{ line: 'commit-to-publish check --cwd ../ui', purpose: 'before you collect from a clone' }]);
  command.action(async () => {
    const { checkSetup } = await import('./check.js');
    const { showSetup } = await import('@tributary/terminal/setup-check');
    showSetup(await checkSetup(readCwd(command), services), services.ui);
  });
}
