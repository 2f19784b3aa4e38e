/** Returns the text without the byte order mark that some editors write at its start. */
export function withoutBom(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Returns the line number of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Returns the line number, from 1, of the first conflict marker of git; `undefined` if there is none. */
export function conflictLine(text: string): number | undefined {
  // Markers are rare, and the exact search takes some milliseconds in a large file.
  if (!text.includes('<<<<<<<') && !text.includes('>>>>>>>')) return undefined;
  const marker = /^(<{7}|>{7})( |\r?$)/m.exec(text);
  return marker === null ? undefined : lineAt(text, marker.index);
}

/** The maximum nesting depth of a settings file. Recursive parsers use some stack for each level. */
const DEEPEST = 200;

/**
 * Returns whether brackets, lists and maps are nested so deep that YAML parsers overflow the stack or crash the process. Those in strings
 * count too.
 */
export function isNestedTooDeep(text: string): boolean {
  return text.length >= DEEPEST && (hasManyBrackets(text) || TOO_MANY_SIGNS.test(text) || isIndentedTooDeep(text));
}

function hasManyBrackets(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[{\]}]/g)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1));
    if (depth > DEEPEST) return true;
  }
  return false;
}

/**
 * `- - - a` and `? ? ? a` are nested lists and maps on one line. 20,000 times `? ` makes Node 20 run out of memory, which cannot be caught.
 */
const TOO_MANY_SIGNS = new RegExp(`(?:[-?:][ \\t]+){${DEEPEST}}`);

function isIndentedTooDeep(text: string): boolean {
  const open: number[] = [];
  for (const [, blanks = ''] of text.matchAll(/^( *)[^ \r\n]/gm)) {
    while ((open.at(-1) ?? -1) >= blanks.length) open.pop();
    open.push(blanks.length);
    if (open.length > DEEPEST) return true;
  }
  return false;
}
