import { conflictLine, lineAt, withoutBom } from '@tributary/model/file-text';
import { type ParseError, type ParseOptions, parse, printParseErrorCode } from 'jsonc-parser';

/** A parsed JSON text, or its error with the line (from 1). */
type JsonReading = { readonly value: unknown } | { readonly problem: string; readonly line: number };

/**
 * Parses strict JSON: no comments, no trailing commas. A byte order mark is ignored, as in Yarn and npm. For conflict markers of an
 * unfinished merge, the error names them.
 */
export function readJson(text: string): JsonReading {
  try {
    const value: unknown = JSON.parse(withoutBom(text));
    return atMostDeepest(text, value);
  } catch {
    return explain(withoutBom(text), { disallowComments: true });
  }
}

/**
 * The maximum nesting depth. `JSON.parse` accepts any depth, but recursive code, including `JSON.stringify`, overflows the stack at some
 * thousands.
 */
const DEEPEST = 1000;

function atMostDeepest(text: string, value: unknown): JsonReading {
  return isTooDeep(text, value) ? { problem: `it is nested more than ${DEEPEST} levels deep`, line: 1 } : { value };
}

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

/** Like `readJson`, but allows comments and trailing commas. Most such files have neither, so `JSON.parse` is tried first. */
export function readJsonWithComments(text: string): JsonReading {
  const bare = withoutBom(text);
  try {
    return atMostDeepest(bare, JSON.parse(bare));
  } catch {
    return parseWithComments(bare);
  }
}

function parseWithComments(text: string): JsonReading {
  const errors: ParseError[] = [];
  try {
    const value: unknown = parse(text, errors, WITH_COMMENTS);
    if (errors.length === 0) return atMostDeepest(text, value);
  } catch (error) {
    // The parser recurses for brackets; `explain` names them.
    if (!(error instanceof RangeError)) throw error;
  }
  return explain(text, WITH_COMMENTS);
}

const WITH_COMMENTS: ParseOptions = { allowTrailingComma: true };

function describe({ error, offset }: ParseError, text: string): { readonly problem: string; readonly line: number } {
  // `CommaExpected` -> "comma expected"
  const words = printParseErrorCode(error)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
  return { problem: `it is not JSON: ${words}`, line: lineAt(text, offset) };
}
