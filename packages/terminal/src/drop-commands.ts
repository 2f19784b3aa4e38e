// Our own colours, and line breaks and tabs, are all that a terminal is to obey: a file name or a server's message may hold anything.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const COMMAND_TO_TERMINAL = /(\x1b\[[\d;]{0,20}m)|[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/**
 * What the log of a CI job obeys: `##vso[…]` and `##[…]` anywhere in a line, `::…::` behind blanks at its beginning. .NET, in which both
 * agents are written, overlooks signs without a width when it compares text. Source: microsoft/azure-pipelines-agent, `Command.TryParse`;
 * actions/runner, `ActionCommand.TryParse` and `TryParseV2`.
 */
const COMMAND_ANYWHERE = /#(?=[\p{Default_Ignorable_Code_Point}\p{Cf}]*#)/gu;
const COMMAND_AT_START = /^([\t \p{Zs}\p{Default_Ignorable_Code_Point}\p{Cf}]*:)(?=[\p{Default_Ignorable_Code_Point}\p{Cf}]*:)/gmu;

/** Text of others as neither a terminal nor the log of a CI job takes it for a command; a blank goes into the signs of a command to a log. */
export function dropCommands(text: string): string {
  return text.replace(COMMAND_TO_TERMINAL, '$1').replace(COMMAND_ANYWHERE, '# ').replace(COMMAND_AT_START, '$1 ');
}

/** The same for Markdown, whose headings stay: behind their signs comes a blank, which no command has. */
export function dropCommandsInMarkdown(markdown: string): string {
  const lines = markdown.split('\n').map((line) => {
    const [heading = ''] = /^#{1,6} /.exec(line) ?? [];
    return heading + dropCommands(line.slice(heading.length));
  });
  return lines.join('\n');
}

/** A JSON document with the same value that no log takes for a command; its lines begin with none, for what stands in it is quoted. */
export function dropCommandsInJson(json: string): string {
  return json.replace(COMMAND_ANYWHERE, '\\u0023');
}

/** The text of an XML document that no log takes for a command, with the same value: an entity stands for a sign of each command. */
export function dropCommandsInXml(xml: string): string {
  return xml.replace(COMMAND_ANYWHERE, '&#35;').replace(COMMAND_AT_START, (signs) => `${signs.slice(0, -1)}&#58;`);
}
