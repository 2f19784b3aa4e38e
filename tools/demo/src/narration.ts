/** The page of a demo that writes to no terminal. */
export const PAGE_WIDTH = 80;
/** What a table of the tools still fits into, and what is still pleasant to read. */
const WIDTHS = { least: 50, most: 120 } as const;

const INDENT = '  ';

/** How wide the page is on a terminal with so many columns; `Infinity` is no terminal. */
export function pageWidthFor(columns: number): number {
  if (columns === Number.POSITIVE_INFINITY) return PAGE_WIDTH;
  return Math.min(Math.max(columns, WIDTHS.least), WIDTHS.most);
}

/** How wide a program's output may be, so that it fits below a step. */
export function outputWidth(pageWidth: number): number {
  return pageWidth - INDENT.length;
}

/** A paragraph below a step, wrapped between words. */
export function formatParagraph(text: string, pageWidth = PAGE_WIDTH): string {
  return indent(wrap(text, outputWidth(pageWidth)));
}

/** What a program has written, whole; only lines that are too long are broken, as a terminal would, but between words. */
export function formatOutput(text: string, pageWidth = PAGE_WIDTH): string {
  return indent(
    text
      .replace(/\n+$/, '')
      .split('\n')
      .flatMap((line) => wrap(line, outputWidth(pageWidth))),
  );
}

/** A command as a person would type it, with a backslash where the line goes on. `into`: the file that takes its output. */
export function formatCommand(words: readonly string[], into?: string, pageWidth = PAGE_WIDTH): string {
  const line = [...words.map(quoteWord), ...(into === undefined ? [] : ['>', quoteWord(into)])].join(' ');
  const [first = '', ...more] = wrap(line, outputWidth(pageWidth) - '    '.length - ' \\'.length);
  return indent([`$ ${first}`, ...more.map((line) => `    ${line}`)].map((line, at) => (at < more.length ? `${line} \\` : line)));
}

/** For a POSIX shell. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./{}^~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Breaks a line at blanks; a word that is longer than the line stays whole. What leads the line, leads no other. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const before = rest.lastIndexOf(' ', width);
    const at = rest.slice(0, Math.max(before, 0)).trim() === '' ? rest.indexOf(' ', width) : before;
    if (at < 0) break;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at + 1);
  }
  return [...lines, rest];
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? '' : `${INDENT}${line}`)).join('\n');
}
