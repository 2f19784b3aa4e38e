import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { type Argument, type Command, Help, InvalidArgumentError, Option } from 'commander';
import type { UiFlags } from './ui.js';

/** One example for a command's help and its page in the reference. */
export interface Example {
  /** The line as typed: `migrate-repo ../left-pad --dry-run`. */
  readonly line: string;
  /** A short phrase: "see what would happen". */
  readonly purpose: string;
}

// Stored on the command: each bundle file has its own copy of this module, where a table would be empty.
const examplesKey = Symbol.for('tributary.terminal.examples');

const GROUP = 'Global Options:';
const EXIT_CODES_HELP = `
Exit codes:
  0 done, 1 refused or failed for a named reason, 2 wrong command line,
  70 internal error, 130 interrupted`;

/**
 * Adds the options that mean the same in every tool to the program and all its subcommands, and sets the format of the help. Call it before
 * adding subcommands: commander copies settings to them at that moment.
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
      // A fixed width gives the same help in a terminal, a pipe and a test. Narrow columns are wrapped here too, not by the terminal.
      helpWidth: 80,
      minWidthToWrap: 20,
      showGlobalOptions: true,
      // Without `[options]`, which all subcommands have.
      subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
      visibleGlobalOptions: sharedOptionsOf,
      optionDescription: (option) => new Help().optionDescription(withoutEmptyDefault(option)),
      groupItems: groupGlobalOptionsLast,
    });
}

/** Reads the flags of a raw command line before it is parsed, so that even errors in it are reported as requested. */
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

/** Returns the folder to work in, for the action of any command of the program. */
export function readCwd(command: Command): AbsolutePath {
  return command.optsWithGlobals<{ cwd?: AbsolutePath }>().cwd ?? parseAbsolutePath(process.cwd());
}

/** Adds examples at the top of a command's help. */
export function addExamples(command: Command, examples: readonly Example[]): Command {
  Object.defineProperty(command, examplesKey, { value: examples });
  const lines = examples.map(({ line, purpose }) => `  # ${purpose}\n  $ ${line}\n`);
  return command.addHelpText('before', `Examples:\n${lines.join('\n')}`);
}

/** Returns the examples given to `addExamples`; empty if there are none. */
export function examplesOf(command: Command): readonly Example[] {
  return (command as { [examplesKey]?: readonly Example[] })[examplesKey] ?? [];
}

function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Returns the option without an empty list as its default, which repeatable options have and which is no information. */
export function withoutEmptyDefault(option: Option): Option {
  const { defaultValue } = option as { readonly defaultValue: unknown };
  return Array.isArray(defaultValue) && defaultValue.length === 0 && option.defaultValueDescription === undefined
    ? Object.assign(Object.create(option) as Option, { defaultValue: undefined })
    : option;
}

/** Returns the options that a subcommand inherits. `--version` belongs to the program and is useless for a subcommand. */
function sharedOptionsOf({ parent }: Command): Option[] {
  return parent === null ? [] : [...parent.options.filter((option) => option.helpGroupHeading === GROUP), ...sharedOptionsOf(parent)];
}

/** Moves the global options to the end. Commander orders groups by when their first option was added. */
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

/**
 * Returns the output format of a command with `--format`; `--json` overrides the default. Throws `USAGE` if the two contradict each other.
 */
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
