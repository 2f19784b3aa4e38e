import { endOfQuoted, endOfTemplatePiece, startOfWord } from './code-text.js';
import { ALONE, type FileReferences, type Scope } from './reference.js';
import { type OpenTemplate, type Scan, startScan } from './scan.js';
import { readMadeRequires } from './scan-requires.js';
import { readSlash } from './scan-slashes.js';
import { readFurtherPiece, readText } from './scan-strings.js';
import { readWord } from './scan-words.js';

/** What a text names, in order, and its opaque places. */
export type ScannedNames = Pick<FileReferences, 'names' | 'opaque'>;

/**
 * Lists the names in a JavaScript or TypeScript file (with JSX and types), in order, each place once, and its opaque places.
 * It finds import and export from, `import()`, `require`, `require.resolve`, `require.context`, `import.meta.resolve`, the module functions
 * of `jest` and `vi`, type imports, `/// <reference>`, `@jest-environment`, `new URL(…, import.meta.url)`, paths that are joined to
 * `__dirname` or the like, strings that lead upwards such as `../a`, and the same in command lines. It omits names of ambient modules. Of
 * a name that is not literal it tells the folder or package that is certain. A path that comes from a variable reaches nothing. Never
 * throws; broken code costs a line, seldom more.
 *
 * It stops only where something relevant begins, and then looks at what is before a slash or a `from`. A loop over all characters took six
 * times as long.
 *
 * Written by hand because no published scanner fits. es-module-lexer reads neither types nor JSX. rs-module-lexer drops type imports and
 * throws on broken code. oxc-parser is native, and three to ten times slower than a scan that builds no tree.
 */
export function scanImports(text: string, scope: Scope = ALONE): ScannedNames {
  const scan = startScan(text, scope);
  readAll(scan);
  const [opened] = scan.opened;
  const made = readMadeRequires(text);
  if (opened === undefined) return { names: made.length === 0 ? scan.found : [...scan.found, ...made], opaque: scan.opaque };
  // A backtick was not a template, for example in JSX: continue after it, and ignore all further backticks.
  const found = scan.found.slice(0, opened.names);
  const opaque = scan.opaque.slice(0, opened.places);
  readAll({ ...startScan(text, scope), found, opaque, at: opened.start + 1, templates: 'ignored' });
  return { names: [...found, ...made], opaque };
}

const STOPS = ['[\'"`/]', String.raw`\b(?:import|export|require|jest|vi|URL|__(?:dir|file)name|dirname|createRequire)\b`];
const STOP = new RegExp(STOPS.join('|'), 'g');
/** Inside `${}`, braces count. */
const STOP_IN_TEMPLATE = new RegExp(['[{}]', ...STOPS].join('|'), 'g');

function readAll(scan: Scan): void {
  for (;;) {
    const stop = scan.opened.length === 0 ? STOP : STOP_IN_TEMPLATE;
    stop.lastIndex = scan.at;
    // A match as a value would cost more than all else.
    if (!stop.test(scan.text)) return;
    scan.at = stop.lastIndex;
    readStop(scan);
  }
}

/** `scan.at` is after the match, and stays there unless more is skipped. */
function readStop(scan: Scan): void {
  const { text, at } = scan;
  const last = text[at - 1];
  switch (last) {
    case "'":
    case '"':
      scan.at = endOfQuoted(text, at - 1);
      return readText(scan, at - 1);
    case '`':
      return scan.templates === 'read' ? readTemplate(scan, at - 1) : undefined;
    case '/':
      return readSlash(scan, at - 1);
    case '{':
    case '}':
      return readBrace(scan, last);
    default: {
      const start = startOfWord(text, at);
      return readWord(scan, start, text.slice(start, at));
    }
  }
}

function readTemplate(scan: Scan, start: number): void {
  passTemplatePiece(scan, { start, names: scan.found.length, places: scan.opaque.length, braces: 0 });
  readText(scan, start);
}

/** Skips to the end of the template, or into its next `${`. An unclosed template stays open; see `scanImports`. */
function passTemplatePiece(scan: Scan, template: OpenTemplate): void {
  const piece = endOfTemplatePiece(scan.text, scan.at);
  scan.at = piece?.end ?? scan.text.length;
  if (piece?.closed !== true) scan.opened.push(template);
}

/** Counts a brace inside `${}`; the closing one leads back into the template. */
function readBrace(scan: Scan, brace: '{' | '}'): void {
  const template = scan.opened.at(-1);
  if (template === undefined) return;
  if (brace === '{') template.braces++;
  else if (template.braces > 0) template.braces--;
  else {
    const { at } = scan;
    scan.opened.pop();
    passTemplatePiece(scan, template);
    readFurtherPiece(scan, at);
  }
}
