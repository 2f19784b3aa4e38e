import { resolve } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { parseAbsolutePath } from '@tributary/model/paths';
import { addExamples, readCwd } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import type { Command } from 'commander';
import type { InitRequest } from '../run/init.js';
import { INTO } from './readers.js';

interface InitOptions {
  readonly into?: string;
  readonly ssh?: true;
  readonly yes?: true;
  readonly dryRun?: true;
}

/** Adds the command `init`. */
export function addInit(program: Command, services: Services): void {
  const command = program
    .command('init')
    .summary('list repositories of a GitHub owner in tributary.json')
    .description(
      'Writes the repositories of an organisation or a person on GitHub into "migrate.packages" of tributary.json, dependencies first. ' +
        'Lists archived repositories, forks and those without a package.json, and leaves them out. Existing entries stay. ' +
        'The token is that of GITHUB_TOKEN or GH_TOKEN; without one, only public repositories are seen. GITHUB_API_URL names GitHub Enterprise.',
    )
    .argument('<owner>', 'the name of the organisation or the person')
    .option(...INTO)
    .option('--ssh', 'write addresses for ssh (default: https)')
    .option('--yes', 'write without asking')
    .option('--dry-run', 'print what would be written, and write nothing');
  addExamples(command, [
    { line: 'migrate-repo init acme --dry-run', purpose: 'see which repositories are packages' },
    { line: 'migrate-repo init acme --ssh --yes', purpose: 'write them, with addresses for ssh' },
  ]);
  command.action(async (owner: string, options: InitOptions) => {
    const request = readRequest(owner, options, command);
    const { runInit } = await import('./init-commands.js');
    await runInit(request, services);
  });
}

/** Throws `USAGE`. */
function readRequest(owner: string, options: InitOptions, command: Command): InitRequest {
  // What GitHub allows, and of Enterprise accounts the short name behind an underscore.
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(owner))
    throw new ToolError({
      code: 'USAGE',
      message: `${JSON.stringify(owner)} is not the name of an owner on GitHub.`,
      hint: 'Give the name alone, as in https://github.com/<owner>.',
    });
  return {
    owner,
    into: parseAbsolutePath(resolve(readCwd(command), options.into ?? '.')),
    address: options.ssh === true ? 'ssh' : 'https',
    confirmation: options.yes === true ? 'given' : 'ask',
    extent: options.dryRun === true ? 'plan only' : 'all',
  };
}
