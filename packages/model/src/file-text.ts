/** The text without the byte order mark that some editors put in front. */
export function withoutBom(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The line (from 1) of the first conflict marker that git left in a text; `undefined` if there is none. */
export function conflictLine(text: string): number | undefined {
  // The exact look costs some milliseconds in a large file, and markers are rare.
  if (!text.includes('<<<<<<<') && !text.includes('>>>>>>>')) return undefined;
  const marker = /^(<{7}|>{7})( |\r?$)/m.exec(text);
  return marker === null ? undefined : lineAt(text, marker.index);
}

/** The most levels of brackets in each other that a settings file may have: parsers that call themselves need some of the stack for each. */
const DEEPEST = 200;

/**
 * Whether brackets, lists and maps stand in each other so deep that parsers of YAML end with a stack overflow, or the whole process; those in
 * strings count too.
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

/** `- - - a` and `? ? ? a` are lists and maps in each other on one line. With 20,000 of `? ` Node 20 runs out of memory, which nobody can catch. */
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
