// Wraps the lines of Markdown at 120 columns. Code blocks, tables and headings stay. `node scripts/wrap-markdown.mjs FILE …` rewrites
// files.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const WIDTH = 120;
/** The start of a list item, up to its text. */
const ITEM = /^\s*(?:[-*+]|\d+\.)\s+/;
/** A line that is not wrapped: blank, heading, table, quotation, HTML, code fence, horizontal rule. */
const FIXED = /^\s*(?:$|#{1,6}\s|\||>|<|```|---$)/;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const file of process.argv.slice(2)) writeFileSync(file, wrapMarkdown(readFileSync(file, 'utf8')));
}

/** Returns the text with every paragraph and list item that has a too long line wrapped again; all others stay. */
export function wrapMarkdown(text) {
  const out = [];
  let block = [];
  let inCode = false;
  const flush = () => {
    out.push(...(block.some((line) => line.length > WIDTH) ? fill(block) : block));
    block = [];
  };
  for (const line of text.split('\n')) {
    const isFence = /^\s*```/.test(line);
    if (inCode || isFence || FIXED.test(line)) {
      flush();
      out.push(line);
      if (isFence) inCode = !inCode;
    } else {
      if (ITEM.test(line)) flush();
      block.push(line);
    }
  }
  flush();
  return out.join('\n');
}

/** Returns the lines that are too long and could be shorter. */
export function longLines(text) {
  const before = text.split('\n');
  const after = new Set(wrapMarkdown(text).split('\n'));
  return before.filter((line) => line.length > WIDTH && !after.has(line));
}

function fill([first, ...rest]) {
  const start = ITEM.exec(first)?.[0] ?? /^\s*/.exec(first)[0];
  const indent = ' '.repeat(start.length);
  const text = [first.slice(start.length), ...rest.map((line) => line.trim())].join(' ');
  const lines = [];
  let line = start;
  let isEmpty = true;
  for (const word of wordsOf(text)) {
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Returns the words. Code and links are not broken, and a word that would start a list or a heading stays after the previous word. */
function wordsOf(text) {
  const words = text.match(/(?:`+[^`]*`+|!?\[(?:[^\]`]|`[^`]*`)*\]\([^)]*\)|\S)+/g) ?? [];
  const all = [];
  for (const word of words) {
    if (all.length > 0 && /^(?:[-*+>|]|#{1,6}|\d+\.)$/.test(word)) all.push(`${all.pop()} ${word}`);
    else all.push(word);
  }
  return all;
}
