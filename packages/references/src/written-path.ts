import { endOfLiteral, endOfTemplatePiece, skipBlank } from './code-text.js';
import { addFound, addOpaque, type Scan } from './scan.js';

/** A path in a source, as far as its text tells. */
export interface WrittenPath {
  /** If the path goes on with what is not literal: the folder that is certain. */
  readonly path: string;
  readonly isWhole: boolean;
  /** The index after the last literal string. */
  readonly end: number;
  /** The same, or in the template that follows, after its first piece. */
  readonly pieceEnd: number;
}

/** How a path continues after its first string: only with `+`, or also with the next argument of a call. */
export type PathJoin = 'sum' | 'arguments';

/** Reads `'..', 'other'`, `'../' + name` and `\`../${name}\``, which begin here; `before` is what they are joined to. */
export function readPath(
  text: string,
  from: number,
  { before = '', join }: { readonly before?: string; readonly join: PathJoin },
): WrittenPath {
  let path = before;
  let end = from;
  for (let at = from; ; ) {
    const part = readPart(text, at);
    path += part?.text ?? '';
    if (part?.isWhole !== true) return { path: cutName(path), isWhole: false, end, pieceEnd: part?.end ?? end };
    end = part.end;
    const sign = skipBlank(text, end);
    const isNext = text[sign] === ',' && join === 'arguments';
    const next = skipBlank(text, sign + 1);
    if ((!isNext && text[sign] !== '+') || (isNext && text[next] === ')')) return { path, isWhole: true, end, pieceEnd: end };
    if (isNext) path += '/';
    at = next;
  }
}

interface PathPart {
  readonly text: string;
  readonly end: number;
  /** Not for the first piece of a template. */
  readonly isWhole: boolean;
}

function readPart(text: string, from: number): PathPart | undefined {
  const end = endOfLiteral(text, from);
  if (end !== undefined) {
    const literal = text.slice(from + 1, end - 1);
    return /[\\\n]/.test(literal) ? undefined : { text: literal, end, isWhole: true };
  }
  const piece = text[from] === '`' ? endOfTemplatePiece(text, from + 1) : undefined;
  return piece && { text: text.slice(from + 1, piece.end - 2), end: piece.end, isWhole: false };
}

/** `../fixtures/a-` -> `../fixtures/` */
function cutName(path: string): string {
  return /(^|\/)\.\.$/.test(path) ? path : path.slice(0, path.lastIndexOf('/') + 1);
}

/** Adds a path and skips it. */
export function takePath(scan: Scan, path: WrittenPath, place: { readonly offset: number; readonly form: 'path' | 'text' }): void {
  skipPath(scan, path);
  addPath(scan, path, place);
}

export function skipPath(scan: Scan, { end, pieceEnd }: WrittenPath): void {
  scan.at = Math.max(scan.at, end);
  scan.pathEnd = pieceEnd;
}

/** Adds the name of a path that leaves its folder upwards, and the place, if what it reads remains open. */
export function addPath(
  scan: Scan,
  { path, isWhole }: Pick<WrittenPath, 'path' | 'isWhole'>,
  { offset, form }: { readonly offset: number; readonly form: 'path' | 'text' },
): void {
  const { prefix, isPattern } = cutPattern(path);
  const folder = normalize(prefix);
  if (folder === '' || !(leadsUp(folder) || scan.reach === 'everywhere')) return;
  addFound(scan, { specifier: folder, offset, form, ...(isPattern && { isPattern }) });
  if (!isWhole || (isOnlyDots(folder) && !isPattern)) addOpaque(scan, { folder, offset, form });
}

/**
 * Also what patterns of bundlers and test runners insert: `$1`, and bytes that are not UTF-8. A question mark at the end begins a query.
 */
const WILDCARD = /[*{[\uFFFD]|[!@+?]\(|\$\d|\?(?![\w&=,.-]*$)/;

/** `../types/**` -> `../types` */
export function cutPattern(path: string): { readonly prefix: string; readonly isPattern: boolean } {
  const names = path.split('/');
  const first = names.findIndex((name) => WILDCARD.test(name));
  return first === -1 ? { prefix: path, isPattern: false } : { prefix: names.slice(0, first).join('/'), isPattern: true };
}

/** Resolves dots; a path cannot be absolute here. `a/../../b/` -> `../b` */
export function normalize(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop();
    else names.push(name);
  }
  return names.join('/');
}

/** Tells whether a normalized path leaves its folder upwards. */
export function leadsUp(path: string): boolean {
  return path === '..' || path.startsWith('../');
}

/** `../..`: whatever follows is unknown. */
export function isOnlyDots(path: string): boolean {
  return /^[./]+$/.test(path);
}
