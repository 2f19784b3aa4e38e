import { openBefore, skipBlank } from './code-text.js';
import { addFound, addOpaque, addSearch, type Scan } from './scan.js';
import { readStartPaths } from './scan-start.js';
import { addPath, cutPattern, isOnlyDots, leadsUp, normalize, readPath, skipPath, takePath } from './written-path.js';

const LONGEST_PATH = 300;
const ROOT_FOLDER = '<rootDir>/';

/** Examines a quoted string or the first piece of a template, which ends at `scan.at` with its quote or with `${`. */
export function readText(scan: Scan, start: number): void {
  const { text, at: end } = scan;
  if (start < scan.pathEnd) return;
  readStartPaths(scan, start + 1, () => callBefore(text, start)?.name ?? '');
  const isRooted = text.startsWith(ROOT_FOLDER, start + 1);
  const isBelow = scan.scope.reach !== 'upwards' && text.startsWith('./', start + 1);
  if (!isRooted && !isBelow && !hasDots(scan, start + 1)) return;
  const isOpen = text[start] === '`' && text[end - 1] === '{';
  if (end - start >= LONGEST_PATH || (!isOpen && text[end - 1] !== text[start])) return;
  const value = text.slice(start + 1, end - (isOpen ? 2 : 1));
  if (/[\\\n]/.test(value)) return;
  if (isRooted) readRooted(scan, start);
  else if (/\s/.test(value)) readCommand(scan, start, { value, isOpen });
  else if (isBelow || leadsUp(normalize(value))) readUpwards(scan, start, value);
}

/** Examines a further piece of a template, which ends at `scan.at`. */
export function readFurtherPiece(scan: Scan, start: number): void {
  const { text, at: end } = scan;
  if (text[start] === '/') readStartPaths(scan, start + 1);
  const isBelow = scan.scope.reach !== 'upwards' && text[start] === '/';
  if ((!isBelow && !hasDots(scan, start)) || end - start >= LONGEST_PATH) return;
  const isOpen = text[end - 1] === '{';
  const value = text.slice(start, end - (isOpen ? 2 : 1));
  // The first word goes on from what is inserted before it.
  const [, first = '', others = ''] = /^(\S*)(.*)$/s.exec(value) ?? [];
  const form = /\{\s*(?:__dirname|import\.meta\.dirname)\s*\}$/.test(text.slice(Math.max(start - 30, 0), start)) ? 'path' : 'text';
  if (first.startsWith('/')) addPath(scan, { path: first, isWhole: !isOpen || others !== '' }, { offset: start, form });
  if (others !== '') readCommand(scan, start, { value: others, isOpen });
}

function hasDots(scan: Scan, from: number): boolean {
  if (scan.nextDots < from) {
    const next = scan.text.indexOf('..', from);
    scan.nextDots = next === -1 ? scan.text.length : next;
  }
  return scan.nextDots < scan.at;
}

/** A test runner's `<rootDir>/…`, which may be the file's own folder or another. */
function readRooted(scan: Scan, start: number): void {
  const place = { offset: start, form: 'text' } as const;
  const path = readPath(scan.text, start, { join: 'sum' });
  skipPath(scan, path);
  const { prefix, isPattern, ...rest } = cutPattern(path.path);
  addFound(scan, { specifier: prefix, ...place, ...(isPattern && { isPattern, ...(path.isWhole && rest) }) });
  const folder = normalize(path.path.slice(ROOT_FOLDER.length));
  if (leadsUp(folder) && (!path.isWhole || isOnlyDots(folder))) addOpaque(scan, { folder, ...place });
}

/** Reads the words of a command line: `node ../x.js && cd ..`. */
function readCommand(scan: Scan, offset: number, { value, isOpen }: { readonly value: string; readonly isOpen: boolean }): void {
  const words = value.split(/[\s'"`|&;<>()=,:]+/);
  for (const [at, path] of words.entries()) {
    // Alone, two dots are punctuation.
    if (path === '..' ? words[at - 1] === 'cd' : path.includes('..'))
      addPath(scan, { path, isWhole: !isOpen || at < words.length - 1 }, { offset, form: 'text' });
  }
}

/** Reads a string such as `../x` or `/../x`, with what it is joined to. */
function readUpwards(scan: Scan, start: number, value: string): void {
  const { text, at: end } = scan;
  const call = callBefore(text, start);
  const isJoined = call?.name === 'join' || call?.name === 'resolve';
  const before = text.slice(Math.max(start - 60, 0), start).trimEnd();
  const next = skipBlank(text, end);
  const context: Context = { call: call?.name ?? '', isFirst: before.endsWith('('), before, after: text.slice(next, next + 20) };
  if (value === '..' ? !isFolder(context) : isOnlyDots(value) && isCompared(context)) return;
  if (context.after.startsWith('.repeat(')) return addSearch(scan, start);
  if (isJoined && climbs(text.slice(Math.max(call.open - 60, 0), start))) addSearch(scan, start);
  takePath(scan, readPath(text, start, { join: isJoined ? 'arguments' : 'sum' }), { offset: start, form: 'text' });
}

/** What is around a string. */
interface Context {
  /** The function that it is an argument of. */
  readonly call: string;
  readonly isFirst: boolean;
  readonly before: string;
  readonly after: string;
}

const FOLDER_FUNCTION = /^(?:chdir|cd|pushd|(?:realpath|(?:read|open|scan)dir)(?:Sync)?)$/;
const FOLDER_NAME = /(?:cwd|root|dir|directory|folder|base|path|context|parent|up)[\w$]*['"]?\s*(?::|(?<![=!<>])=)$/i;

/** Tells whether `'..'` is a folder. In much code, two dots are an operator, or compared with a part of a path. */
function isFolder({ call, isFirst, before, after }: Context): boolean {
  // Without another argument it is the separator of `array.join`.
  if (call === 'join') return !isFirst || !after.startsWith(')');
  if (call === 'resolve' || (isFirst && FOLDER_FUNCTION.test(call))) return true;
  if (/\bsep\s*\+$/.test(before) || /^[\w.()]*\bsep\b/.test(after) || (after.startsWith('+') && !before.endsWith('+'))) return true;
  return FOLDER_NAME.test(before) && !/^[=!]=/.test(after);
}

const COMPARISON =
  /^(?:startsWith|endsWith|includes|(?:last)?[iI]ndexOf|split|replace(?:All)?|has|match|test|equals?|is|toBe|toEqual|toStrictEqual|toContain|toMatch|strictEqual|deepEqual)$/;

function isCompared({ call, before, after }: Context): boolean {
  return COMPARISON.test(call) || /(?:[=!]=|\bcase)$/.test(before) || /^(?:[=!]=|\.length\b)/.test(after);
}

/** Returns the function whose arguments an index is in, with the index of its parenthesis. */
export function callBefore(text: string, at: number): { readonly name: string; readonly open: number } | undefined {
  const open = openBefore(text, at);
  if (open === undefined) return undefined;
  return { name: /[\w$]*$/.exec(text.slice(Math.max(open - 40, 0), open))?.[0] ?? '', open };
}

/** Tells whether a step to the parent folder is one of many, as in `dir = resolve(dir, '..')`. The text ends where the step begins. */
function climbs(before: string): boolean {
  return /(?<![\w$.])([\w$]+)\s*=\s*(?:[\w$]+\s*\.\s*)?[\w$]+\s*\(\s*\1\s*,?\s*$/.test(before);
}
