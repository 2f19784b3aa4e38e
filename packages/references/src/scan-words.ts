import { endOfLiteral, isBlank, skipBlank } from './code-text.js';
import type { ScannedImport } from './reference.js';
import { type At, addFound, addRoot, type Scan } from './scan.js';
import { readDirname, readFileAddress, readFileName, readFolder } from './scan-folders.js';
import { readStartPaths } from './scan-start.js';
import { leadsUp, normalize, readPath, takePath } from './written-path.js';

const MODULE_FUNCTION =
  /\s*\.\s*(?:mock|doMock|unmock|deepUnmock|dontMock|doUnmock|setMock|requireActual|requireMock|importActual|importMock|createMockFromModule|genMockFromModule|unstable_mockModule|unstable_unmockModule)\b/y;

/** Continues after a word that may name a module, and reads what it imports. */
export function readWord(scan: Scan, start: number, word: string): void {
  const { text, at } = scan;
  if (text[start - 1] === '$') return;
  // Of any object, such as `path`.
  if (word === 'dirname') return readDirname(scan, start);
  if (word === 'createRequire') return readMadeRequire(scan);
  if (text[start - 1] === '.' && text[start - 2] !== '.') return;
  switch (word) {
    case 'import':
      return readImport(scan, start);
    case 'export':
      return readClause(scan);
    case 'require':
      return readRequire(scan, start);
    case 'jest':
    case 'vi':
      MODULE_FUNCTION.lastIndex = at;
      if (MODULE_FUNCTION.test(text)) takeMock(scan, MODULE_FUNCTION.lastIndex);
      return;
    case 'URL':
      return takeUrl(scan);
    case '__dirname':
      return readFolder(scan, start);
    case '__filename':
      return readFileName(scan, start);
    default:
  }
}

/** After the name. Vitest passes the module itself to the function; one without parameters could only take it from `arguments`. */
const FACTORY = /\s*,\s*(?:async\s*)?\(\s*\)\s*=>/y;

function takeMock(scan: Scan, from: number): void {
  const { text, found } = scan;
  const known = found.length;
  takeArgument(scan, from, { by: 'mock' });
  FACTORY.lastIndex = scan.at;
  const mock = found.length === known + 1 ? found.pop() : undefined;
  if (mock !== undefined) found.push(FACTORY.test(text) ? { ...mock, isMadeUp: true } : mock);
}

function readImport(scan: Scan, start: number): void {
  const { text, at } = scan;
  const next = skipBlank(text, at);
  if (text[next] === '.') return readMember(scan, start, next);
  if (text[next] === '(') return takeImport(scan, start, next);
  const end = endOfLiteral(text, next);
  if (end === undefined) readClause(scan);
  else takeModule(scan, { start: next, end });
}

/** `import.defer('a')` loads later, `import.source('a')` only compiles. */
const MEMBER = /\.\s*(?:meta\s*\.\s*(resolve|dirname|dir|filename|url)|defer|source)\b/y;

function readMember(scan: Scan, start: number, from: number): void {
  MEMBER.lastIndex = from;
  const [found, name] = MEMBER.exec(scan.text) ?? [];
  if (found === undefined) return;
  scan.at = from + found.length;
  switch (name) {
    case undefined:
      return takeArgument(scan, scan.at, {});
    case 'resolve':
      return takeArgument(scan, scan.at, { by: 'resolve' });
    case 'filename':
      return readFileName(scan, start);
    case 'url':
      return readFileAddress(scan, start);
    default:
      return readFolder(scan, start);
  }
}

const TYPE_BEFORE = /\btypeof\s+$/;
const TYPE_MEMBER = /\s*\)\s*\.\s*(?!(?:then|catch|finally)\b|[\w$]+\s*\()[\w$]/y;

/** Reads `import('a')`, which is a type in `typeof import('a')` and `import('a').B`. */
function takeImport(scan: Scan, start: number, open: number): void {
  const { text } = scan;
  const end = endOfLiteral(text, skipBlank(text, open + 1));
  TYPE_MEMBER.lastIndex = end ?? text.length;
  const isType = TYPE_MEMBER.test(text) || TYPE_BEFORE.test(text.slice(Math.max(start - LONGEST_GAP, 0), start));
  takeArgument(scan, open, { isType: isType || undefined });
}

const RESOLVE = /\.\s*resolve\b/y;
const CONTEXT = /\.\s*context\b/y;
const TYPE_NAME = /\bimport\s+type\s+[\w$]+\s*$/;

function readRequire(scan: Scan, start: number): void {
  const { text, at, clauseEnd } = scan;
  const next = skipBlank(text, at);
  if (text[next] === '.') return readResolve(scan, next);
  if (start - clauseEnd > LONGEST_GAP || !/^=\s*$/.test(text.slice(clauseEnd, start))) return takeArgument(scan, next, { by: 'require' });
  // `import a = require('a')` is no call.
  const isType = TYPE_NAME.test(text.slice(Math.max(clauseEnd - LONGEST_GAP, 0), clauseEnd));
  takeArgument(scan, next, { isType: isType || undefined });
}

const ARGUMENTS = /\s*\((?:[^()]|\([^()]{0,200}\)){0,200}\)/y;

/** Reads `createRequire(import.meta.url)('a')`, and the same with `.resolve`. */
function readMadeRequire(scan: Scan): void {
  ARGUMENTS.lastIndex = scan.at;
  if (!ARGUMENTS.test(scan.text)) return;
  const next = skipBlank(scan.text, ARGUMENTS.lastIndex);
  if (scan.text[next] === '.') readResolve(scan, next);
  else if (scan.text[next] === '(') takeArgument(scan, next, { by: 'require' });
}

function readResolve(scan: Scan, from: number): void {
  RESOLVE.lastIndex = from;
  CONTEXT.lastIndex = from;
  if (RESOLVE.test(scan.text)) takeArgument(scan, RESOLVE.lastIndex, { by: 'resolve' });
  // webpack's `require.context` reads a folder.
  else if (CONTEXT.test(scan.text)) takeArgument(scan, CONTEXT.lastIndex, { form: 'path' });
}

const CLAUSE_WORDS = /[\w$\u0080-\uffff,{}*\s]*/y;

/** `type` may also be the name of what is imported. */
const TYPE_CLAUSE = /\s*(?:type|typeof)\b\s*(?!from\s*['"]|,)[\w$*{]/y;

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
  if (end !== undefined && /(?<![\w$])from\s*$/.test(text.slice(Math.max(wordsEnd - LONGEST_GAP, scan.at), wordsEnd))) {
    TYPE_CLAUSE.lastIndex = scan.at;
    takeModule(scan, { start: at, end, isType: TYPE_CLAUSE.test(text) || undefined });
  }
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

/** What is known of an argument: `path` is the form of a folder. */
type Argument = Pick<At<ScannedImport>, 'isType' | 'by'> & { readonly form?: 'path' };

/** Reads `('…')`, `('…', …)`, `('…' + name)` and, for TypeScript, `<…>('…')`. */
function takeArgument(scan: Scan, from: number, { form, isType, by }: Argument): void {
  const { text } = scan;
  let open = skipBlank(text, from);
  // The limit keeps a file with many `require<` from being read many times.
  if (text[open] === '<') open += text.slice(open, open + 400).indexOf('>(') + 1;
  if (text[open] !== '(') return;
  const start = skipBlank(text, open + 1);
  const end = endOfLiteral(text, start);
  if (end !== undefined && form === undefined && isArgument(text, end)) takeModule(scan, { start, end, isType, by });
  else if (/['"`]/.test(text[start] ?? '')) takeAssembled(scan, start, by);
  else takeChoices(scan, start, by);
}

/** After a name: `a ? 'b' : 'c'`, `a ?? 'b'`. */
const CHOICES =
  /[\w$.\s]{0,200}(?:[!=]==?\s*(?:[\w$.]+|'[^'\n]*'|"[^"\n]*")\s*)?(?:(?:[?:]|\|\||\?\?)\s*(?:[\w$.]+|'[^'\n]*'|"[^"\n]*")\s*){1,20}(?=[,)])/y;

/** Reads the modules of which one is loaded. */
function takeChoices(scan: Scan, start: number, by: ScannedImport['by']): void {
  CHOICES.lastIndex = start;
  const [choices = ''] = CHOICES.exec(scan.text) ?? [];
  for (const { 0: found, 1: quote = '', 2: specifier = '', index } of choices.matchAll(/[?:|]\s*(['"])([^'"\n]+)\1/g))
    addFound(scan, { specifier, offset: start + index + found.indexOf(quote), form: 'module', by });
}

/** Adds the module that a literal names, and skips it. A compiler may look for it from the project's root, too (`baseUrl`). */
function takeModule(
  scan: Scan,
  { start, end, isType, by }: Pick<At<ScannedImport>, 'isType' | 'by'> & { readonly start: number; readonly end: number },
): void {
  addFound(scan, { specifier: scan.text.slice(start + 1, end - 1), offset: start, form: 'module', isType, by });
  scan.at = end;
  if (/[^./]/.test(scan.text[start + 1] ?? '')) readStartPaths(scan, start + 1);
}

function isArgument(text: string, end: number): boolean {
  const next = text[skipBlank(text, end)];
  return next === ')' || next === ',';
}

const PACKAGE = /^(?:@[^/]+\/)?[^/@][^/]*(?=\/)/;

/** Reads a module whose name is put together: what is certain is a folder, or a package. */
function takeAssembled(scan: Scan, start: number, by: ScannedImport['by']): void {
  const { text } = scan;
  if (text.slice(start, endOfLiteral(text, start) ?? start).includes('\\')) return addRoot(scan, start);
  const path = readPath(text, start, { join: 'sum' });
  if (path.isWhole && !isArgument(text, path.end)) return;
  const known = path.isWhole ? path.path : path.path.slice(0, path.path.lastIndexOf('/'));
  if ((path.isWhole || PACKAGE.test(path.path)) && !known.startsWith('.'))
    addFound(scan, { specifier: known, offset: start, form: 'module', by, isPattern: !path.isWhole || undefined });
  takePath(scan, path, { offset: start, form: 'path' });
}

const FILE_ADDRESS = /^[^;]{0,180}?,\s*import\.meta\.url\b/;

function takeUrl(scan: Scan): void {
  const { text, at } = scan;
  if (text[at] !== '(') return;
  const start = skipBlank(text, at + 1);
  if (!/['"`]/.test(text[start] ?? '')) return;
  const path = readPath(text, start, { join: 'sum' });
  if (!FILE_ADDRESS.test(text.slice(path.end, path.end + 200))) return;
  if (path.isWhole && !leadsUp(normalize(path.path))) addFound(scan, { specifier: path.path, offset: start, form: 'path' });
  takePath(scan, path, { offset: start, form: 'path' });
}
