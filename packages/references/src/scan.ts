import { CLIMBING_MODULES } from './climbing.js';
import { endOfLine } from './code-text.js';
import { ALONE, type OpaquePlace, type ScannedImport, type Scope } from './reference.js';

/** An open template. */
export interface OpenTemplate {
  readonly start: number;
  /** The numbers of names and places that were found before it. */
  readonly names: number;
  readonly places: number;
  /** The number of open braces in its `${`. */
  braces: number;
}

/** A value at an index in the text, not yet with its line. */
export type At<T> = { readonly [K in keyof Omit<T, 'line'>]: T[K] | (undefined extends T[K] ? undefined : never) } & {
  readonly offset: number;
};

/** The state of a scan. */
export interface Scan {
  readonly text: string;
  readonly found: ScannedImport[];
  readonly opaque: OpaquePlace[];
  readonly opened: OpenTemplate[];
  readonly templates: 'read' | 'ignored';
  readonly scope: Scope;
  at: number;
  /** A path was read up to here, perhaps into a template that `at` has not reached yet. */
  pathEnd: number;
  /** Where the last clause of an import or export ended. */
  clauseEnd: number;
  /** The last group of comments that only whitespace separates. */
  comments: { readonly start: number; readonly end: number };
  line: number;
  /** Where the next line begins. */
  nextLine: number;
  /** Where the next `..` is, unless `at` has passed it. */
  nextDots: number;
  /** Once a comment is not closed, no later one is. */
  unclosedComment: boolean;
  /** The number of slashes without a regular expression that were tried in the line that ends at `failedLine`. */
  failures: number;
  failedLine: number;
}

/** Returns the state at the start of a file. */
export function startScan(text: string, scope: Scope = ALONE): Scan {
  return {
    text,
    found: [],
    opaque: [],
    opened: [],
    templates: 'read',
    scope,
    at: 0,
    pathEnd: 0,
    clauseEnd: 0,
    comments: { start: 0, end: 0 },
    line: 1,
    nextLine: endOfLine(text, 0) + 1,
    nextDots: -1,
    unclosedComment: false,
    failures: 0,
    failedLine: -1,
  };
}

/** An escape, bytes that are not UTF-8, or a line break: the text is not the name that it looks like. */
const UNREADABLE = /[\\\uFFFD\n]/;

/** Adds a name. If a module's cannot be read, the place is opaque. Only what is before bad bytes may still name a package. */
export function addFound(scan: Scan, { specifier, offset, form, isType, isPattern, ending, isCapture, by }: At<ScannedImport>): void {
  const isUnreadable = UNREADABLE.test(specifier);
  if (form === 'module' && isUnreadable) addRoot(scan, offset);
  if (form === 'module' && CLIMBING_MODULES.has(specifier)) addSearch(scan, offset);
  if (specifier === '' || (isUnreadable && !specifier.includes('\uFFFD'))) return;
  const line = lineAt(scan, offset);
  const found: ScannedImport = { specifier, line, form };
  // Spreading costs time, and most names are of these two kinds.
  if (isType === undefined && isPattern === undefined) scan.found.push(by === undefined ? found : { specifier, line, form, by });
  else
    scan.found.push({
      ...found,
      ...(isType && { isType }),
      ...(isPattern && { isPattern }),
      ...(ending !== undefined && { ending }),
      ...(isCapture && { isCapture }),
      ...(by && { by }),
    });
}

/** Adds a place that may reach the whole project. */
export function addRoot(scan: Scan, offset: number): void {
  addOpaque(scan, { folder: '/', offset, form: 'path' });
}

/** Adds a search upwards, which may reach the whole project. */
export function addSearch(scan: Scan, offset: number): void {
  addOpaque(scan, { folder: '/', offset, form: 'path', isVague: true });
}

export function addOpaque(scan: Scan, { offset, ...place }: Omit<OpaquePlace, 'line'> & { readonly offset: number }): void {
  scan.opaque.push({ ...place, line: lineAt(scan, offset) });
}

/** The index must not be before that of an earlier call. */
function lineAt(scan: Scan, offset: number): number {
  while (scan.nextLine <= offset) {
    scan.line++;
    scan.nextLine = endOfLine(scan.text, scan.nextLine) + 1;
  }
  return scan.line;
}
