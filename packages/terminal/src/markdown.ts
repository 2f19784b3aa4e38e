import { showInvisible } from './invisible.js';

/** In bytes. GitHub accepts 1 MiB from a step; this leaves room for what others write there. */
export const LARGEST_SUMMARY = 900_000;

/** Returns untrusted text, such as a file name, as inline code in Markdown. None of its characters has a special meaning. */
export function code(text: string): string {
  const plain = plainText(text.slice(0, 300))
    .replace(/[\n\t]+/g, ' ')
    .replace(/\|/g, '¦');
  // A run of backticks ends only at a run of the same length.
  const fence = '`'.repeat(longestRun(plain) + 1);
  if (plain === '') return '';
  return fence.length === 1 ? `\`${plain}\`` : `${fence} ${plain} ${fence}`;
}

/** How much of a text to show, and which end. */
export interface Excerpt {
  readonly lines: number;
  readonly characters: number;
  readonly from: 'start' | 'end';
}

/** Returns untrusted text, such as test output, as a code block. Nothing in it can end the block or has a special meaning. */
export function codeBlock(text: string, excerpt: Excerpt): string {
  const plain = excerptOf(text, excerpt);
  const fence = '`'.repeat(Math.max(3, longestRun(plain) + 1));
  return `${fence}\n${plain}\n${fence}`;
}

/** Returns the first or last lines of an untrusted text, without blank lines around them; `…` marks the cut. */
export function excerptOf(text: string, { lines, characters, from }: Excerpt): string {
  // Skips the part that is far outside the limit.
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

/** Returns text with one kind of line end, without control characters and lone surrogates; what nobody sees becomes an escape. */
function plainText(text: string): string {
  const lines = showInvisible(text.replace(/\r\n?|[\u2028\u2029]/g, '\n'));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return wellFormed(lines.replace(/\0/g, '\ufffd').replace(/[\x01-\x08\x0b-\x1f\x7f-\x9f]/g, ''));
}

/** Replaces lone surrogates, which a cut can leave. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function longestRun(text: string): number {
  return [...text.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), 0);
}

/** Returns a table with as many rows as fit into `room` bytes, and the number of the other rows. */
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

/** In bytes, for the line that counts the other rows. */
const ROOM_FOR_REST = 30;
