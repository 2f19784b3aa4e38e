import { resolve } from 'node:path';
import { parseRevision } from '@tributary/git/changeset';
import { ToolError } from '@tributary/model/errors';
import { parseAbsolutePath } from '@tributary/model/paths';
import { addExamples, addGlobalOptions, readCwd, readFormat } from '@tributary/terminal/global-options';
import { addLater } from '@tributary/terminal/late-details';
import type { Services } from '@tributary/terminal/main';
import { nearestCommand } from '@tributary/terminal/nearest-command';
import { Command, Help, Option } from 'commander';
import { VERSION } from '../version.js';
import { addChangeOptions, addTaskOption, type ChangeOptions, readNumber, readRequest } from './change-options.js';
import { addInit } from './program-init.js';
import { addPlanCommands } from './program-plan.js';
import { addTrace } from './program-trace.js';
import type { Format } from './select.js';

/** Returns the command line of affected. Commands are loaded when they run, so `--help` loads none. */
export function buildProgram(services: Services): Command {
  const program = new Command('affected')
    .usage('[options]\n       affected <command> [options]')
    .description(
      'Lists the workspaces of a Yarn monorepo that a change can affect, with reasons.\n\n' +
        'Compares the head with its merge base, maps the files to workspaces, and adds all their dependents. When in doubt, selects every workspace, and says why.',
    )
    .version(VERSION, '-V, --version', 'print the version');
  addGlobalOptions(program);
  addExamples(program, [
    { line: 'affected --base origin/main', purpose: 'what this branch can affect' },
    { line: 'affected --json', purpose: 'in CI: detects the base' },
    { line: 'affected why @acme/ui --base origin/main', purpose: 'why one workspace is affected' },
    { line: 'affected replay --last 300', purpose: 'what it would have saved on past commits' },
  ]);
  const select = addSelect(program, services);
  addInit(program, services);
  addWhy(program, services);
  addReplay(program, services);
  addTune(program, services);
  addCheck(program, services);
  addTrace(program, services);
  addPlanCommands(program, services);
  showOptionsOf(select, program);
  return program;
}

/** Adds the options of the default command to the help of the program. */
function showOptionsOf(main: Command, program: Command): void {
  const visibleOptions = (command: Command): Option[] => {
    const own = new Help().visibleOptions(command);
    return command === program ? [...main.options, ...own] : own;
  };
  program.configureHelp({ ...program.configureHelp(), visibleOptions });
}

interface SelectOptions extends ChangeOptions {
  readonly format: Format;
  readonly null?: true;
  readonly fallback?: 'all';
  readonly all?: true;
}

function addSelect(program: Command, services: Services): Command {
  const command = program
    .command('select', { isDefault: true })
    .summary('list affected workspaces; the word "select" is optional')
    .description('Says which workspaces a change can affect. Without --base, it detects the base from the variables of the CI engine.');
  addTaskOption(addChangeOptions(command))
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json', 'names', 'paths', 'turbo-filter']).default('text'))
    .option('-z, --null', 'end each entry of --format names or paths with NUL, not a line break')
    .option('--all', 'list every affected workspace, not only the first ten')
    .addOption(new Option('--fallback <answer>', 'on failure, select all workspaces instead of exiting with 1').choices(['all']));
  addExamples(command, [
    { line: 'affected --base origin/main --format names', purpose: 'only the names, one per line' },
    { line: 'turbo run test $(affected --base origin/main --format turbo-filter)', purpose: 'run their tests' },
    { line: 'affected --base main --files-from changed.txt', purpose: 'from a list: git diff -z --name-only --no-renames main...' },
  ]);
  // This is the default command, so an unexpected word was meant as a command. Its options are those of another command, so it is told first.
  program.hook('preSubcommand', (_, chosen) => {
    const [word] = program.args;
    if (chosen === command && word !== 'select' && word?.startsWith('-') === false) throw unknownCommand(word, program);
  });
  command.allowExcessArguments().action(async (options: SelectOptions) => {
    const [word] = command.args;
    if (word !== undefined) throw unknownCommand(word, program);
    const request = readRequest(command, options);
    const { runSelect } = await import('./select.js');
    const format = readFormat(command, options.format);
    const end = options.null === true ? 'nul' : 'line';
    if (end === 'nul' && format !== 'names' && format !== 'paths')
      throw new ToolError({ code: 'USAGE', message: '-z is for lists.', hint: 'Use it with --format names or --format paths.' });
    await runSelect(request, { format, end, fallback: options.fallback ?? 'none', isWhole: options.all === true, services });
  });
  return command;
}

function unknownCommand(word: string, program: Command): ToolError {
  const near = nearestCommand(program, word);
  const hint = near === undefined ? 'Run affected --help to see the commands.' : `Did you mean ${near}?`;
  return new ToolError({ code: 'USAGE', message: `Unknown command "${word}".`, hint });
}

function addWhy(program: Command, services: Services): void {
  const command = program
    .command('why')
    .summary('explain why a workspace is affected')
    .argument('<workspace>', 'name of the workspace, or its folder relative to the root of the project');
  addLater(command, () => {
    command.description('Says why a workspace is affected: each reason, with every step from the changed file to the workspace.');
    addTaskOption(addChangeOptions(command));
    addExamples(command, [{ line: 'affected why @acme/ui --base origin/main', purpose: 'the path from a changed file to one workspace' }]);
    command.action(async (name: string, options: ChangeOptions) => {
      const request = readRequest(command, options);
      const { runWhy } = await import('./commands.js');
      await runWhy(name, request, services);
    });
  });
}

const WORKFLOW = [
  '--workflow <file>',
  'simulate this CI workflow; path relative to the top of the repository (default: the only one that tests pull requests)',
] as const;

function addReplay(program: Command, services: Services): void {
  const command = program.command('replay').summary('show what past commits would have run');
  addLater(command, () => {
    command
      .description(
        'Computes for each of the last commits of the main line what a pull request with that change would have run, and compares it with running everything. Changes nothing.',
      )
      .addOption(new Option('--last <number>', 'number of commits').argParser(readNumber).default(100))
      .option('--head <ref>', 'newest of these commits (default: HEAD)')
      .option(...WORKFLOW);
    addExamples(command, [
      { line: 'affected replay --last 300', purpose: 'what it would have saved on past commits' },
      { line: 'affected replay --workflow .github/workflows/ci.yml', purpose: 'the same for one workflow: others select nothing' },
    ]);
    command.action(async (options: { last: number; head?: string; workflow?: string }) => {
      const { last, workflow } = options;
      const request = { cwd: readCwd(command), head: parseRevision(options.head ?? 'HEAD'), last, workflow };
      const { runReplay } = await import('./commands.js');
      await runReplay(request, services);
    });
  });
}

function addTune(program: Command, services: Services): void {
  const command = program.command('tune').summary('propose rules that select fewer workspaces');
  addLater(command, () => {
    command
      .description(
        'Replays the last commits, finds out why every workspace was affected, and proposes entries for tributary.json. Each has its evidence, which affected check verifies again, and its saving. On a terminal, asks for each whether to write it.',
      )
      .addOption(new Option('--last <number>', 'number of commits').argParser(readNumber).default(300))
      .option('--head <ref>', 'newest of these commits (default: HEAD)')
      .option(...WORKFLOW)
      .option('--write', 'write all proposals into tributary.json');
    addExamples(command, [
      { line: 'affected tune --last 300', purpose: 'what would make results smaller' },
      { line: 'affected tune --write', purpose: 'write it into tributary.json' },
    ]);
    command.action(async (options: { last: number; head?: string; workflow?: string; write?: true }) => {
      const { last, workflow } = options;
      const request = { cwd: readCwd(command), head: parseRevision(options.head ?? 'HEAD'), last, workflow };
      const { runTune } = await import('./commands.js');
      await runTune(request, options.write === true ? 'all' : 'ask', services);
    });
  });
}

interface CheckOptions {
  readonly head?: string;
  readonly rules?: true;
  readonly fix?: true;
  readonly setup?: true;
  readonly observed?: string;
}

function addCheck(program: Command, services: Services): void {
  const command = program.command('check').summary('find dependencies that no manifest declares');
  addLater(command, () => {
    command
      .description(
        'Finds gaps in the graph of a commit: imports and paths between workspaces that neither a manifest nor tributary.json declares, also through files of the root. Also finds rules that match nothing. Shows the rules in effect, the built-in ones with --verbose. Exit code 1 if a test could be left out.',
      )
      .option('--head <ref>', 'commit to check (default: HEAD)')
      .addOption(new Option('--rules', 'show only the rules in effect').conflicts('fix'))
      .addOption(
        new Option(
          '--observed <path>',
          'compare it with the reads of commands: a file of `affected trace`, or a folder of such files',
        ).conflicts('rules'),
      )
      .option('--fix', 'with --observed: add what no source shows to "affected.edges" of tributary.json, and delete what needs no entry')
      .addOption(
        new Option('--setup', 'show only what is missing on this machine and in this CI job').conflicts(['fix', 'rules', 'observed']),
      );
    addExamples(command, [
      { line: 'affected check', purpose: 'what affected could miss, and what to do about it' },
      {
        line: 'affected check --observed .tributary/observations --fix',
        purpose: 'adds what commands were seen to read to tributary.json',
      },
      { line: 'affected check --rules', purpose: 'which files select which workspaces' },
      { line: 'affected check --setup', purpose: 'what is missing: git, Node, Yarn, turborepo, history, CI variables, token' },
    ]);
    command.action(async (options: CheckOptions) => {
      const cwd = readCwd(command);
      const { runCheck, runSetupCheck } = await import('./commands.js');
      if (options.setup === true) return runSetupCheck(cwd, services);
      const observed = options.observed === undefined ? undefined : parseAbsolutePath(resolve(cwd, options.observed));
      const request = { cwd, head: parseRevision(options.head ?? 'HEAD'), observed };
      await runCheck(request, options.rules === true ? 'rules' : options.fix === true ? 'fix' : 'all', services);
    });
  });
}
