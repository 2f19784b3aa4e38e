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
  const parts = [`# ${program.name()}\n`, ...sections(program, '##'), ...optionTable('## Options of every command', global)];
  return `${parts.join('\n').trimEnd()}\n`;
}

/** Returns the sections for a command, then those for its subcommands. */
function sections(command: Command, level: string): readonly string[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command).filter((child) => child.name() !== 'help' && child !== command);
  return [
    paragraph(help.commandDescription(command)),
    `\`\`\`text\n${help.commandUsage(command).replaceAll(/\n +/g, '\n')}\n\`\`\`\n`,
    ...examples(command, level),
    ...argumentTable(`${level} Arguments`, command.registeredArguments),
    ...optionTable(
      `${level} Options`,
      help.visibleOptions(command).filter((option) => !isShared(option)),
    ),
    ...children.flatMap((child) => [`${level} ${pathOf(child)}\n`, ...sections(child, `${level}#`)]),
  ];
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
  // The default of a negation such as `--no-color` is `true`, which is no information.
  const rows = all
    .map(withoutEmptyDefault)
    .map((one) => [
      code(one.flags),
      meaning(one.description, one.argChoices, one.negate ? undefined : (one.defaultValueDescription ?? one.defaultValue)),
    ]);
  return markdownTable(title, ['option', 'meaning'], rows);
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
