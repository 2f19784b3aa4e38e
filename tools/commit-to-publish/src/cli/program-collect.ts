import { addExamples, readCwd } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import type { Command } from 'commander';
import type { CollectCommandOptions } from './collect.js';
import { readDate } from './report-options.js';
import { RECORD, readSettings } from './settings.js';

export function addCollect(program: Command, services: Services): void {
  const command = program
    .command('collect')
    .summary('collect changes and releases from clones')
    .description(
      'Reads the main line of clones, their tags and versions, and the registry where one is named, and records when each change was merged and published. ' +
        'GitHub, if asked, adds approvals and tests. Of several clones the lockfiles say when a version of one came into another. Run again, it records what is new.',
    )
    .option(
      '--repo <clone>',
      'the folder of a clone with its whole history; may be given several times (default: the current folder)',
      add,
      [],
    )
    .option('--name <owner/name>', 'what the repository is called in the record (default: as its remote says)')
    .option('--since <date>', 'only changes merged from then on, such as 2026-01-05', readDate)
    .option('--registry <url>', 'ask this npm registry for times and dist-tags (default: as tributary.json says, else none)')
    .option(
      '--github [owner/name]',
      'ask GitHub for pull requests with their tests, releases and deployments; with the token in GITHUB_TOKEN or GH_TOKEN (default: what the remote of each clone says)',
    )
    .option(
      '--jobs',
      'with --github, ask for the jobs of workflows too, a request for each run: the tests of each attempt after the merge, and when a publication began; from the last 90 days, or as --since says',
    )
    .option('--branch <name>', 'with --github, the branch that pull requests are merged into (default: as the clone says)')
    .option('--full', 'record everything once more, and take back what this clone does not have; nothing counts twice')
    .option('--dry-run', 'only say what would be recorded')
    .option(...RECORD);
  addExamples(command, [
    { line: 'commit-to-publish collect', purpose: 'from the clone around' },
    { line: 'commit-to-publish collect --github acme/app', purpose: 'with its pull requests and their tests' },
    { line: 'commit-to-publish collect --repo ../ui --repo ../app --github', purpose: 'with the upgrades of one in the other' },
  ]);
  command.action(async (options: CollectCommandOptions) => {
    const { runCollect } = await import('./collect.js');
    await runCollect({ ...options, ...(await readSettings(command, options)), cwd: readCwd(command) }, services);
  });
}

function add(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
