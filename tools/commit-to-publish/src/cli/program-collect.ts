import { addExamples, readCwd } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import type { Command } from 'commander';
import { SCREEN } from '../report/top-rows.js';
import type { CollectCommandOptions } from './collect.js';
import { addList } from './options.js';
import { readCount, readDate } from './report-options.js';
import { RECORD, readSettings } from './settings.js';

export function addCollect(program: Command, services: Services): void {
  const command = program
    .command('collect')
    .summary('collect changes and releases from clones')
    .description(
      'Reads the main line of clones, their tags and versions, and a registry if you name one. Records when each change was merged and published. ' +
        'With --github, adds approvals and tests. With several clones, lockfiles show when a version of one reached another. A later run records only what is new.',
    )
    .option('--repo <clone>', 'folder of a clone with its whole history; repeatable (default: current folder)', addList, [])
    .option('--name <owner/name>', 'name of the repository in the record (default: from its remote)')
    .option('--package <name>', 'record and print only this package; repeatable', addList, [])
    .option(
      '--top <count>',
      `rows of each table, those with most changes or versions to take (default: all repositories, ${SCREEN} packages)`,
      readCount,
    )
    .option('--since <date>', 'only changes merged on or after this day, such as 2026-01-05', readDate)
    .option('--registry <url>', 'npm registry for times and dist-tags (default: the one in tributary.json, else none)')
    .option(
      '--github [owner/name]',
      'read pull requests with their tests, releases and deployments from GitHub, with the token in GITHUB_TOKEN or GH_TOKEN (default: the remote of each clone)',
    )
    .option(
      '--jobs',
      'with --github, also read workflow jobs, with one request for each run: tests after the merge, and when a publication began (last 90 days, or since --since)',
    )
    .option('--branch <name>', 'with --github, target branch of pull requests (default: from the clone)')
    .option('--full', 'record everything again, and retract what this clone does not have; nothing is counted twice')
    .option('--dry-run', 'print what would be recorded; write nothing')
    .option(...RECORD);
  addExamples(command, [
    { line: 'commit-to-publish collect', purpose: 'from the clone that you are in' },
    { line: 'commit-to-publish collect --github acme/app', purpose: 'with its pull requests and their tests' },
    { line: 'commit-to-publish collect --repo ../ui --repo ../app --github', purpose: 'two clones, with the upgrades of one in the other' },
  ]);
  command.action(async (options: CollectCommandOptions) => {
    const { runCollect } = await import('./collect.js');
    await runCollect({ ...options, ...(await readSettings(command, options)), cwd: readCwd(command) }, services);
  });
}
