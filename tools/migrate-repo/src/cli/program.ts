import { resolve } from 'node:path';
import { TAG_HOLES } from '@tributary/model/config';
import { findPatternFlaw } from '@tributary/model/config-reading';
import { ToolError } from '@tributary/model/errors';
import { tagRef } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath, parseRepoPath } from '@tributary/model/paths';
import { outputPath } from '@tributary/process/output-file';
import { addExamples, addGlobalOptions, readCwd } from '@tributary/terminal/global-options';
import { takesBack } from '@tributary/terminal/interruption';
import type { Services } from '@tributary/terminal/main';
import { nearestCommand } from '@tributary/terminal/nearest-command';
import { Command, Option } from 'commander';
import type { MigrateRequest } from '../run/migrate-request.js';
import { refuseFolderWithMerge, type Strategy } from '../strategy.js';
import { unknownCommand } from '../unknown-command.js';
import { VERSION } from '../version.js';
import { addCheck } from './check-command.js';
import { addInit } from './init-command.js';
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
import { readTests, TESTS, TESTS_ENV, TESTS_SCRIPT, TESTS_TIMEOUT, type TestFlags } from './test-options.js';
import { addVerify } from './verify-command.js';

/** Returns the command line of migrate-repo. Each command is loaded when it runs, so `--help` loads none. */
export function buildProgram(services: Services): Command {
  const program = new Command('migrate-repo')
    .usage('<package>... [options]\n       migrate-repo --all [options]\n       migrate-repo <command> [options]')
    .description(
      'Moves git repositories into a Yarn workspaces monorepo with their whole history, and proves that nothing was lost.\n\n' +
        'Package names without a command are migrated; "migrate-repo migrate --help" shows the options for it.',
    )
    .version(VERSION, '-V, --version', 'print the version');
  addGlobalOptions(program);
  addExamples(program, [
    { line: 'migrate-repo left-pad --from ../left-pad', purpose: 'import one repository as packages/left-pad' },
    { line: 'migrate-repo left-pad right-pad --dry-run', purpose: 'see the plan for two packages in tributary.json' },
    { line: 'migrate-repo --all', purpose: 'import every package that tributary.json lists' },
    { line: 'migrate-repo verify left-pad', purpose: 'verify an import, from any clone' },
    { line: 'migrate-repo sync left-pad', purpose: 'import new commits of its repository' },
    { line: 'migrate-repo discard left-pad', purpose: 'undo a migration that is not merged' },
  ]);
  addMigrate(program, services);
  addVerify(program, services);
  addStatus(program, services);
  addSync(program, services);
  addInit(program, services);
  addCheck(program, services);
  addPullRequests(program, services);
  addDiscard(program, services);
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
  const command = takesBack(program.command('migrate', { isDefault: true }))
    .summary('import repositories on a new branch; the word "migrate" is optional')
    .description(
      'Imports the repositories of packages into the monorepo, each with one merge commit on a new branch. Your branch, index, working tree, hooks and settings are not changed. ' +
        'The branch is created only after the history is verified.\n\n' +
        'The repository comes from --from, else from tributary.json, else from the npm registry; then you are asked to confirm it.',
    )
    .argument('[packages...]', 'package names, as in package.json')
    .option('--all', 'migrate every package in tributary.json, dependencies first; run again to continue with the rest')
    .option('--from <address>', 'address (https or ssh) or path of the repository; one package only')
    .option(...INTO)
    .option('--to <path>', 'folder in the monorepo; one package only (default: packages/{shortName}, or the pattern in tributary.json)')
    .option('--branch <name>', 'name of the new branch (default: migrate/<package>)')
    .option('--source-branch <name>', "branch of the source; one package only (default: the source's default branch)")
    .option('--subdirectory <path>', 'import only this folder of the source, with its history; one package only')
    .addOption(
      new Option(
        '--strategy <strategy>',
        'rewrite: new commits with the files under the path; merge: commits keep their ids and signatures',
      )
        .choices(['rewrite', 'merge'])
        .default('rewrite'),
    )
    .option(
      '--exact',
      'keep messages and headers unchanged, even if they close issues or notify people in the monorepo, or have invalid signatures',
    )
    .option(
      '--tags <pattern>',
      'pattern for tag names; {name}, {shortName}, {version} and {tag} are replaced (default: {name}@{version}, or the pattern in tributary.json)',
    )
    .option('--no-tags', 'do not import tags')
    .option('--no-align', 'import only the history, and keep dependencies unchanged')
    .addOption(
      new Option(
        '--internal <requests>',
        'which internal dependencies use the workspace: admitted (range matches its version) or all (others are reported) (default: admitted, or the value in tributary.json)',
      )
        .choices(['admitted', 'all'])
        .conflicts('align'),
    )
    .option('--no-install', 'align manifests only; do not update the lockfile or install')
    .option('--run-scripts', 'allow the installation to run scripts of packages and of git dependencies, and repeat it in a fresh clone')
    .addOption(TESTS)
    .option(...TESTS_SCRIPT)
    .option(...TESTS_TIMEOUT)
    .addOption(TESTS_ENV)
    .option('--report <file>', 'write a Markdown report for the pull request: what was imported, changed and left to decide')
    .option('--lfs-pointers', 'import Git LFS files as pointers, even if their content is missing')
    .option(
      '--allow-objects <kinds>',
      'import malformed objects of these kinds, which servers may refuse: names of git fsck, comma-separated',
    )
    .option('--yes', 'use the repository that the registry names without confirmation')
    .option('--dry-run', 'fetch and print the plan; write nothing');
  addProposalOptions(command);
  refuseForeignOptions(program, command);
  addExamples(command, [
    { line: 'migrate-repo left-pad --from https://github.com/acme/left-pad --dry-run', purpose: 'see the plan for one repository' },
    { line: 'migrate-repo @acme/ui --from ../mono --subdirectory libs/ui', purpose: 'only one folder of a repository, with its history' },
    { line: 'migrate-repo ui core cli --branch migrate/first', purpose: 'several packages of tributary.json, on one branch' },
    { line: 'migrate-repo --all --dry-run', purpose: 'see the plan for every package that tributary.json lists' },
    { line: 'migrate-repo left-pad --pull-request', purpose: 'import one, push its branch and open its pull request' },
  ]);
  command.action(async (packages: string[], options: MigrateOptions) => {
    const mistyped = findMistyped(program, packages);
    // Before anything else: the rest of the line was meant for another command.
    if (mistyped.size > 0 && (options.from === undefined || packages.length > 1)) {
      const { refuseMistyped } = await import('./commands.js');
      await refuseMistyped({ mistyped, into: readInto(command, options.into) }, services);
    }
    const request = readMigrateRequest(packages, options, readCwd(command));
    const { runMigrate } = await import('./commands.js');
    await runMigrate(request, services);
  });
}

/** Refuses a mistyped command with options that `migrate` does not have. Commander would name only the option. */
function refuseForeignOptions(program: Command, migrate: Command): void {
  program.hook('preSubcommand', (_, chosen) => {
    const [word = '', ...rest] = program.args;
    const own = migrate.options.flatMap(({ long, short }) => [long, short]);
    if (chosen !== migrate || !rest.some((arg) => arg.startsWith('-') && !own.includes(arg.replace(/=.*/s, '')))) return;
    const [first] = findMistyped(program, [word]);
    if (first !== undefined) throw unknownCommand(...first);
  });
}

/** Returns the words that may be mistyped commands, with the command. None if the word "migrate" comes first. */
function findMistyped(program: Command, packages: readonly string[]): ReadonlyMap<string, string> {
  const mistyped = new Map<string, string>();
  for (const word of program.args[0] === 'migrate' ? [] : packages) {
    const near = nearestCommand(program, word);
    if (near !== undefined) mistyped.set(word, near);
  }
  return mistyped;
}

/** Reads the command line of `migrate`, and rejects errors before anything is read or fetched. Throws `USAGE`. */
function readMigrateRequest(packages: readonly string[], options: MigrateOptions, cwd: AbsolutePath): MigrateRequest {
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

/** Returns the packages to migrate. Throws `USAGE`. */
function readPackages(packages: readonly string[], { all }: MigrateOptions): MigrateRequest['packages'] {
  if (all === undefined && packages.length === 0) throw noPackage('migrate all that tributary.json lists: migrate-repo --all');
  if (all === undefined) return [...new Set(packages)].map(readName);
  if (packages.length > 0) refuseWithAll(packages[0], {});
  return 'all';
}

function addStatus(program: Command, services: Services): void {
  const command = takesBack(program.command('status'))
    .summary('list imports, and new commits of their sources')
    .description(
      'Lists each import with its source and commit, whether HEAD has its history, and how many new commits the source has. Includes branches that are not merged. Changes nothing.',
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
  const command = takesBack(program.command('discard'))
    .summary('undo a migration that is not merged')
    .description(
      'Undoes a migration that is not merged yet: deletes its branch and its imported tags. Tags that were changed since the import are kept.',
    )
    .argument('<package-or-branch>', 'name of the package, or the branch of its migration')
    .option(...INTO)
    .option('--dry-run', 'print what would be deleted; delete nothing');
  addExamples(command, [
    { line: 'migrate-repo discard left-pad --dry-run', purpose: 'see what would be deleted' },
    { line: 'migrate-repo discard migrate/left-pad-and-2-more', purpose: 'undo all imports on one branch' },
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
  // If git rejects the other characters, it rejects the name for every value in the braces.
  tagRef(given.replaceAll(/\{\w+\}/g, 'x'));
  return { pattern: given };
}

function oneOnly(option: string): ToolError {
  const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return new ToolError({
    code: 'USAGE',
    message: `${flag} works with one package only.`,
    hint: 'For several packages, set it in "migrate.packages" of tributary.json.',
  });
}
