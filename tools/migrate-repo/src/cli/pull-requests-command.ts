import { resolve } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl } from '@tributary/model/repo-url';
import { addExamples, readCwd } from '@tributary/terminal/global-options';
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
  readonly comment?: true;
  readonly dryRun?: true;
}

/** Adds the command `pull-requests`. */
export function addPullRequests(program: Command, services: Services): void {
  const command = program
    .command('pull-requests')
    .summary('recreate open pull requests of the source')
    .description(
      'Opens the open pull requests of the source in the monorepo, those of forks too. Each branch is rewritten by the map of the import and pushed as <package>/pr-<number>. ' +
        'Each commit keeps its patch, its author and its dates; that is checked before anything is pushed. ' +
        'A second run brings up to date what the first has opened. The source is not changed. ' +
        'Works with GitHub and GitHub Enterprise; the token comes from GITHUB_TOKEN or GH_TOKEN.',
    )
    .argument('<package>', 'the name of the package')
    .option(...INTO)
    .option('--from <address>', 'where the source is now (default: where it was)')
    .option('--remote <name>', 'the remote of the monorepo, to which branches are pushed', 'origin')
    .option('--base <branch>', 'the branch of the monorepo that takes the place of the imported one (default: its default branch)')
    .option('--no-forks', 'leave out pull requests from forks')
    .option('--comment', 'say in each pull request of the source where it goes on')
    .option('--dry-run', 'show every call that would write, and make none');
  addExamples(command, [
    { line: 'migrate-repo pull-requests left-pad --dry-run', purpose: 'see what would be pushed and opened' },
    { line: 'migrate-repo pull-requests left-pad', purpose: 'open them, or bring them up to date' },
    { line: 'migrate-repo pull-requests left-pad --comment', purpose: 'and tell people in the source' },
  ]);
  command.action(async (name: string, options: PullRequestsOptions) => {
    const request = readRequest(name, options, readCwd(command));
    const { runPullRequests } = await import('./pull-requests-commands.js');
    return runPullRequests(request, services);
  });
}

/** Throws `USAGE`. */
function readRequest(name: string, options: PullRequestsOptions, cwd: AbsolutePath): PullRequestsRequest {
  const absolute = (path: string): AbsolutePath => parseAbsolutePath(resolve(cwd, path));
  return {
    name: readName(name),
    into: absolute(options.into ?? '.'),
    from: options.from === undefined ? undefined : parseRepoUrl(options.from, absolute),
    remote: options.remote,
    base: readBranch(options.base),
    forks: options.forks ? 'bring' : 'leave out',
    comment: options.comment === true ? 'write' : 'none',
    extent: options.dryRun === true ? 'plan only' : 'all',
  };
}
