import { resolve } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl } from '@tributary/model/repo-url';
import { addExamples, readCwd } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import { type Command, Option } from 'commander';
import type { SyncRequest } from '../run/sync-request.js';
import { addProposalOptions, INTO, type ProposalFlags, readBranch, readKinds, readName, readProposal } from './readers.js';

interface SyncOptions extends ProposalFlags {
  readonly into?: string;
  readonly from?: string;
  readonly branch?: string;
  readonly sourceBranch?: string;
  readonly tags: boolean;
  readonly align: boolean;
  readonly internal?: SyncRequest['internal'];
  readonly install: boolean;
  readonly runScripts?: true;
  readonly allowObjects?: string;
  readonly lfsPointers?: true;
  readonly worktree?: string;
  readonly continue?: true;
  readonly abort?: true;
  readonly dryRun?: true;
}

/** Adds the command `sync`. */
export function addSync(program: Command, services: Services): void {
  const command = program
    .command('sync')
    .summary('import new commits of the source')
    .description(
      'Brings what the source of an import has gained since, with one merge commit on a new branch: the commits are rewritten by the same map, so those that came before keep their ids. ' +
        'What you have changed in the package stays. Manifests and lockfile are aligned again, and the whole history is proven. ' +
        'A merge that conflicts is left in a work tree of its own. Your branch, index and work tree are not touched.',
    )
    .argument('<package>', 'the name of the package')
    .option(...INTO)
    .option('--from <address>', 'where the source is now (default: where it was)')
    .option('--source-branch <name>', 'another branch of the source, on a branch of its own, such as release/<package>-1 for release-1')
    .option('--branch <name>', 'the new branch (default: sync/<package>)')
    .option('--no-tags', 'leave new tags behind')
    .option('--no-align', 'leave dependencies as they came')
    .addOption(
      new Option('--internal <requests>', 'which requests between workspaces get the workspace, as in a migration')
        .choices(['admitted', 'all'])
        .conflicts('align'),
    )
    .option('--no-install', 'align manifests, and leave the lockfile and the installation to you')
    .option('--run-scripts', 'let the installation run scripts that come with packages, and what packs git dependencies')
    .option('--lfs-pointers', 'take files of Git LFS as pointers, even where their content is missing')
    .option(
      '--allow-objects <kinds>',
      'bring malformed objects of these kinds, which servers refuse: names of git, with commas between them',
    )
    .option('--worktree <folder>', 'where a merge that conflicts is left (default: beside the monorepo)')
    .addOption(new Option('--continue', 'align and install what you have resolved and committed').conflicts(['abort', 'dryRun']))
    .addOption(new Option('--abort', 'give up a merge that conflicts: remove its work tree, branch and tags').conflicts('dryRun'))
    .option('--dry-run', 'say what would come and what would conflict, and write nothing');
  addProposalOptions(command);
  addExamples(command, [
    { line: 'migrate-repo sync left-pad --dry-run', purpose: 'see what the source has gained, and what would conflict' },
    { line: 'migrate-repo sync left-pad', purpose: 'bring it, on the branch sync/left-pad' },
    { line: 'migrate-repo sync left-pad --source-branch release-1', purpose: 'bring another branch, as release/left-pad-1' },
    { line: 'migrate-repo sync left-pad --continue', purpose: 'go on after conflicts were resolved' },
  ]);
  command.action(async (name: string, options: SyncOptions) => {
    const request = readRequest(name, options, readCwd(command));
    const { runSync, runSyncAbort, runSyncContinue } = await import('./sync-commands.js');
    if (options.continue === true) return runSyncContinue(request, services);
    return options.abort === true ? runSyncAbort(request, services) : runSync(request, services);
  });
}

/** Throws `USAGE`. */
function readRequest(name: string, options: SyncOptions, cwd: AbsolutePath): SyncRequest {
  const absolute = (path: string): AbsolutePath => parseAbsolutePath(resolve(cwd, path));
  refuseToFetch(options);
  refuseOwnLine(options);
  return {
    name: readName(name),
    into: absolute(options.into ?? '.'),
    from: options.from === undefined ? undefined : parseRepoUrl(options.from, absolute),
    branch: readBranch(options.branch),
    sourceBranch: readBranch(options.sourceBranch),
    tags: options.tags ? 'recorded' : 'none',
    align: options.align ? 'yes' : 'no',
    internal: options.internal,
    install: options.install ? 'yes' : 'no',
    scripts: options.runScripts === true ? 'run' : 'refuse',
    allowedFaults: readKinds(options.allowObjects),
    lfsPointers: options.lfsPointers === true ? 'accept' : 'refuse',
    proposal: readProposal(options),
    worktree: options.worktree === undefined ? undefined : absolute(options.worktree),
    extent: options.dryRun === true ? 'plan only' : 'all',
  };
}

/** A branch such as release/left-pad-1 lives on its own, and is not merged into the default branch. */
function refuseOwnLine({ pullRequest, sourceBranch, base }: SyncOptions): void {
  if (pullRequest !== true || sourceBranch === undefined || base !== undefined) return;
  throw new ToolError({
    code: 'USAGE',
    message: '--pull-request with --source-branch needs --base: the branch of another line is not merged into the default branch.',
    hint: 'Push the branch yourself, or name with --base what it is to be merged into.',
  });
}

/** What is left to be done after a conflict is done without the source. */
function refuseToFetch(options: SyncOptions): void {
  if (options.continue !== true && options.abort !== true) return;
  const wrong = (['from', 'sourceBranch', 'worktree'] as const).find((option) => options[option] !== undefined);
  if (wrong === undefined) return;
  throw new ToolError({
    code: 'USAGE',
    message: `--${wrong.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} does not go with --continue or --abort.`,
    hint: 'They go on from the branch of the sync, which --branch names where it is not sync/<package>.',
  });
}
