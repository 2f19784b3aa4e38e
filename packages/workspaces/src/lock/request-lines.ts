import type { Span } from './blocks.js';
import { unquote } from './lines.js';

/** What a line of an entry asks for. */
export interface Request {
  readonly name: string;
  readonly range: string;
}

/** Matches the lines that ask for these names, each with the line end in front of it; where there are many, some others too, whose names begin alike. */
export function linesFor(names: readonly string[]): RegExp {
  const parts = names.length > MANY ? [...new Set(names.map(beginningOf))] : names.map(literal);
  // Without groups: what they would hold takes longer to make than to find again in the few lines that are not known yet.
  return new RegExp(String.raw`\n {4}"?(?:${parts.join('|')})"?: [^\n]*`, 'g');
}

const MANY = 120;

/** `@acme/ui` -> every name of the scope; `jest-cli` -> every name that begins with `jes`. */
function beginningOf(name: string): string {
  const scope = name.startsWith('@') ? name.indexOf('/') + 1 : 0;
  return `${literal(name.slice(0, scope > 0 ? scope : 3))}[^":\\n]*`;
}

/** As a pattern that matches nothing else. */
export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Matches the lines whose range says more than the name in front of it: a path, an alias, a patch. */
export function specialLines(): RegExp {
  return /\n {4}"?[^"\n:]+"?: "?(?:(?:portal|link|file|exec|patch):|npm:@?[^"\n@]+@|\.{0,2}\/)[^\n]*/g;
}

export function isSpecial({ range }: Request): boolean {
  return /^(?:portal|link|file|exec|patch):|^npm:@?[^@]+@|^\.{0,2}\//.test(range);
}

/** The lines of a part that a pattern of these matches. */
export function linesIn(text: string, { start, end }: Span, pattern: RegExp): readonly string[] {
  return start === end ? [] : (text.slice(Math.max(0, start - 1), end).match(pattern) ?? []);
}

/** Reads a line that one of the patterns matches. */
export function readRequest(line: string): Request {
  const [, name = '', value = ''] = /^\n {4}"?([^\n]+?)"?: ([^\n]*)$/.exec(line) ?? [];
  return { name, range: readValue(value) };
}

/** As it stands there where it is not quoted as Yarn would: then the name alone decides. */
function readValue(value: string): string {
  if (!value.startsWith('"') || !value.endsWith('"')) return value;
  if (!value.includes('\\')) return value.slice(1, -1);
  try {
    return unquote(value);
  } catch {
    return value;
  }
}
