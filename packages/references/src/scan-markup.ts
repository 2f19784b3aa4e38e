import { endOfQuoted, endOfTemplatePiece } from './code-text.js';
import { addFound, type Scan, startScan } from './scan.js';
import type { ScannedNames } from './scan-imports.js';
import { readText } from './scan-strings.js';
import { readWord } from './scan-words.js';

/** Calls, strings that begin with `../`, and images and links of Markdown. A backtick also begins inline code, except in an expression. */
const STOP = /\b(?:require|import)\b(?=\s*[.(])|(?:["']|(?<=[{(,])`)(?=\.\.\/|<rootDir>\/)|\]\(<?(\.\.\/[^\s<>()]+)/g;

/**
 * Finds what the markup of a Vue, Svelte, Astro or MDX file refers to. Each place is read by itself, because apostrophes and backticks of
 * prose begin no string.
 */
export function scanMarkup(text: string): ScannedNames {
  const scan = startScan(text);
  for (;;) {
    STOP.lastIndex = scan.at;
    const found = STOP.exec(text);
    if (found === null) return { names: scan.found, opaque: scan.opaque };
    scan.at = STOP.lastIndex;
    readPlace(scan, found);
  }
}

function readPlace(scan: Scan, { 0: found, 1: link, index }: RegExpExecArray): void {
  if (link !== undefined) return addFound(scan, { specifier: link, offset: index, form: 'text' });
  if (/^\w/.test(found)) return readWord(scan, index, found);
  scan.at = found === '`' ? (endOfTemplatePiece(scan.text, scan.at)?.end ?? scan.at) : endOfQuoted(scan.text, index);
  readText(scan, index);
}
