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

/** Adds the name of a path that leaves its folder upwards, or leads to an installed package, and the place, if what it reads remains open. */
export function addPath(
  scan: Scan,
  { path, isWhole }: Pick<WrittenPath, 'path' | 'isWhole'>,
  { offset, form }: { readonly offset: number; readonly form: 'path' | 'text' },
): void {
  const { prefix, isPattern, ending, isCapture } = cutPattern(path);
  const folder = normalize(prefix);
  const isVague = form === 'text' || (isWhole && !isPattern && !isListed(scan.text, offset)) ? ({ isVague: true } as const) : {};
  // What begins with a variable begins nowhere.
  if (folder === '' && (isWhole || path !== '') && scan.scope.reach === 'inside') addOpaque(scan, { folder, offset, form, ...isVague });
  if (folder === '' || (!leadsUp(folder) && !folder.startsWith('node_modules/') && scan.scope.reach === 'upwards')) return;
  addFound(scan, { specifier: folder, offset, form, ...(isPattern && { isPattern, isCapture, ending: isWhole ? ending : undefined }) });
  if (!isWhole || (isOnlyDots(folder) && !isPattern)) addOpaque(scan, { folder, offset, form, ...isVague });
}

const LISTING =
  /(?:(?:(?:readdir|opendir|scandir|glob|walk|copy|cp)\w*|\brequire\s*\.\s*context)\s*\(|\b(?:cwd|include|exclude)\w*\s*[:=])\s*(?:(?:new\s+)?[\w$.]{1,40}\(\s*){0,2}(?:new\s+|[\w$]{1,40}\s*\.\s*)?['"`]?$/i;

/** Tells whether a folder is read as a whole: as the argument of `readdir` or of webpack's `require.context`, or where a pattern starts. */
function isListed(text: string, offset: number): boolean {
  return LISTING.test(text.slice(Math.max(offset - 80, 0), offset));
}

/**
 * Also what patterns of bundlers and test runners insert: `$1`, and bytes that are not UTF-8. A question mark at the end begins a query.
 */
const WILDCARD = /[*{[\uFFFD]|[!@+?]\(|\$\d|\?(?![\w&=,.-]*$)/;

/** A path up to its first wildcard. */
interface CutPath {
  readonly prefix: string;
  readonly isPattern: boolean;
  /** As in `ScannedImport`. */
  readonly ending?: string | undefined;
  readonly isCapture?: true | undefined;
}

/** `../types/**` -> `../types` */
export function cutPattern(path: string): CutPath {
  const names = path.split('/');
  const first = names.findIndex((name) => WILDCARD.test(name));
  if (first === -1) return { prefix: path, isPattern: false };
  const isCapture = /^\$\d$/.test(names[first] ?? '') || undefined;
  const ending = endingOf(names.slice(first));
  // Jest puts it in for the whole name, as one module; bundlers put it in for a part of the name, and what follows may lead below it.
  const isModule = isCapture && names[0] === '<rootDir>' && ending !== undefined && !names.at(-1)?.includes('*');
  return { prefix: names.slice(0, first).join('/'), isPattern: true, isCapture, ending: isModule ? `/${ending}` : ending };
}

/** Returns the names after the last wildcard, or what follows a star: `.md` for `*.md`. */
function endingOf(names: readonly string[]): string | undefined {
  let end = names.length;
  while (/^\*{1,2}$/.test(names[end - 1] ?? '')) end--;
  let start = end;
  // A question mark is one, too, where it does not begin a query.
  while (start > 0 && !WILDCARD.test(names[start - 1] ?? '') && !names[start - 1]?.includes('?')) start--;
  if (start < end) return names.slice(start, end).join('/');
  return end < names.length ? undefined : /^\*(\.\w+)$/.exec(names[end - 1] ?? '')?.[1];
}

/** What a module is loaded from: a file, or a folder by its index or its manifest. */
const LOADED = /^(?:(?:\/index)?(?:\.(?:android|browser|d|ios|macos|native|node|server|web|windows))?\.\w+|\/package\.json)?$/;

/** Tells whether a file may be what a pattern with an ending matches: itself, with an extension, or below it; of a module, what it loads. */
export function mayEnd(file: string, ending: string | undefined): boolean {
  if (ending === undefined) return true;
  if (ending.startsWith('.')) return file.endsWith(ending);
  const names = `/${file}`;
  if (ending.startsWith('/')) {
    // `a.js` may be loaded from `a.ts`.
    const bare = ending.replace(/\.[cm]?jsx?$/, '');
    const at = names.lastIndexOf(bare);
    return at !== -1 && LOADED.test(names.slice(at + bare.length));
  }
  for (let at = names.indexOf(`/${ending}`); at !== -1; at = names.indexOf(`/${ending}`, at + 1))
    if (/^(?:$|[/.])/.test(names.slice(at + 1 + ending.length))) return true;
  return false;
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
