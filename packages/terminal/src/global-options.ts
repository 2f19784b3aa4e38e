import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { type Argument, type Command, Help, InvalidArgumentError, Option } from 'commander';
import type { UiFlags } from './ui.js';

/** One use of a command, for its help and its page of the reference. */
export interface Example {
  /** As typed: `migrate-repo ../left-pad --dry-run`. */
  readonly line: string;
  /** What it is for, as a short phrase: "see what would happen". */
  readonly purpose: string;
}

// On the command itself: a bundle file has its own copy of this module, a table in it would be empty there.
const examplesKey = Symbol.for('tributary.terminal.examples');

const GROUP = 'Global Options:';
const EXIT_CODES_HELP = `
Exit codes:
  0 done, 1 refused or failed for a named reason, 2 wrong command line,
  70 internal error, 130 interrupted`;

/**
 * Gives the program, and through it all of its subcommands, the options that mean the same in every tool, and the shape of the help.
 * Call it before the subcommands are added: commander hands settings down at that moment.
 */
export function addGlobalOptions(program: Command): Command {
  const options = [
    new Option('--cwd <folder>', 'working folder (default: the current one)').argParser(parseFolder),
    new Option('--json', 'print the result as one JSON document'),
    new Option('--quiet', 'print only results, warnings and errors').conflicts('verbose'),
    new Option('--verbose', 'print every step, and stack traces for errors'),
    new Option('--no-color', 'print without colors, like the variable NO_COLOR'),
    new Option('--no-input', 'never prompt; fail where a prompt would be needed'),
  ];
  for (const option of options) program.addOption(option.helpGroup(GROUP));
  return program
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', EXIT_CODES_HELP)
    .configureHelp({
      // A fixed width: the same help in a terminal, a pipe and a test. Narrow columns are wrapped too, not left to the terminal.
      helpWidth: 80,
      minWidthToWrap: 20,
      showGlobalOptions: true,
      // Without `[options]`, which all of them have.
      subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
      visibleGlobalOptions: sharedOptionsOf,
      optionDescription: (option) => new Help().optionDescription(withoutEmptyDefault(option)),
      groupItems: groupGlobalOptionsLast,
    });
}

/** The flags of a raw command line, before it is parsed: a wrong command line, too, is reported in the way that was asked for. */
export function readFlags(argv: readonly string[]): UiFlags {
  const end = argv.indexOf('--');
  const given = new Set(end < 0 ? argv : argv.slice(0, end));
  return {
    quiet: given.has('--quiet'),
    verbose: given.has('--verbose'),
    color: given.has('--no-color') ? 'never' : 'auto',
    input: given.has('--no-input') ? 'never' : 'auto',
    json: given.has('--json'),
  };
}

/** The folder that a command was asked to work in; for the action of any command of the program. */
export function readCwd(command: Command): AbsolutePath {
  return command.optsWithGlobals<{ cwd?: AbsolutePath }>().cwd ?? parseAbsolutePath(process.cwd());
}

/** Puts examples at the head of a command's help. */
export function addExamples(command: Command, examples: readonly Example[]): Command {
  Object.defineProperty(command, examplesKey, { value: examples });
  const lines = examples.map(({ line, purpose }) => `  # ${purpose}\n  $ ${line}\n`);
  return command.addHelpText('before', `Examples:\n${lines.join('\n')}`);
}

/** What `addExamples` was given; empty without it. */
export function examplesOf(command: Command): readonly Example[] {
  return (command as { [examplesKey]?: readonly Example[] })[examplesKey] ?? [];
}

function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** An option that may be given several times begins with an empty list, which tells nobody anything. */
export function withoutEmptyDefault(option: Option): Option {
  const { defaultValue } = option as { readonly defaultValue: unknown };
  return Array.isArray(defaultValue) && defaultValue.length === 0 && option.defaultValueDescription === undefined
    ? Object.assign(Object.create(option) as Option, { defaultValue: undefined })
    : option;
}

/** What a subcommand has from above. `--version` is an option of the program too, and of no use to a subcommand. */
function sharedOptionsOf({ parent }: Command): Option[] {
  return parent === null ? [] : [...parent.options.filter((option) => option.helpGroupHeading === GROUP), ...sharedOptionsOf(parent)];
}

/** Commander shows groups as their first options were added. */
function groupGlobalOptionsLast<T extends Command | Option>(all: T[], visible: T[], groupOf: (one: T) => string): Map<string, T[]> {
  const groups = new Help().groupItems(all, visible, groupOf);
  const shared = groups.get(GROUP);
  if (shared !== undefined && groups.delete(GROUP)) groups.set(GROUP, shared);
  return groups;
}

function parseFolder(text: string): AbsolutePath {
  const folder = resolve(text);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw new InvalidArgumentError('The folder does not exist.');
  return parseAbsolutePath(folder);
}

/** How the answer of a command with `--format` is written: as `--json` says, where it is given. Throws `USAGE` where the two contradict each other. */
export function readFormat<Format extends string>(command: Command, format: Format): Format | 'json' {
  if (command.optsWithGlobals<{ json?: boolean }>().json !== true) return format;
  if (format !== 'json' && command.getOptionValueSource('format') !== 'default')
    throw new ToolError({
      code: 'USAGE',
      message: `--json and --format ${format} contradict each other.`,
      hint: 'Leave out one of them; --format json is the same as --json.',
    });
  return 'json';
}
