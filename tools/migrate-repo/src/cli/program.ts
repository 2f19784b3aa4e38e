import { resolve } from 'node:path';
import { TAG_HOLES } from '@tributary/model/config';
import { findPatternFlaw } from '@tributary/model/config-reading';
import { ToolError } from '@tributary/model/errors';
import { tagRef } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath, parseRepoPath } from '@tributary/model/paths';
import { outputPath } from '@tributary/process/output-file';
import { addCompletionCommand } from '@tributary/terminal/completion';
import { addExamples, addGlobalOptions, readCwd } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import { nearestCommand } from '@tributary/terminal/nearest-command';
import { Command, Option } from 'commander';
import type { MigrateRequest } from '../run/migrate-request.js';
import { refuseFolderWithMerge, type Strategy } from '../strategy.js';
import { VERSION } from '../version.js';
import { addCheck } from './check-command.js';
import { addInit } from './init-command.js';
import { addMirror } from './mirror-command.js';
import { addPullRequests } from './pull-requests-command.js';
import {
  addProposalOptions,
  INTO,
  noPackage,
  type ProposalFlags,
  readBranch,
  readInto,
  readKinds,
  readName,
  readProposal,
  refuseWithAll,
} from './readers.js';
import { addSync } from './sync-command.js';
import { readTests, TESTS, TESTS_ENV, TESTS_TIMEOUT, type TestFlags } from './test-options.js';
import { addVerify } from './verify-command.js';

/** The command line of migrate-repo. Commands are loaded when they run: `--help` needs none of them. */
export function buildProgram(services: Services): Command {
  const program = new Command('migrate-repo')
    .usage('<package>... [options]\n       migrate-repo --all [options]\n       migrate-repo <command> [options]')
    .description(
      'Moves git repositories into a Yarn workspaces monorepo with their whole history, and proves that nothing was lost.\n\n' +
        'Names of packages without a command before them are migrated; "migrate-repo migrate --help" shows the options for it.',
    )
    .version(VERSION, '-V, --version', 'print the version');
  addGlobalOptions(program);
  addExamples(program, [
    { line: 'migrate-repo left-pad --from ../left-pad', purpose: 'bring one repository in, as packages/left-pad' },
    { line: 'migrate-repo left-pad right-pad --dry-run', purpose: 'see what would happen to two that tributary.json names' },
    { line: 'migrate-repo --all', purpose: 'bring every package that tributary.json lists' },
    { line: 'migrate-repo verify left-pad', purpose: 'prove an import again, from any clone' },
    { line: 'migrate-repo sync left-pad', purpose: 'bring what its repository has gained since' },
    { line: 'migrate-repo discard left-pad', purpose: 'undo a migration that is not merged' },
  ]);
  addMigrate(program, services);
  addVerify(program, services);
  addStatus(program, services);
  addSync(program, services);
  addMirror(program, services);
  addInit(program, services);
  addCheck(program, services);
  addPullRequests(program, services);
  addDiscard(program, services);
  addCompletionCommand(program, services.ui);
  return program;
}

interface MigrateOptions extends ProposalFlags, TestFlags {
  readonly all?: true;
  readonly from?: string;
  readonly into?: string;
  readonly to?: string;
  readonly branch?: string;
  readonly sourceBranch?: string;
  readonly subdirectory?: string;
  readonly strategy: Strategy;
  readonly exact?: true;
  readonly tags: string | boolean;
  readonly lfsPointers?: true;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly align: boolean;
  readonly internal?: MigrateRequest['internal'];
  readonly install: boolean;
  readonly runScripts?: true;
  readonly allowObjects?: string;
  readonly report?: string;
}

function addMigrate(program: Command, services: Services): void {
  const command = program
    .command('migrate', { isDefault: true })
    .summary('import repositories on a new branch; the word "migrate" is optional')
    .description(
      'Brings the repositories of packages into the monorepo, each with one merge commit on a new branch. Your branch, index, work tree, hooks and settings are not touched. ' +
        'Nothing is handed over before it is proven.\n\n' +
        'The repository of a package is the one of --from, else the one in tributary.json, else the one that the npm registry names, which you are asked to confirm.',
    )
    .argument('[packages...]', 'names of packages, as in their package.json')
    .option('--all', 'every package that tributary.json lists, dependencies first; run again to continue with the rest')
    .option('--from <address>', 'the repository: an https or ssh address, or a path; one package only')
    .option(...INTO)
    .option('--to <path>', 'the folder in the monorepo; one package only (default: packages/{shortName}, or the pattern in tributary.json)')
    .option('--branch <name>', 'the new branch (default: migrate/<package>)')
    .option('--source-branch <name>', "the branch of the source; one package only (default: the source's own)")
    .option('--subdirectory <path>', 'take only this folder of the source, with its history; one package only')
    .addOption(
      new Option(
        '--strategy <strategy>',
        'rewrite: every commit as if it had always lived under the path; merge: commits keep their ids and signatures',
      )
        .choices(['rewrite', 'merge'])
        .default('rewrite'),
    )
    .option('--exact', 'keep every byte of messages and headers, also what closes issues, notifies people or signs falsely in the monorepo')
    .option(
      '--tags <pattern>',
      'what tags are called; {name}, {shortName}, {version} and {tag} are replaced (default: {name}@{version}, or the pattern in tributary.json)',
    )
    .option('--no-tags', 'leave the tags behind')
    .option('--no-align', 'leave dependencies as they came, and bring the history alone')
    .addOption(
      new Option(
        '--internal <requests>',
        'which requests between workspaces get the workspace: admitted, those whose range admits the version that is there; all, the others too, which are named (default: admitted, or what tributary.json says)',
      )
        .choices(['admitted', 'all'])
        .conflicts('align'),
    )
    .option('--no-install', 'align manifests, and leave the lockfile and the installation to you')
    .option('--run-scripts', 'let the installation run scripts that come with packages, and what packs git dependencies')
    .addOption(TESTS)
    .option(...TESTS_TIMEOUT)
    .addOption(TESTS_ENV)
    .option('--report <file>', 'write what came, what was changed and what is to be decided as Markdown, for the pull request')
    .option('--lfs-pointers', 'take files of Git LFS as pointers, even where their content is missing')
    .option(
      '--allow-objects <kinds>',
      'bring malformed objects of these kinds, which servers refuse: names of git, with commas between them',
    )
    .option('--yes', 'take the repository that the registry names without asking')
    .option('--dry-run', 'fetch and decide, say what would be done, and write nothing');
  addProposalOptions(command);
  addExamples(command, [
    { line: 'migrate-repo left-pad --from https://github.com/acme/left-pad --dry-run', purpose: 'see the plan for one repository' },
    { line: 'migrate-repo @acme/ui --from ../mono --subdirectory libs/ui', purpose: 'only one folder of a repository, with its history' },
    { line: 'migrate-repo ui core cli --branch migrate/first', purpose: 'several that tributary.json names, on one branch' },
    { line: 'migrate-repo --all --dry-run', purpose: 'see the plan for every package that tributary.json lists' },
    { line: 'migrate-repo left-pad --pull-request', purpose: 'bring one in, push its branch and open its pull request' },
  ]);
  command.action(async (packages: string[], options: MigrateOptions) => {
    const request = { ...readMigrateRequest(packages, options, readCwd(command)), mistyped: findMistyped(program, packages) };
    const { runMigrate } = await import('./commands.js');
    await runMigrate(request, services);
  });
}

/** Without the word "migrate" before it, a name may be a command that was mistyped. */
function findMistyped(program: Command, packages: readonly string[]): MigrateRequest['mistyped'] {
  const mistyped = new Map<string, string>();
  for (const word of program.args[0] === 'migrate' ? [] : packages) {
    const near = nearestCommand(program, word);
    if (near !== undefined) mistyped.set(word, near);
  }
  return mistyped;
}

/** What is wrong in a command line is said here, before anything is read or fetched. Throws `USAGE`. */
function readMigrateRequest(packages: readonly string[], options: MigrateOptions, cwd: AbsolutePath): Omit<MigrateRequest, 'mistyped'> {
  const names = readPackages(packages, options);
  if (names === 'all' || names.length > 1)
    for (const option of ['from', 'to', 'subdirectory', 'sourceBranch'] as const) if (options[option] !== undefined) throw oneOnly(option);
  const subdirectory = options.subdirectory === undefined ? undefined : parseRepoPath(options.subdirectory);
  refuseFolderWithMerge(options.strategy, subdirectory);
  return {
    packages: names,
    cwd,
    into: parseAbsolutePath(resolve(cwd, options.into ?? '.')),
    from: options.from,
    to: options.to === undefined ? undefined : parseRepoPath(options.to),
    branch: readBranch(options.branch),
    sourceBranch: readBranch(options.sourceBranch),
    subdirectory,
    strategy: options.strategy,
    messages: options.exact === true ? 'exact' : 'qualified',
    tags: readTags(options.tags),
    align: options.align ? 'yes' : 'no',
    internal: options.internal,
    install: options.install ? 'yes' : 'no',
    scripts: options.runScripts === true ? 'run' : 'refuse',
    allowedFaults: readKinds(options.allowObjects),
    tests: readTests(options, process.env),
    report: options.report === undefined ? undefined : parseAbsolutePath(outputPath(cwd, options.report)),
    proposal: readProposal(options),
    lfsPointers: options.lfsPointers === true ? 'accept' : 'refuse',
    confirmation: options.yes === true ? 'given' : 'ask',
    extent: options.dryRun === true ? 'plan only' : 'all',
  };
}

/** Throws `USAGE`. */
function readPackages(packages: readonly string[], { all }: MigrateOptions): MigrateRequest['packages'] {
  if (all === undefined && packages.length === 0) throw noPackage('take all that tributary.json lists: migrate-repo --all');
  if (all === undefined) return [...new Set(packages)].map(readName);
  if (packages.length > 0) refuseWithAll(packages[0], {});
  return 'all';
}

function addStatus(program: Command, services: Services): void {
  const command = program
    .command('status')
    .summary('list imports, and new commits of their sources')
    .description(
      'Lists what was migrated, from where, at which commit, whether its history is on HEAD, and how many commits the source has gained since. Branches that are not merged count too. Nothing is changed.',
    )
    .option(...INTO);
  addExamples(command, [{ line: 'migrate-repo status', purpose: 'everything that was migrated into this monorepo' }]);
  command.action(async (options: { into?: string }) => {
    const into = readInto(command, options.into);
    const { runStatus } = await import('./commands.js');
    await runStatus({ into }, services);
  });
}

function addDiscard(program: Command, services: Services): void {
  const command = program
    .command('discard')
    .summary('undo a migration that is not merged')
    .description(
      'Takes a migration back that is not merged yet: deletes its branch and the tags that came with it, and what runs that failed have fetched for it and kept. Tags that are no longer those that came stay.',
    )
    .argument('<package-or-branch>', 'the name of the package, or the branch it was migrated on')
    .option(...INTO)
    .option('--dry-run', 'say what would go, and delete nothing');
  addExamples(command, [
    { line: 'migrate-repo discard left-pad --dry-run', purpose: 'see what would go' },
    { line: 'migrate-repo discard migrate/left-pad-and-2-more', purpose: 'take back all that came on one branch' },
  ]);
  command.action(async (name: string, options: { into?: string; dryRun?: true }) => {
    const into = readInto(command, options.into);
    const { runDiscard } = await import('./commands.js');
    await runDiscard({ name, into, extent: options.dryRun === true ? 'show' : 'all' }, services);
  });
}

function readTags(given: string | boolean): MigrateRequest['tags'] {
  if (given === false) return 'none';
  if (typeof given !== 'string') return 'configured';
  const flaw = findPatternFlaw(given, TAG_HOLES);
  if (flaw !== undefined) throw new ToolError({ code: 'USAGE', message: `The pattern of --tags ${flaw}.` });
  // A name that git refuses is refused whatever stands in the place of the braces.
  tagRef(given.replaceAll(/\{\w+\}/g, 'x'));
  return { pattern: given };
}

function oneOnly(option: string): ToolError {
  const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return new ToolError({
    code: 'USAGE',
    message: `${flag} goes with one package only.`,
    hint: 'For several, write them into "migrate.packages" of tributary.json.',
  });
}
