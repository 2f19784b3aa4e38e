import { resolve } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl } from '@tributary/model/repo-url';
import { addExamples, readCwd } from '@tributary/terminal/global-options';
import { takesBack } from '@tributary/terminal/interruption';
import type { Services } from '@tributary/terminal/main';
import type { Command } from 'commander';
import type { PullRequestsRequest } from '../run/pull-requests-request.js';
import { INTO, readBranch, readName } from './readers.js';

interface PullRequestsOptions {
  readonly into?: string;
  readonly from?: string;
  readonly remote: string;
  readonly base?: string;
  readonly forks: boolean;
  readonly dryRun?: true;
}

/** Adds the command `pull-requests`. */
export function addPullRequests(program: Command, services: Services): void {
  const command = takesBack(program.command('pull-requests'))
    .summary('recreate open pull requests of the source')
    .description(
      'Recreates the open pull requests of the source in the monorepo, also those from forks. Each branch is rewritten like the import and pushed as <package>/pr-<number>. ' +
        'Each commit keeps its patch, author and dates. ' +
        'A second run updates what the first has opened. The source is not changed. ' +
        'Works with GitHub and GitHub Enterprise; the token comes from GITHUB_TOKEN or GH_TOKEN.',
    )
    .argument('<package>', 'name of the package')
    .option(...INTO)
    .option('--from <address>', 'current address of the source (default: the recorded one)')
    .option('--remote <name>', 'remote of the monorepo to push branches to', 'origin')
    .option('--base <branch>', 'branch of the monorepo that replaces the imported one (default: its default branch)')
    .option('--no-forks', 'leave out pull requests from forks')
    .option('--dry-run', 'print every call that would write; make none');
  addExamples(command, [
    { line: 'migrate-repo pull-requests left-pad --dry-run', purpose: 'see what would be pushed and opened' },
    { line: 'migrate-repo pull-requests left-pad', purpose: 'open or update them' },
  ]);
  command.action(async (name: string, options: PullRequestsOptions) => {
    const request = readRequest(name, options, readCwd(command));
    const { runPullRequests } = await import('./pull-requests-commands.js');
    return runPullRequests(request, services);
  });
}

/** Reads the command line of `pull-requests`. Throws `USAGE`. */
function readRequest(name: string, options: PullRequestsOptions, cwd: AbsolutePath): PullRequestsRequest {
  const absolute = (path: string): AbsolutePath => parseAbsolutePath(resolve(cwd, path));
  return {
    name: readName(name),
    into: absolute(options.into ?? '.'),
    from: options.from === undefined ? undefined : parseRepoUrl(options.from, absolute),
    remote: options.remote,
    base: readBranch(options.base),
    forks: options.forks ? 'bring' : 'leave out',
    extent: options.dryRun === true ? 'plan only' : 'all',
  };
}
