import { endOfLine } from './code-text.js';

/** Something that a code file names. */
export interface ScannedImport {
  /** As written, without quotes; never empty. What stands behind `__dirname` in several texts is joined. */
  readonly specifier: string;
  /** From 1. */
  readonly line: number;
  /**
   * `module`: what `import` and `require` resolve, a package or a path. `path`: a path from the folder of the file, also without a
   * leading `./`. `text`: a text that begins with `../` and may be a path.
   */
  readonly form: 'module' | 'path' | 'text';
}

/** The same with its place in the text. */
export interface ScannedReference extends ScannedImport {
  readonly offset: number;
}

/** How far a file was read, and what was found so far. */
export interface Scan {
  readonly text: string;
  readonly found: ScannedReference[];
  /** The templates that are open, with the number of braces that are open in the `${` of each. */
  readonly pieces: { readonly start: number; braces: number }[];
  readonly templates: 'read' | 'ignored';
  at: number;
  /** Where the last clause of an import or export ended. */
  clauseEnd: number;
  /** The last comments that nothing but blanks stands between. */
  comments: { readonly start: number; readonly end: number };
  line: number;
  /** Where the line after it begins. */
  nextLine: number;
  /** Once a comment was not closed, none is. */
  unclosedComment: boolean;
  /** How many slashes that begin no regular expression were tried in the line that ends at `failedLine`. */
  failures: number;
  failedLine: number;
}

/** At the beginning of a file. */
export function startScan(text: string): Scan {
  return {
    text,
    found: [],
    pieces: [],
    templates: 'read',
    at: 0,
    clauseEnd: 0,
    comments: { start: 0, end: 0 },
    line: 1,
    nextLine: endOfLine(text, 0) + 1,
    unclosedComment: false,
    failures: 0,
    failedLine: -1,
  };
}

/** Passes over it: the text of a specifier is nothing else besides. */
export function take(scan: Scan, what: { readonly start: number; readonly end: number; readonly form: ScannedImport['form'] }): void {
  const specifier = scan.text.slice(what.start + 1, what.end - 1);
  addFound(scan, { specifier, offset: what.start, form: what.form });
  scan.at = what.end;
}

/** A text with an escape or a line break names no module that anybody has. */
export function addFound(scan: Scan, found: Omit<ScannedReference, 'line'>): void {
  if (found.specifier === '' || /[\\\n]/.test(found.specifier)) return;
  const { text } = scan;
  while (scan.nextLine <= found.offset) {
    scan.line++;
    scan.nextLine = endOfLine(text, scan.nextLine) + 1;
  }
  scan.found.push({ ...found, line: scan.line });
}
