import { skipBlank } from './code-text.js';
import { addSearch, type Scan } from './scan.js';
import { callBefore } from './scan-strings.js';
import { addPath, readPath, takePath } from './written-path.js';

/** What a path begins with. */
interface Base {
  readonly offset: number;
  /** Relative to the folder of the file. */
  readonly before: string;
}

/** Stands for the file itself, so that the first `..` after it leads to its folder. */
const FILE = 'file';

/** A part of the path is taken by other means than joining. Replacing backslashes leaves the path the same. */
const CUTTING = /\s*\??\.\s*(?:split|slice|substring|substr|match|replace(?:All)?(?!\s*\(\s*(?:\/|['"])\\))\s*\(/y;

/** Reads `__dirname, '..', 'other'` and `__dirname + '/../other'`; `scan.at` is after the word. */
export function readFolder(scan: Scan, offset: number): void {
  CUTTING.lastIndex = scan.at;
  if (CUTTING.test(scan.text)) addSearch(scan, offset);
  readJoined(scan, { offset, before: '' });
}

/** Reads the same after `__filename`. */
export function readFileName(scan: Scan, offset: number): void {
  readJoined(scan, { offset, before: FILE });
}

/** Reads the same after `fileURLToPath(import.meta.url)`; `scan.at` is after the address. */
export function readFileAddress(scan: Scan, offset: number): void {
  const { text, at } = scan;
  const end = skipBlank(text, at);
  const [call] = /\(\s*$/.exec(text.slice(Math.max(offset - 40, 0), offset)) ?? [];
  if (text[end] !== ')' || call === undefined) return;
  scan.at = end + 1;
  readFileName(scan, offset - call.length);
}

function readJoined(scan: Scan, { offset, before }: Base): void {
  const { text, at } = scan;
  const sign = skipBlank(text, at);
  const isArgument = text[sign] === ',' && (before === '' || isJoined(text, offset));
  if (!isArgument && text[sign] !== '+') return addPath(scan, { path: before, isWhole: true }, { offset, form: 'path' });
  const path = readPath(text, skipBlank(text, sign + 1), {
    before: isArgument ? `${before}/` : before,
    join: isArgument ? 'arguments' : 'sum',
  });
  takePath(scan, path, { offset, form: 'path' });
}

function isJoined(text: string, offset: number): boolean {
  return /^(?:join|resolve)$/.test(callBefore(text, offset)?.name ?? '');
}

const NESTED = /\s*\(\s*(?:[\w$]{1,40}\s*\.\s*)?dirname\b/y;
const FILE_FOLDER = String.raw`(?<folder>__dirname|import\.meta\.dir(?:name)?)`;
const FILE_PATHS = [
  String.raw`__filename|import\.meta\.filename`,
  String.raw`(?:[\w$]{1,40}\s*\.\s*)?[\w$]{1,40}\s*\(\s*import\.meta\.url(?:\s*,)?\s*\)`,
  String.raw`new\s+URL\s*\(\s*import\.meta\.url\s*\)\s*\.\s*pathname`,
];
const INNERMOST = new RegExp(String.raw`\s*\(\s*(?:${[FILE_FOLDER, ...FILE_PATHS].join('|')})(?:\s*,)?\s*\)`, 'y');
const MOST_NESTED = 10;

/** Reads `dirname(dirname(__dirname))`, each of which is one `..`; `scan.at` is after the first word. */
export function readDirname(scan: Scan, offset: number): void {
  const { text } = scan;
  if (isStepOfMany(text, offset, scan.at)) addSearch(scan, offset);
  let count = 1;
  for (NESTED.lastIndex = scan.at; count < MOST_NESTED && NESTED.test(text); count++) scan.at = NESTED.lastIndex;
  INNERMOST.lastIndex = scan.at;
  const innermost = INNERMOST.exec(text);
  if (innermost === null) {
    if (count > 1) addPath(scan, { path: climb(count - 1), isWhole: false }, { offset, form: 'text' });
    return;
  }
  scan.at = closeCalls(text, INNERMOST.lastIndex, count - 1);
  readJoined(scan, { offset, before: climb(innermost.groups?.['folder'] === undefined ? count - 1 : count) });
}

function climb(count: number): string {
  return '../'.repeat(count).slice(0, -1);
}

function closeCalls(text: string, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0; left--) {
    const comma = skipBlank(text, at);
    const close = text[comma] === ',' ? skipBlank(text, comma + 1) : comma;
    if (text[close] !== ')') return at;
    at = close + 1;
  }
  return at;
}

/**
 * Tells whether it is a step of a search upwards: `dir = dirname(dir)`, `dirname(dir) === dir`, or `parent = dirname(dir)` with a comparison
 * of the two, or `dir = parent`, soon after.
 */
function isStepOfMany(text: string, offset: number, end: number): boolean {
  const [call, argument] = /^\s*\(\s*([\w$]{1,60})\s*\)/.exec(text.slice(end, end + 80)) ?? [];
  if (call === undefined || argument === undefined) return false;
  const before = text.slice(Math.max(offset - 80, 0), offset);
  const after = text.slice(end + call.length, end + call.length + SOON);
  const [, name, sign] = /([\w$]+)\s*([!=]==?|=)\s*(?:[\w$]+\s*\.\s*)?$/.exec(before) ?? [];
  if (name === argument || /^\s*[!=]==?\s*([\w$]+)/.exec(after)?.[1] === argument) return true;
  if (name === undefined || sign !== '=') return false;
  const relations = after.matchAll(/([\w$]+)\s*[!=]?==?\s*([\w$]+)/g);
  return [...relations].some(([, left, right]) => (left === argument && right === name) || (left === name && right === argument));
}

const SOON = 400;
