import { showInvisible } from './invisible.js';

// Only our own colours, line breaks and tabs may control a terminal: a file name or a server's message may contain anything.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const COMMAND_TO_TERMINAL = /(\x1b\[[\d;]{0,20}m)|[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/**
 * Commands in a CI log: `##vso[…]` and `##[…]` anywhere in a line, `::…::` after blanks at its start. Both agents are written in .NET,
 * which ignores zero-width characters when it compares text. Sources: microsoft/azure-pipelines-agent, `Command.TryParse`; actions/runner,
 * `ActionCommand.TryParse` and `TryParseV2`.
 */
const COMMAND_ANYWHERE = /#(?=[\p{Default_Ignorable_Code_Point}\p{Cf}]*#)/gu;
const COMMAND_AT_START = /^([\t \p{Zs}\p{Default_Ignorable_Code_Point}\p{Cf}]*:)(?=[\p{Default_Ignorable_Code_Point}\p{Cf}]*:)/gmu;

/**
 * Returns untrusted text without commands for a terminal or a CI log, and with characters that nobody sees as escapes. A blank inserted into a
 * log command disables it.
 */
export function dropCommands(text: string): string {
  return showInvisible(text.replace(COMMAND_TO_TERMINAL, '$1')).replace(COMMAND_ANYWHERE, '# ').replace(COMMAND_AT_START, '$1 ');
}

/** Like `dropCommands`, for Markdown. Headings stay: a blank follows their `#`, which no command has. */
export function dropCommandsInMarkdown(markdown: string): string {
  const lines = markdown.split('\n').map((line) => {
    const [heading = ''] = /^#{1,6} /.exec(line) ?? [];
    return heading + dropCommands(line.slice(heading.length));
  });
  return lines.join('\n');
}

/**
 * Returns a JSON document with the same value and no commands for a CI log. No line of JSON starts with a command, because strings are
 * quoted. Characters that nobody sees are escaped.
 */
export function dropCommandsInJson(json: string): string {
  return showInvisible(json).replace(COMMAND_ANYWHERE, '\\u0023');
}

/**
 * Returns the text of an XML document without commands for a CI log: an entity replaces one character of each command, which keeps its value.
 * Characters that nobody sees become escapes.
 */
export function dropCommandsInXml(xml: string): string {
  return showInvisible(xml)
    .replace(COMMAND_ANYWHERE, '&#35;')
    .replace(COMMAND_AT_START, (signs) => `${signs.slice(0, -1)}&#58;`);
}
