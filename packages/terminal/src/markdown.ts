/** Below the 1 MiB that GitHub takes from a step, with room for what others write there. */
export const LARGEST_SUMMARY = 900_000;

/** Text of others, such as a file name, as code in Markdown: none of its signs means anything. */
export function code(text: string): string {
  const plain = plainText(text.slice(0, 300))
    .replace(/[\n\t]+/g, ' ')
    .replace(/\|/g, '¦');
  // A run of backticks ends only where one of the same length does.
  const fence = '`'.repeat(longestRun(plain) + 1);
  if (plain === '') return '';
  return fence.length === 1 ? `\`${plain}\`` : `${fence} ${plain} ${fence}`;
}

/** How much of a text is shown, and which end of it. */
export interface Excerpt {
  readonly lines: number;
  readonly characters: number;
  readonly from: 'start' | 'end';
}

/** Text of others, such as what a test says, as a block of code: nothing in it ends the block or means anything. */
export function codeBlock(text: string, excerpt: Excerpt): string {
  const plain = excerptOf(text, excerpt);
  const fence = '`'.repeat(Math.max(3, longestRun(plain) + 1));
  return `${fence}\n${plain}\n${fence}`;
}

/** The first lines of a text of others, or its last ones, without blank lines around them; what is cut off is shown by `…`. */
export function excerptOf(text: string, { lines, characters, from }: Excerpt): string {
  // What is far too long is not even looked at.
  const near = from === 'start' ? text.slice(0, characters * 4) : text.slice(-characters * 4);
  const all = plainText(near)
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
    .split('\n');
  const shown = (from === 'start' ? all.slice(0, lines) : all.slice(-lines)).join('\n');
  const cut = from === 'start' ? shown.slice(0, characters) : shown.slice(-characters);
  if (cut.length === all.join('\n').length && near.length === text.length) return cut;
  return wellFormed(from === 'start' ? `${cut}\n…` : `…\n${cut}`);
}

/** Signs that change the direction of what stands behind them, out of a test's name into our own words. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** One kind of line end, no control characters, no half characters, nothing that turns the direction. */
function plainText(text: string): string {
  const lines = text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(TURNS, '\ufffd');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return wellFormed(lines.replace(/\0/g, '\ufffd').replace(/[\x01-\x08\x0b-\x1f\x7f-\x9f]/g, ''));
}

/** A half of a character, as a cut leaves one, is no text. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function longestRun(text: string): number {
  return [...text.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), 0);
}

/** A table with as many rows as fit into so many bytes; the rest is counted. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], room: number): string {
  const lines = [`| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`];
  let used = Buffer.byteLength(lines.join('\n')) + ROOM_FOR_REST;
  for (const [at, row] of rows.entries()) {
    const line = `| ${row.join(' | ')} |`;
    used += Buffer.byteLength(line) + 1;
    if (used > room) return [...lines, '', `and ${rows.length - at} more.`].join('\n');
    lines.push(line);
  }
  return lines.join('\n');
}

/** For the line that counts the rest. */
const ROOM_FOR_REST = 30;
