import type { Argument, Command, Option } from 'commander';
import { examplesOf } from './global-options.js';
import { withoutEmptyDefault } from './help-format.js';
import { completeCommands } from './late-details.js';

/**
 * Returns the command-line reference of a program and its visible subcommands, as Markdown that ends in a newline. It is deterministic.
 * Commands are in the order in which they were added, without `help`.
 */
export function commandReference(program: Command): string {
  completeCommands(program);
  const global = program.createHelp().visibleOptions(program).filter(isShared);
  const several = optionsOfSeveral(program);
  const parts = [
    `# ${program.name()}\n`,
    ...sections(program, '##', new Set(several.keys())),
    ...optionTable('## Options of several commands', [...several.values()]),
    ...optionTable('## Options of every command', global),
  ];
  return `${parts.join('\n').trimEnd()}\n`;
}

/** Returns the options that two or more commands have with the same meaning, by the text of their row. */
function optionsOfSeveral(program: Command): ReadonlyMap<string, Option> {
  const rows = [program, ...descendants(program)].flatMap(ownOptions).map((option) => [optionRow(option).join(), option] as const);
  return new Map(rows.filter(([row], index) => rows.findIndex(([other]) => other === row) < index));
}

/** Returns the sections for a command, then those for its subcommands. */
function sections(command: Command, level: string, several: ReadonlySet<string>): readonly string[] {
  const help = command.createHelp();
  const isOfSeveral = (option: Option): boolean => several.has(optionRow(option).join());
  const options = ownOptions(command);
  return [
    paragraph(help.commandDescription(command)),
    `\`\`\`text\n${help.commandUsage(command).replaceAll(/\n +/g, '\n')}\n\`\`\`\n`,
    ...examples(command, level),
    ...argumentTable(`${level} Arguments`, command.registeredArguments),
    ...optionTable(
      `${level} Options`,
      options.filter((option) => !isOfSeveral(option)),
    ),
    ...mention(options.filter(isOfSeveral)),
    ...children(command).flatMap((child) => [`${level} ${pathOf(child)}\n`, ...sections(child, `${level}#`, several)]),
  ];
}

function mention(options: readonly Option[]): readonly string[] {
  const names = options.map((option) => code(option.long ?? option.flags)).join(', ');
  return options.length === 0 ? [] : [`[Of several commands](#options-of-several-commands): ${names}.\n`];
}

function children(command: Command): readonly Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help' && child !== command);
}

function descendants(command: Command): readonly Command[] {
  return children(command).flatMap((child) => [child, ...descendants(child)]);
}

function ownOptions(command: Command): readonly Option[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter((option) => !isShared(option));
}

/** Returns whether every command has the option: `--help`, and the options of `addGlobalOptions`, which have a heading. */
function isShared(option: Option): boolean {
  return option.helpGroupHeading !== undefined || option.long === '--help';
}

function examples(command: Command, level: string): readonly string[] {
  const lines = examplesOf(command).map(({ line, purpose }) => `# ${purpose}\n${line}`);
  return lines.length === 0 ? [] : [`${level} Examples\n`, `\`\`\`sh\n${lines.join('\n\n')}\n\`\`\`\n`];
}

function argumentTable(title: string, all: readonly Argument[]): readonly string[] {
  const rows = all.map((one) => {
    const name = `${one.name()}${one.variadic ? '...' : ''}`;
    return [
      code(one.required ? `<${name}>` : `[${name}]`),
      meaning(one.description, one.argChoices, one.defaultValueDescription ?? one.defaultValue),
    ];
  });
  return markdownTable(title, ['argument', 'meaning'], rows);
}

function optionTable(title: string, all: readonly Option[]): readonly string[] {
  return markdownTable(title, ['option', 'meaning'], all.map(optionRow));
}

function optionRow(option: Option): readonly string[] {
  const one = withoutEmptyDefault(option);
  // The default of a negation such as `--no-color` is `true`, which is no information.
  const preset = one.negate ? undefined : (one.defaultValueDescription ?? one.defaultValue);
  return [code(one.flags), meaning(one.description, one.argChoices, preset)];
}

function meaning(description: string, choices: readonly string[] | undefined, preset: unknown): string {
  const more = [
    ...(choices === undefined ? [] : [`one of ${choices.map(code).join(', ')}`]),
    ...(preset === undefined ? [] : [`default: ${code(typeof preset === 'string' ? preset : JSON.stringify(preset))}`]),
  ];
  return more.length === 0 ? plain(description) : `${plain(description)} (${more.join('; ')})`;
}

function markdownTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`);
  return [`${title}\n`, `${lines.join('\n')}\n`];
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function paragraph(text: string): string {
  return text === '' ? '' : `${plain(text)}\n`;
}

/** Escapes `<name>`, which Markdown would treat as an HTML element and not show. */
function plain(text: string): string {
  return text.replaceAll('<', '\\<');
}

function code(text: string): string {
  return `\`${text}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}
