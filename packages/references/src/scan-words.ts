import { endOfLiteral, isBlank, skipBlank } from './code-text.js';
import { addFound, type Scan, take } from './scan.js';

const MODULE_FUNCTION =
  /\s*\.\s*(?:mock|doMock|unmock|deepUnmock|dontMock|doUnmock|setMock|requireActual|requireMock|importActual|importMock|createMockFromModule|genMockFromModule|unstable_mockModule|unstable_unmockModule)\b/y;

/** Continues after a word that may name a module, and reads what it imports. */
export function readWord(scan: Scan, start: number, word: string): void {
  const { text, at } = scan;
  if (text[start - 1] === '$') return;
  const isMember = text[start - 1] === '.' && text[start - 2] !== '.';
  if (word === 'dirname' && isMember && text.startsWith('import.meta', start - 12)) return takeFolder(scan, start - 12);
  if (isMember) return;
  switch (word) {
    case 'import':
      return readImport(scan);
    case 'export':
      return readClause(scan);
    case 'require':
      return takeArgument(scan, text.startsWith('.resolve', at) ? at + '.resolve'.length : at);
    case 'jest':
    case 'vi':
      MODULE_FUNCTION.lastIndex = at;
      if (MODULE_FUNCTION.test(text)) takeArgument(scan, MODULE_FUNCTION.lastIndex);
      return;
    case 'URL':
      return takeUrl(scan);
    case '__dirname':
      return takeFolder(scan, start);
    default:
  }
}

function readImport(scan: Scan): void {
  const { text, at } = scan;
  if (text.startsWith('.meta.resolve', at)) return takeArgument(scan, at + '.meta.resolve'.length);
  const next = skipBlank(text, at);
  if (text[next] === '(') return takeArgument(scan, next);
  const end = endOfLiteral(text, next);
  if (end === undefined) readClause(scan);
  else take(scan, { start: next, end, form: 'module' });
}

const CLAUSE_WORDS = /[\w$\u0080-\uffff,{}*\s]*/y;

/** Skips the text between `import` or `export` and its `from '…'`: names, braces, commas, stars, comments. */
function readClause(scan: Scan): void {
  const { text } = scan;
  // A clause that begins inside one without a result has none either.
  if (scan.at < scan.clauseEnd) return;
  let at = scan.at;
  let wordsEnd = at;
  for (let next: number | undefined = at; next !== undefined; ) {
    at = next;
    const words = passWords(text, at);
    if (!isBlank(text, at, words)) wordsEnd = words;
    const blank = skipBlank(text, words);
    next = blank > at ? blank : endOfOddName(text, wordsEnd, blank);
  }
  scan.clauseEnd = at;
  const end = endOfLiteral(text, at);
  if (end !== undefined && /(?<![\w$])from\s*$/.test(text.slice(Math.max(wordsEnd - LONGEST_GAP, scan.at), wordsEnd)))
    take(scan, { start: at, end, form: 'module' });
}

/** Finds the end of a string name, as in `{ "odd name" as a }`. */
function endOfOddName(text: string, before: number, at: number): number | undefined {
  return /([{,]|(?<![\w$])as)\s*$/.test(text.slice(Math.max(before - LONGEST_GAP, 0), before)) ? endOfLiteral(text, at) : undefined;
}

const LONGEST_GAP = 80;

function passWords(text: string, at: number): number {
  CLAUSE_WORDS.lastIndex = at;
  CLAUSE_WORDS.test(text);
  return CLAUSE_WORDS.lastIndex;
}

/** Reads `('…')`, `('…', …)` and, for TypeScript, `<…>('…')`. */
function takeArgument(scan: Scan, from: number): void {
  const { text } = scan;
  let open = skipBlank(text, from);
  // The limit keeps a file with many `require<` from being read many times.
  if (text[open] === '<') open += text.slice(open, open + 400).indexOf('>(') + 1;
  if (text[open] !== '(') return;
  const start = skipBlank(text, open + 1);
  const end = endOfLiteral(text, start);
  if (end === undefined) return;
  const next = text[skipBlank(text, end)];
  if (next === ')' || next === ',') take(scan, { start, end, form: 'module' });
}

function takeUrl(scan: Scan): void {
  const { text, at } = scan;
  if (text[at] !== '(') return;
  const start = skipBlank(text, at + 1);
  const end = endOfLiteral(text, start);
  if (end === undefined) return;
  const comma = skipBlank(text, end);
  if (text[comma] === ',' && text.startsWith('import.meta.url', skipBlank(text, comma + 1))) take(scan, { start, end, form: 'path' });
}

/** Reads `__dirname, '..', 'other'` and `__dirname + '/../other'`. */
function takeFolder(scan: Scan, offset: number): void {
  const { text } = scan;
  const names: string[] = [];
  let end = scan.at;
  for (let sign = skipBlank(text, end); text[sign] === ',' || text[sign] === '+'; sign = skipBlank(text, end)) {
    const start = skipBlank(text, sign + 1);
    const next = endOfLiteral(text, start);
    if (next === undefined) break;
    names.push(text.slice(start + 1, next - 1));
    end = next;
  }
  const path = names.join('/');
  if (path.includes('..')) addFound(scan, { specifier: path.replace(/^\/+/, ''), offset, form: 'path' });
  scan.at = end;
}
