import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { type AddHelpTextContext, type Command, InvalidArgumentError, Option } from 'commander';
import { GLOBAL_GROUP, setHelpFormat, widthFor } from './help-format.js';
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
  for (const option of options) program.addOption(option.helpGroup(GLOBAL_GROUP));
  return setHelpFormat(program);
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
  return command.addHelpText(
    'before',
    (context) => `Examples:\n${examples.map((example) => describeExample(example, context)).join('\n')}`,
  );
}

/** Wraps the purpose. The line itself stays whole, so that it can be copied. */
function describeExample({ line, purpose }: Example, { command, error }: AddHelpTextContext): string {
  const output = command.configureOutput();
  const width = widthFor(error ? output.getErrHelpWidth?.() : output.getOutHelpWidth?.());
  const comment = command
    .createHelp()
    .boxWrap(purpose, width - 4)
    .replaceAll('\n', '\n  # ');
  return `  # ${comment}\n  $ ${line}\n`;
}

/** Returns the examples given to `addExamples`; empty if there are none. */
export function examplesOf(command: Command): readonly Example[] {
  return (command as { [examplesKey]?: readonly Example[] })[examplesKey] ?? [];
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

/** Throws `USAGE` for `--json`. For commands that print the input of another program. */
export function refuseJson(command: Command, reader: string): void {
  if (command.optsWithGlobals<{ json?: boolean }>().json !== true) return;
  throw new ToolError({
    code: 'USAGE',
    message: `"${command.name()}" has no --json: it prints text for ${reader}.`,
    hint: 'Leave out --json.',
  });
}
