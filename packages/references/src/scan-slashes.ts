import { endOfComment, endOfLine, endOfRegex } from './code-text.js';
import { addFound, type Scan } from './scan.js';

/** Skips a comment or regular expression, if one begins here; some comments name modules. */
export function readSlash(scan: Scan, start: number): void {
  const next = scan.text[start + 1];
  if (next === '/') readLineComment(scan, start);
  else if (next === '*' && !scan.unclosedComment) readComment(scan, start);
  else if (mayBeginRegex(scan, start)) scan.at = findRegexEnd(scan, start) ?? scan.at;
}

const TYPES = { form: 'module', isType: true, by: '/// <reference types>' } as const;
const REFERENCE = /\/\/\/\s*<reference\s+(path|types)\s*=\s*["']([^"'\n]+)["']/y;

function readLineComment(scan: Scan, start: number): void {
  const { text } = scan;
  REFERENCE.lastIndex = start;
  const [, kind, specifier] = (text[start + 2] === '/' ? REFERENCE.exec(text) : undefined) ?? [];
  if (specifier !== undefined) addFound(scan, { specifier, offset: start, ...(kind === 'path' ? { form: 'path' } : TYPES) });
  const end = endOfLine(text, start);
  readPragma(scan, start, end);
  passComment(scan, start, end);
}

const PRAGMAS = ['@jest-environment', '@vitest-environment', '@jsxImportSource'] as const;
const PRAGMA = new RegExp(`(${PRAGMAS.join('|')})[ \\t]+([^\\s*]+)`);

function readComment(scan: Scan, start: number): void {
  const { text } = scan;
  const end = endOfComment(text, start);
  if (end === undefined) {
    // It is not a comment (`src/*` in JSX), and no later one is closed either.
    scan.unclosedComment = true;
    return;
  }
  readPragma(scan, start, end);
  if (text[start + 2] === '*') readTypes(scan, start, end);
  passComment(scan, start, end);
}

/** Names a type inside of braces, or after `@import`. A call, as of a function that is an example, is no type. */
const TYPE = /(?:[{([<,|&:!?.]\s*(?:typeof\s+)?\bimport\(\s*|@import\s[^'"@]{0,300}?\bfrom\s+)(['"])([^'"\s]+)\1/g;

/** Reads the types in the documentation of JavaScript, which TypeScript reads. */
function readTypes(scan: Scan, start: number, end: number): void {
  for (const { 0: found, 1: quote = '', 2: specifier = '', index } of scan.text.slice(start, end).matchAll(TYPE))
    addFound(scan, { specifier, offset: start + index + found.indexOf(quote), form: 'module', isType: true, by: '@type' });
}

function readPragma(scan: Scan, start: number, end: number): void {
  const [, name, specifier] = (scan.found.length === 0 && PRAGMA.exec(scan.text.slice(start, Math.min(end, start + 4000)))) || [];
  const by = PRAGMAS.find((one) => one === name);
  if (specifier !== undefined) addFound(scan, { specifier, offset: start, form: 'module', by });
}

function passComment(scan: Scan, start: number, end: number): void {
  const joins = scan.comments.end > 0 && skipBack(scan.text, start) <= scan.comments.end;
  scan.comments = { start: joins ? scan.comments.start : start, end };
  scan.at = end;
}

const OPERATOR_WORD = /(?<![\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|instanceof|yield|await|default|extends)$/;

/** Tells whether a slash begins a regular expression, which depends on the text before it, without comments. */
function mayBeginRegex(scan: Scan, start: number): boolean {
  const { text, comments } = scan;
  let end = skipBack(text, start);
  if (end <= comments.end && end > comments.start) end = skipBack(text, comments.start);
  const last = text[end - 1] ?? '';
  if (/[\w$\u0080-\uffff]/.test(last)) return OPERATOR_WORD.test(text.slice(Math.max(end - 12, 0), end));
  if ((last === '+' || last === '-') && text[end - 2] === last) return false;
  // After `<` it is a closing tag in JSX.
  return !`)]}'"\`<`.includes(last) || last === '';
}

/** Returns the start of the whitespace before an index. */
function skipBack(text: string, from: number): number {
  let at = from;
  while (at > 0 && text.charCodeAt(at - 1) <= 32) at--;
  return at;
}

const TRIES_A_LINE = 32;

/** Limits the number of searches per line, because a minified file is a single line. */
function findRegexEnd(scan: Scan, start: number): number | undefined {
  const { text } = scan;
  const inFailedLine = start < scan.failedLine;
  if (inFailedLine && scan.failures >= TRIES_A_LINE) return undefined;
  const end = endOfRegex(text, start);
  if (end !== undefined) return end;
  scan.failures = inFailedLine ? scan.failures + 1 : 1;
  if (!inFailedLine) scan.failedLine = endOfLine(text, start);
  return undefined;
}
