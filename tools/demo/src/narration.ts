/** The page width without a terminal. */
export const PAGE_WIDTH = 80;
/** The narrowest width that fits a table of the tools, and the widest that is still easy to read. */
const WIDTHS = { least: 50, most: 120 } as const;

const INDENT = '  ';

/** Returns the page width for a terminal with this many columns; `Infinity`: no terminal. */
export function pageWidthFor(columns: number): number {
  if (columns === Number.POSITIVE_INFINITY) return PAGE_WIDTH;
  return Math.min(Math.max(columns, WIDTHS.least), WIDTHS.most);
}

/** Returns the maximum width of a program's output below a step. */
export function outputWidth(pageWidth: number): number {
  return pageWidth - INDENT.length;
}

/** Returns the heading of a step, wrapped between words. */
export function formatHeading(text: string, pageWidth = PAGE_WIDTH): string {
  return wrap(text, pageWidth).join('\n');
}

/** Returns a paragraph below a step, wrapped between words. */
export function formatParagraph(text: string, pageWidth = PAGE_WIDTH): string {
  return indent(wrap(text, outputWidth(pageWidth)));
}

/** Returns a program's whole output. Only lines that are too long are wrapped, as in a terminal, but between words. */
export function formatOutput(text: string, pageWidth = PAGE_WIDTH): string {
  return indent(
    text
      .replace(/\n+$/, '')
      .split('\n')
      .flatMap((line) => wrap(line, outputWidth(pageWidth))),
  );
}

/** Returns a command as typed, with a backslash at the end of a continued line. `after`: words that are not quoted. */
export function formatCommand(words: readonly string[], after: readonly string[] = [], pageWidth = PAGE_WIDTH): string {
  const line = [...words.map(quoteWord), ...after].join(' ');
  const [first = '', ...more] = wrap(line, outputWidth(pageWidth) - '    '.length - ' \\'.length);
  return indent([`$ ${first}`, ...more.map((line) => `    ${line}`)].map((line, at) => (at < more.length ? `${line} \\` : line)));
}

/** Quotes a word for a POSIX shell. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./{}^~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Wraps a line at blanks; a word that is longer than the line stays whole. Continuation lines repeat the indent. */
function wrap(line: string, lineWidth: number): string[] {
  const start = /^ */.exec(line)?.[0] ?? '';
  const [text, width] = [line.slice(start.length), lineWidth - start.length];
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const before = rest.lastIndexOf(' ', width);
    const at = rest.slice(0, Math.max(before, 0)).trim() === '' ? rest.indexOf(' ', width) : before;
    if (at < 0) break;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at + 1);
  }
  return [...lines, rest].map((part) => `${start}${part}`.trimEnd());
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? '' : `${INDENT}${line}`)).join('\n');
}
