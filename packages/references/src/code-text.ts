/** Functions that find where constructs end in JavaScript or TypeScript. All of them take time in proportion to the text that they skip. */

const NEWLINE = 10;
const SPACE = 32;
const DOUBLE_QUOTE = 34;
const DOLLAR = 36;
const SINGLE_QUOTE = 39;
const OPEN_PARENTHESIS = 40;
const CLOSE_PARENTHESIS = 41;
const STAR = 42;
const SLASH = 47;
const SEMICOLON = 59;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const UNDERSCORE = 95;
const BACKTICK = 96;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** In characters. Without a limit, every `import/*` without an end would be searched to the end of the file. */
const LONGEST_COMMENT = 2_000;

/** Returns the first index that is neither whitespace nor in a comment; the length of the text if there is none. */
export function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (text.charCodeAt(at) <= SPACE) at++;
    if (text.charCodeAt(at) !== SLASH) return at;
    const next = text.charCodeAt(at + 1);
    if (next === SLASH) at = endOfLine(text, at);
    else if (next === STAR) {
      const end = endOfComment(text.slice(at, at + LONGEST_COMMENT), 0);
      if (end === undefined) return at;
      at += end;
    } else return at;
  }
}

/** Returns the index of the first of the letters, digits and underscores that end here. */
export function startOfWord(text: string, end: number): number {
  let at = end;
  while (at > 0 && isWordCode(text.charCodeAt(at - 1))) at--;
  return at;
}

function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === UNDERSCORE;
}

/** Tells whether only whitespace is between two indexes. */
export function isBlank(text: string, from: number, to: number): boolean {
  let at = from;
  while (at < to && text.charCodeAt(at) <= SPACE) at++;
  return at === to;
}

/** Returns the index of the line break, or the length of the text. */
export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Returns the index after the comment that begins here; `undefined` if it is never closed. */
export function endOfComment(text: string, from: number): number | undefined {
  const end = text.indexOf('*/', from + 2);
  return end === -1 ? undefined : end + 2;
}

/**
 * Returns the index after the string that begins here. An unclosed string ends with its line, so that an apostrophe in JSX costs only one
 * line.
 */
export function endOfQuoted(text: string, from: number): number {
  const quote = text.charCodeAt(from);
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === NEWLINE) return at;
    if (code === BACKSLASH) at += text.startsWith('\r\n', at + 1) ? 2 : 1;
  }
  return text.length;
}

/** Returns where a template piece ends: after the closing backtick (`closed`) or after `${`; `undefined` if neither follows. */
export function endOfTemplatePiece(text: string, from: number): { readonly end: number; readonly closed: boolean } | undefined {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKTICK) return { end: at + 1, closed: true };
    if (code === DOLLAR && text.charCodeAt(at + 1) === OPEN_BRACE) return { end: at + 2, closed: false };
    if (code === BACKSLASH) at++;
  }
  return undefined;
}

/** Returns the index after the slash that ends the regular expression; `undefined` if the line ends first, so there is none. */
export function endOfRegex(text: string, from: number): number | undefined {
  let inClass = false;
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE) return undefined;
    if (code === BACKSLASH) at++;
    else if (code === OPEN_BRACKET) inClass = true;
    else if (code === CLOSE_BRACKET) inClass = false;
    else if (code === SLASH && !inClass) return at + 1;
  }
  return undefined;
}

/** Returns the index after the literal string that begins here: quoted, or a template without `${}`; `undefined` if there is none. */
export function endOfLiteral(text: string, from: number): number | undefined {
  const code = text.charCodeAt(from);
  if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) {
    const end = endOfQuoted(text, from);
    return end - from >= 2 && text.charCodeAt(end - 1) === code ? end : undefined;
  }
  if (code !== BACKTICK) return undefined;
  const piece = endOfTemplatePiece(text, from + 1);
  return piece?.closed === true ? piece.end : undefined;
}

/** In characters. */
const LONGEST_CALL = 300;

/**
 * Returns the index of the parenthesis in which an index is; `undefined` if another bracket is nearer, or none is near. Brackets in strings
 * confuse it.
 */
export function openBefore(text: string, from: number): number | undefined {
  const first = Math.max(from - LONGEST_CALL, 0);
  let closed = 0;
  for (let at = from - 1; at >= first; at--) {
    const code = text.charCodeAt(at);
    if (code === CLOSE_PARENTHESIS || code === CLOSE_BRACKET || code === CLOSE_BRACE) closed++;
    else if (code === OPEN_PARENTHESIS || code === OPEN_BRACKET || code === OPEN_BRACE) {
      if (closed === 0) return code === OPEN_PARENTHESIS ? at : undefined;
      closed--;
    } else if (code === SEMICOLON && closed === 0) return undefined;
  }
  return undefined;
}
