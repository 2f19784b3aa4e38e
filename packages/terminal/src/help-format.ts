import { type Argument, type Command, Help, type Option } from 'commander';

/** The heading of the options that every command has. */
export const GLOBAL_GROUP = 'Global Options:';

/** The column of descriptions beside the terms. If it would be narrower, each description goes below its term. */
const LEAST_COLUMN = 20;

// One line for each, so that none has to be wrapped.
const EXIT_CODES_HELP = `
Exit codes:
  0    done
  1    failed, with a named reason
  2    wrong command line
  70   internal error
  129  the terminal closed
  130  interrupted
  143  terminated`;

/** Sets the format of the help of a program, which commander copies to the subcommands that are added later. */
export function setHelpFormat(program: Command): Command {
  return program
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', EXIT_CODES_HELP)
    .configureHelp({
      prepareContext({ helpWidth }) {
        this.helpWidth = widthFor(helpWidth);
      },
      minWidthToWrap: LEAST_COLUMN,
      showGlobalOptions: true,
      // Without `[options]`, which all subcommands have.
      subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
      visibleGlobalOptions: sharedOptionsOf,
      optionDescription: (option) => new Help().optionDescription(withoutEmptyDefault(option)),
      groupItems: groupGlobalOptionsLast,
      formatItem,
    });
}

/** Returns the width of the help on a terminal with so many columns; `undefined` or 0 if there is no terminal, or it does not tell. */
export function widthFor(columns: number | undefined): number {
  return Math.min(80, Math.max(40, columns || 80));
}

/** Returns the option without an empty list as its default, which repeatable options have and which is no information. */
export function withoutEmptyDefault(option: Option): Option {
  const { defaultValue } = option as { readonly defaultValue: unknown };
  return Array.isArray(defaultValue) && defaultValue.length === 0 && option.defaultValueDescription === undefined
    ? Object.assign(Object.create(option) as Option, { defaultValue: undefined })
    : option;
}

function formatItem(term: string, termWidth: number, description: string, help: Help): string {
  const width = help.helpWidth ?? 80;
  if (width - termWidth - 4 >= LEAST_COLUMN) return Help.prototype.formatItem.call(help, term, termWidth, description, help);
  return [
    `  ${term}`,
    ...help
      .boxWrap(description, width - 6)
      .split('\n')
      .map((line) => `      ${line}`),
  ].join('\n');
}

function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Returns the options that a subcommand inherits. `--version` belongs to the program and is useless for a subcommand. */
function sharedOptionsOf({ parent }: Command): Option[] {
  return parent === null
    ? []
    : [...parent.options.filter((option) => option.helpGroupHeading === GLOBAL_GROUP), ...sharedOptionsOf(parent)];
}

/** Moves the global options to the end. Commander orders groups by when their first option was added. */
function groupGlobalOptionsLast<T extends Command | Option>(all: T[], visible: T[], groupOf: (one: T) => string): Map<string, T[]> {
  const groups = new Help().groupItems(all, visible, groupOf);
  const shared = groups.get(GLOBAL_GROUP);
  if (shared !== undefined && groups.delete(GLOBAL_GROUP)) groups.set(GLOBAL_GROUP, shared);
  return groups;
}
