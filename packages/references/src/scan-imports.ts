import { endOfQuoted, endOfTemplatePiece } from './code-text.js';
import type { ScannedImport } from './reference.js';
import { addFound, type Scan, type ScannedReference, startScan, take } from './scan.js';
import { readSlash } from './scan-slashes.js';
import { readWord } from './scan-words.js';

/**
 * Lists the imports of a JavaScript or TypeScript file (with JSX and types), in order, each place once.
 * It finds import and export from, `import()`, `require`, `require.resolve`, `import.meta.resolve`, the module functions of `jest` and
 * `vi`, type imports, `/// <reference>`, `@jest-environment`, `new URL(…, import.meta.url)`, `__dirname` followed by strings, and strings
 * that begin with `../`. It omits arguments that are not literal, and names of ambient modules. Never throws; broken code costs a line,
 * seldom more.
 *
 * It stops only where something relevant begins, and then looks at what is before a slash or a `from`. A loop over all characters took six
 * times as long.
 *
 * Written by hand because no published scanner fits. es-module-lexer reads neither types nor JSX. rs-module-lexer drops type imports and
 * throws on broken code. oxc-parser is native, and three to ten times slower than a scan that builds no tree.
 */
export function scanImports(text: string): readonly ScannedImport[] {
  const scan = startScan(text);
  readAll(scan);
  const opened = scan.pieces[0];
  if (opened === undefined) return scan.found.map(publish);
  // A backtick was not a template, for example in JSX: continue after it, and ignore all further backticks.
  const kept = scan.found.filter(({ offset }) => offset < opened.start);
  const again: Scan = { ...startScan(text), found: kept, at: opened.start + 1, templates: 'ignored' };
  readAll(again);
  return again.found.map(publish);
}

const STOPS = ['[\'"`/]', String.raw`\b(?:import|export|require|jest|vi|URL|__dirname|dirname)\b`];
const STOP = new RegExp(STOPS.join('|'), 'g');
/** Inside `${}`, braces count. */
const STOP_IN_TEMPLATE = new RegExp(['[{}]', ...STOPS].join('|'), 'g');

function readAll(scan: Scan): void {
  for (;;) {
    const stop = scan.pieces.length === 0 ? STOP : STOP_IN_TEMPLATE;
    stop.lastIndex = scan.at;
    const [found] = stop.exec(scan.text) ?? [];
    if (found === undefined) return;
    const start = stop.lastIndex - found.length;
    scan.at = stop.lastIndex;
    readStop(scan, start, found);
  }
}

/** `scan.at` is after the match, and stays there unless more is skipped. */
function readStop(scan: Scan, start: number, found: string): void {
  switch (found) {
    case "'":
    case '"':
      scan.at = endOfQuoted(scan.text, start);
      return takeText(scan, start);
    case '`':
      return scan.templates === 'read' ? readTemplate(scan, start) : undefined;
    case '/':
      return readSlash(scan, start);
    case '{':
    case '}':
      return readBrace(scan, found);
    default:
      return readWord(scan, start, found);
  }
}

const LONGEST_PATH = 300;

function takeText(scan: Scan, start: number): void {
  const { text, at: end } = scan;
  if (!text.startsWith('../', start + 1) && !text.startsWith('<rootDir>/', start + 1)) return;
  if (end - start < LONGEST_PATH && text[end - 1] === text[start]) take(scan, { start, end, form: 'text' });
}

const FOLDER_IN_TEMPLATE = /`\$\{(?:__dirname|import\.meta\.dirname)\}(\/[^`$\\\n]{1,300})`/y;

function readTemplate(scan: Scan, start: number): void {
  FOLDER_IN_TEMPLATE.lastIndex = start;
  const [, path] = FOLDER_IN_TEMPLATE.exec(scan.text) ?? [];
  if (path?.includes('..') === true) addFound(scan, { specifier: path.slice(1), offset: start, form: 'path' });
  if (readTemplatePiece(scan, start) === 'closed') takeText(scan, start);
}

/** Skips to the end of the template, or into its next `${`. An unclosed template stays open; see `scanImports`. */
function readTemplatePiece(scan: Scan, start: number): 'closed' | 'open' {
  const piece = endOfTemplatePiece(scan.text, scan.at);
  scan.at = piece?.end ?? scan.text.length;
  if (piece?.closed === true) return 'closed';
  scan.pieces.push({ start, braces: 0 });
  return 'open';
}

/** Counts a brace inside `${}`; the closing one leads back into the template. */
function readBrace(scan: Scan, brace: '{' | '}'): void {
  const piece = scan.pieces.at(-1);
  if (piece === undefined) return;
  if (brace === '{') piece.braces++;
  else if (piece.braces > 0) piece.braces--;
  else {
    scan.pieces.pop();
    readTemplatePiece(scan, piece.start);
  }
}

function publish({ specifier, line, form }: ScannedReference): ScannedImport {
  return { specifier, line, form };
}
