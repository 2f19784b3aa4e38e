import { conflictLine, lineAt, withoutBom } from '@tributary/model/file-text';
import { type ParseError, type ParseOptions, parse, printParseErrorCode } from 'jsonc-parser';

/** A JSON text that was read, or what is wrong with it and on which line (from 1). */
type JsonReading = { readonly value: unknown } | { readonly problem: string; readonly line: number };

/**
 * Reads strict JSON: no comments, no trailing commas. A byte order mark is ignored, as Yarn and npm do.
 * Conflict markers of an unfinished merge are named as such.
 */
export function readJson(text: string): JsonReading {
  try {
    const value: unknown = JSON.parse(withoutBom(text));
    return isTooDeep(text, value) ? { problem: `it is nested more than ${DEEPEST} levels deep`, line: 1 } : { value };
  } catch {
    return explain(withoutBom(text), { disallowComments: true });
  }
}

/** `JSON.parse` reads any depth; what walks through a value, `JSON.stringify` too, ends with a stack overflow at some thousands. */
const DEEPEST = 1000;

function isTooDeep(text: string, value: unknown): boolean {
  if (text.length < 2 * DEEPEST || countOf(text, '[') + countOf(text, '{') <= DEEPEST) return false;
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++)
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  return level.length > 0;
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++;
  return count;
}

function explain(text: string, options: ParseOptions): JsonReading {
  const conflict = conflictLine(text);
  if (conflict !== undefined) return { problem: 'it has conflict markers of an unfinished merge', line: conflict };
  if (text.trim() === '') return { problem: 'it is empty', line: 1 };
  const errors: ParseError[] = [];
  try {
    parse(text, errors, options);
  } catch (error) {
    if (error instanceof RangeError) return { problem: 'it is not JSON, and nested too deeply', line: 1 };
    throw error;
  }
  const first = errors[0];
  return first === undefined ? { problem: 'it is not JSON', line: 1 } : describe(first, text);
}

/**
 * The same for what may have comments, and commas behind the last of several. Most such files have neither, and `JSON.parse` is there
 * already. Throws a `RangeError` for one with comments that is nested without end.
 */
export function readJsonWithComments(text: string): JsonReading {
  const bare = withoutBom(text);
  try {
    return { value: JSON.parse(bare) as unknown };
  } catch {
    const errors: ParseError[] = [];
    const value: unknown = parse(bare, errors, WITH_COMMENTS);
    return errors.length === 0 ? { value } : explain(bare, WITH_COMMENTS);
  }
}

const WITH_COMMENTS: ParseOptions = { allowTrailingComma: true };

function describe({ error, offset }: ParseError, text: string): { readonly problem: string; readonly line: number } {
  // `CommaExpected` -> "comma expected"
  const words = printParseErrorCode(error)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
  return { problem: `it is not JSON: ${words}`, line: lineAt(text, offset) };
}
