import { endOfLine } from './code-text.js';
import type { ScannedImport } from './reference.js';

/** The same, with its index in the text. */
export interface ScannedReference extends ScannedImport {
  readonly offset: number;
}

/** The state of a scan. */
export interface Scan {
  readonly text: string;
  readonly found: ScannedReference[];
  /** The open templates, each with the number of open braces in its `${`. */
  readonly pieces: { readonly start: number; braces: number }[];
  readonly templates: 'read' | 'ignored';
  at: number;
  /** Where the last clause of an import or export ended. */
  clauseEnd: number;
  /** The last group of comments that only whitespace separates. */
  comments: { readonly start: number; readonly end: number };
  line: number;
  /** Where the next line begins. */
  nextLine: number;
  /** Once a comment is not closed, no later one is. */
  unclosedComment: boolean;
  /** The number of slashes without a regular expression that were tried in the line that ends at `failedLine`. */
  failures: number;
  failedLine: number;
}

/** Returns the state at the start of a file. */
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

/** Adds a specifier and skips it, because its text is nothing else. */
export function take(scan: Scan, what: { readonly start: number; readonly end: number; readonly form: ScannedImport['form'] }): void {
  const specifier = scan.text.slice(what.start + 1, what.end - 1);
  addFound(scan, { specifier, offset: what.start, form: what.form });
  scan.at = what.end;
}

/** Ignores text with an escape or a line break, which names no real module. */
export function addFound(scan: Scan, found: Omit<ScannedReference, 'line'>): void {
  if (found.specifier === '' || /[\\\n]/.test(found.specifier)) return;
  const { text } = scan;
  while (scan.nextLine <= found.offset) {
    scan.line++;
    scan.nextLine = endOfLine(text, scan.nextLine) + 1;
  }
  scan.found.push({ ...found, line: scan.line });
}
