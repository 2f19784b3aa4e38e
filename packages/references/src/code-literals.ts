const COMMENT = String.raw`\/\/.*|\/\*[^]*?(?:\*\/|$)`;
// One without an end goes to the end of its line, a template to that of the file. So nothing is searched twice. With more escapes, the
// engine could run out of stack.
const ESCAPES = '{0,9999}';
const STRING = ['"', "'"].map((quote) => String.raw`${quote}[^${quote}\\\n]*(?:\\[^][^${quote}\\\n]*)${ESCAPES}${quote}?`).join('|');
const TEMPLATE = String.raw`\`[^\`\\]*(?:\\[^][^\`\\]*)${ESCAPES}\`?`;
const REGEX = String.raw`(?<=[=(,:!&|?;{}[]\s?)\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,99}\]){1,299}\/`;

/** The source of a pattern for comments, strings, templates and regular expressions. */
export const LITERAL = [COMMENT, STRING, TEMPLATE, REGEX].join('|');

/** A piece of a text. */
export interface Placed {
  /** As written, such as a string with its quotes. */
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Comments that begin a line, in the form of documentation: each further line begins with a star, so that no code is among them. */
const COMMENT_LINES = /^[ \t]*(?:\/\/[^\n]*|\/\*(?=[\s*!])(?:(?!\*\/)[^\n])*(?:\n[ \t]*\*(?!\/)(?:(?!\*\/)[^\n])*)*(?:\n[ \t]*)?\*\/)/gm;

/**
 * Returns code of the same length with spaces instead of such comments, except those that import types. Where others begin is not certain:
 * `https://` and `src/*` may be text of JSX.
 */
export function blankComments(code: string): string {
  return code.replace(COMMENT_LINES, (comment) => (comment.includes('import') ? comment : blank(comment)));
}

/** Returns the literals of code in order. Nothing is parsed: in JSX, text with an apostrophe is a string to the end of its line. */
export function literalsIn(code: string): readonly Placed[] {
  return matchWithLines(code, LITERAL);
}

/** Returns the matches of a pattern in order. */
export function matchWithLines(text: string, pattern: string): readonly Placed[] {
  let line = 1;
  let end = 0;
  return [...text.matchAll(new RegExp(pattern, 'g'))].map(({ 0: found, index }) => {
    line += text.slice(end, index).split('\n').length - 1;
    end = index;
    return { text: found, line };
  });
}

/** Returns code of the same length with spaces instead of its literals, so that all brackets are code. */
export function blankLiterals(code: string): string {
  return code.replace(new RegExp(LITERAL, 'g'), blank);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
