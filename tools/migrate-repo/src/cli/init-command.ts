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
        'Archived repositories, forks and those without a package.json are listed but left out. Existing entries stay. ' +
        'Uses the token in GITHUB_TOKEN or GH_TOKEN; without one, and of a person, it finds only public repositories. For GitHub Enterprise, set GITHUB_API_URL.',
    )
    .argument('<owner>', 'name of the organisation or the person')
    .option(...INTO)
    .option('--ssh', 'write ssh addresses (default: https)')
    .option('--yes', 'write without confirmation')
    .option('--dry-run', 'print what would be written; write nothing');
  addExamples(command, [
    { line: 'migrate-repo init acme --dry-run', purpose: 'see which repositories are packages' },
    { line: 'migrate-repo init acme --ssh --yes', purpose: 'write them, with ssh addresses' },
  ]);
  command.action(async (owner: string, options: InitOptions) => {
    const request = readRequest(owner, options, command);
    const { runInit } = await import('./init-commands.js');
    await runInit(request, services);
  });
}

/** Reads the command line of `init`. Throws `USAGE`. */
function readRequest(owner: string, options: InitOptions, command: Command): InitRequest {
  // GitHub's characters for owners. Enterprise accounts may also have an underscore and a short code at the end.
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(owner))
    throw new ToolError({
      code: 'USAGE',
      message: `${JSON.stringify(owner)} is not a valid name of a GitHub owner.`,
      hint: 'Give only the name, as in https://github.com/<owner>.',
    });
  return {
    owner,
    into: parseAbsolutePath(resolve(readCwd(command), options.into ?? '.')),
    address: options.ssh === true ? 'ssh' : 'https',
    confirmation: options.yes === true ? 'given' : 'ask',
    extent: options.dryRun === true ? 'plan only' : 'all',
  };
}
