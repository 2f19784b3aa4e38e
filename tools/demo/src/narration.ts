/** What fits on the narrowest terminal that people use. */
export const PAGE_WIDTH = 80;

const INDENT = '  ';

/** How wide a program's output may be, so that it fits below a step. */
export const OUTPUT_WIDTH = PAGE_WIDTH - INDENT.length;

/** A paragraph below a step, wrapped between words. */
export function formatParagraph(text: string): string {
  return indent(wrap(text, OUTPUT_WIDTH));
}

/** What a program has written, whole; only lines that are too long are broken, as a terminal would, but between words. */
export function formatOutput(text: string): string {
  return indent(
    text
      .replace(/\n+$/, '')
      .split('\n')
      .flatMap((line) => wrap(line, OUTPUT_WIDTH)),
  );
}

/** A command as a person would type it, with a backslash where the line goes on. `into`: the file that takes its output. */
export function formatCommand(words: readonly string[], into?: string): string {
  const line = [...words.map(quoteWord), ...(into === undefined ? [] : ['>', quoteWord(into)])].join(' ');
  const [first = '', ...more] = wrap(line, OUTPUT_WIDTH - '    '.length - ' \\'.length);
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
