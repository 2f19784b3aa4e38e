import { resolve } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl } from '@tributary/model/repo-url';
import { checkOutput, outputPath } from '@tributary/process/output-file';
import { addExamples, readCwd } from '@tributary/terminal/global-options';
import { takesBack } from '@tributary/terminal/interruption';
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
  readonly report?: string;
  readonly continue?: true;
  readonly abort?: true;
  readonly dryRun?: true;
}

/** Adds the command `sync`. */
export function addSync(program: Command, services: Services): void {
  const command = takesBack(program.command('sync'))
    .summary('import new commits of the source')
    .description(
      'Imports new commits of the source, with one merge commit on a new branch. Earlier ones keep their ids. ' +
        'Your changes in the package are kept. Manifests and lockfile are aligned again, and the whole history is verified. ' +
        'A merge with conflicts is left in a separate worktree. Your branch, index and working tree are not changed.',
    )
    .argument('<package>', 'name of the package')
    .option(...INTO)
    .option('--from <address>', 'current address of the source (default: the recorded one)')
    .option(
      '--source-branch <name>',
      'a different branch of the source, imported on its own branch, such as release/<package>-1 for release-1',
    )
    .option('--branch <name>', 'name of the new branch (default: sync/<package>)')
    .option('--no-tags', 'do not import new tags')
    .option('--no-align', 'keep dependencies unchanged')
    .addOption(
      new Option('--internal <requests>', 'which internal dependencies use the workspace, as in a migration')
        .choices(['admitted', 'all'])
        .conflicts('align'),
    )
    .option('--no-install', 'align manifests only; do not update the lockfile or install')
    .option('--run-scripts', 'allow the installation to run scripts of packages and of git dependencies, and repeat it in a fresh clone')
    .option('--lfs-pointers', 'import Git LFS files as pointers, even if their content is missing')
    .option(
      '--allow-objects <kinds>',
      'import malformed objects of these kinds, which servers may refuse: names of git fsck, comma-separated',
    )
    .option('--worktree <folder>', 'folder for a merge with conflicts (default: beside the monorepo)')
    .option('--report <file>', 'write a Markdown report: what was compared, imported, changed and left to decide')
    .addOption(
      new Option('--continue', 'continue after you resolved and committed the conflicts: align and install').conflicts(['abort', 'dryRun']),
    )
    .addOption(
      new Option('--abort', 'give up a merge with conflicts: remove its worktree, branch and tags').conflicts(['dryRun', 'report']),
    )
    .option('--dry-run', 'print what would be imported and what would conflict; write nothing');
  addProposalOptions(command);
  addExamples(command, [
    { line: 'migrate-repo sync left-pad --dry-run', purpose: 'see new commits of the source, and what would conflict' },
    { line: 'migrate-repo sync left-pad', purpose: 'import them, on the branch sync/left-pad' },
    { line: 'migrate-repo sync left-pad --source-branch release-1', purpose: 'import another branch, as release/left-pad-1' },
    { line: 'migrate-repo sync left-pad --continue', purpose: 'continue after conflicts were resolved' },
  ]);
  command.action(async (name: string, options: SyncOptions) => {
    const request = readRequest(name, options, readCwd(command));
    if (request.report !== undefined) checkOutput(request.report);
    const { runSync, runSyncAbort, runSyncContinue } = await import('./sync-commands.js');
    if (options.continue === true) return runSyncContinue(request, services);
    return options.abort === true ? runSyncAbort(request, services) : runSync(request, services);
  });
}

/** Reads the command line of `sync`. Throws `USAGE`. */
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
    report: options.report === undefined ? undefined : parseAbsolutePath(outputPath(cwd, options.report)),
    extent: options.dryRun === true ? 'plan only' : 'all',
  };
}

/**
 * Rejects a pull request without a base for a branch such as release/left-pad-1, which is not merged into the default
 * branch. Throws `USAGE`.
 */
function refuseOwnLine({ pullRequest, sourceBranch, base }: SyncOptions): void {
  if (pullRequest !== true || sourceBranch === undefined || base !== undefined) return;
  throw new ToolError({
    code: 'USAGE',
    message:
      '--pull-request with --source-branch needs --base, because a different branch of the source does not belong in the default branch.',
    hint: 'Name the target branch with --base, or push the branch yourself.',
  });
}

/** Rejects options about the source with --continue and --abort, which do not read the source. Throws `USAGE`. */
function refuseToFetch(options: SyncOptions): void {
  if (options.continue !== true && options.abort !== true) return;
  const wrong = (['from', 'sourceBranch', 'worktree'] as const).find((option) => options[option] !== undefined);
  if (wrong === undefined) return;
  throw new ToolError({
    code: 'USAGE',
    message: `--${wrong.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} cannot be combined with --continue or --abort.`,
    hint: 'They use the branch of the sync: sync/<package>, or the one given with --branch.',
  });
}
