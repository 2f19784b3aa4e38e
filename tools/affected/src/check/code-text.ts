/** Where things end in the text of a JavaScript or TypeScript file. All of them take time in proportion to what they pass over. */

const NEWLINE = 10;
const SPACE = 32;
const DOUBLE_QUOTE = 34;
const DOLLAR = 36;
const SINGLE_QUOTE = 39;
const STAR = 42;
const SLASH = 47;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const BACKTICK = 96;
const OPEN_BRACE = 123;

/** Between two signs that belong together. Without a bound, `import/*` again and again would be searched to the end of the file each time. */
const LONGEST_COMMENT = 2_000;

/** The first place that is neither blank nor in a comment; the length of the text if there is none. */
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

/** Whether nothing stands between two places. */
export function isBlank(text: string, from: number, to: number): boolean {
  let at = from;
  while (at < to && text.charCodeAt(at) <= SPACE) at++;
  return at === to;
}

/** The place of the line break, or the length of the text. */
export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** The place behind the comment that begins here; `undefined` for one that is never closed. */
export function endOfComment(text: string, from: number): number | undefined {
  const end = text.indexOf('*/', from + 2);
  return end === -1 ? undefined : end + 2;
}

/** The place behind the quoted text that begins here. One that is not closed in its line ends with the line, so that an apostrophe in JSX costs one line. */
export function endOfQuoted(text: string, from: number): number {
  const quote = text.charCodeAt(from);
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === NEWLINE) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}

/** Where a piece of a template ends: behind its last backtick (`closed`), behind `${`, or nowhere. */
export function endOfTemplatePiece(text: string, from: number): { readonly end: number; readonly closed: boolean } | undefined {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKTICK) return { end: at + 1, closed: true };
    if (code === DOLLAR && text.charCodeAt(at + 1) === OPEN_BRACE) return { end: at + 2, closed: false };
    if (code === BACKSLASH) at++;
  }
  return undefined;
}

/** The place behind the last slash of the regular expression that begins here; `undefined` if the line ends before: it is none. */
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

/** The place behind the literal text that begins here: quoted, or a template without `${}`; `undefined` if there is none. */
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
