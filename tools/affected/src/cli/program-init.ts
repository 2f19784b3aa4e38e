import { addExamples, readCwd } from '@tributary/terminal/global-options';
import { addLater } from '@tributary/terminal/late-details';
import type { Services } from '@tributary/terminal/main';
import { CI_FILES } from '@tributary/workspaces/ci-files';
import { type Command, Option } from 'commander';
import { FORMS, type Form } from '../init/forms.js';

interface InitOptions {
  readonly engine?: string;
  readonly form?: Form;
  readonly uses?: string;
  readonly yes?: true;
  readonly dryRun?: true;
}

/** The names of `ENGINES`, which are only loaded when a command runs. */
export const ENGINE_NAMES: readonly string[] = Object.keys(CI_FILES);

export function addInit(program: Command, services: Services): void {
  const command = program.command('init').summary('set up a monorepo for affected');
  addLater(command, () => {
    command
      .description(
        'Looks at the monorepo (Yarn, turborepo, test runners, CI files). Proposes tributary.json, the workflow for its CI engine and the next steps. ' +
          'On a terminal it asks before it writes; otherwise it writes only with --yes. It never overwrites a file: it shows what to add to it. It runs no code of the monorepo.',
      )
      .addOption(
        new Option('--engine <engine>', 'engine to write the CI workflow for (default: auto-detected)').choices([...ENGINE_NAMES, 'none']),
      )
      .addOption(
        new Option(
          '--form <form>',
          'how the workflow runs tests; `report-only` runs all, and says what a selection would leave out (default: sharded)',
        ).choices(FORMS),
      )
      .option('--uses <repository@commit>', 'on GitHub and GitLab: use the templates of this repository, without copies')
      .addOption(new Option('--yes', 'write all proposed files without confirmation').conflicts('dryRun'))
      .option('--dry-run', 'show the proposal; write nothing');
    addExamples(command, [
      { line: 'affected init', purpose: 'propose files, and ask before writing them' },
      { line: 'affected init --dry-run', purpose: 'see the proposal' },
      { line: 'affected init --form report-only', purpose: 'for the first weeks: run everything, and report' },
      { line: 'affected init --engine gitlab --yes', purpose: 'write everything for one CI engine' },
    ]);
    command.action(async ({ engine, form, uses, yes, dryRun }: InitOptions) => {
      const { runInit } = await import('./commands.js');
      const consent = yes === true ? 'given' : dryRun === true ? 'refused' : 'ask';
      await runInit({ cwd: readCwd(command), engine, form, uses }, consent, services);
    });
  });
}
