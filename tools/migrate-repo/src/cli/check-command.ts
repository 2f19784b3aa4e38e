import { resolve } from 'node:path';
import { parseAbsolutePath } from '@tributary/model/paths';
import { addExamples, readCwd } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import type { Command } from 'commander';
import { INTO } from './readers.js';

/** Adds the command `check`. Its code is loaded when it runs. */
export function addCheck(program: Command, services: Services): void {
  const command = program
    .command('check')
    .summary('show what a migration needs, and what is missing')
    .description(
      'Shows what a migration needs (git, Node, the monorepo and its Yarn, full history, an identity, npm, a token), what is missing, and how to get it. Changes nothing. Exit code 1 if something is missing.',
    )
    .option(...INTO);
  addExamples(command, [{ line: 'migrate-repo check', purpose: 'before the first migration' }]);
  command.action(async ({ into }: { into?: string }) => {
    const { checkSetup } = await import('../run/check-setup.js');
    const { showSetup } = await import('@tributary/terminal/setup-check');
    showSetup(await checkSetup(parseAbsolutePath(resolve(readCwd(command), into ?? '.')), services), services.ui);
  });
}
