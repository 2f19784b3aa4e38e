import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { conflictLine, lineAt, withoutBom } from './file-text.js';

/** A JSON text that was read, or what is wrong with it and on which line (from 1). */
type JsonReading = { readonly value: unknown } | { readonly problem: string; readonly line: number };

/**
 * Reads strict JSON: no comments, no trailing commas. A byte order mark is ignored, as Yarn and npm do.
 * Conflict markers of an unfinished merge are named as such.
 */
export function readJson(text: string): JsonReading {
  try {
    return { value: JSON.parse(withoutBom(text)) as unknown };
  } catch {
    return explain(withoutBom(text));
  }
}

function explain(text: string): JsonReading {
  const conflict = conflictLine(text);
  if (conflict !== undefined) return { problem: 'it has the conflict markers of a merge that was not finished', line: conflict };
  if (text.trim() === '') return { problem: 'it is empty', line: 1 };
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const first = errors[0];
  if (first === undefined) return { problem: 'it is not JSON', line: 1 };
  // `CommaExpected` -> "comma expected"
  const words = printParseErrorCode(first.error)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
  return { problem: `it is not JSON: ${words}`, line: lineAt(text, first.offset) };
}
