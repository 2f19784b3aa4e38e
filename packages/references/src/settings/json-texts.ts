import { withoutBom } from '@tributary/model/file-text';
import { visit } from 'jsonc-parser';
import { DEEPEST, type KeyedText, keyedText, memberText, shorten, type TextsRead } from './keyed-text.js';

/** Reads JSON with comments and trailing commas, and as much as possible of a broken file. Never throws. */
export function readJsonTexts(text: string): TextsRead {
  const values: KeyedText[] = [];
  const members: KeyedText[] = [];
  let isWhole = true;
  let depth = 0;
  const stop = (): void => {
    isWhole = false;
  };
  const visitor = {
    onError: stop,
    onObjectBegin: () => void depth++,
    onArrayBegin: () => void depth++,
    onObjectEnd: () => void depth--,
    onArrayEnd: () => void depth--,
    onObjectProperty: (name: string, ...[, , line, , pathOf]: Place) => {
      if (depth <= DEEPEST && name !== '') members.push(memberText(keysOf(pathOf), line + 1, name));
    },
    onLiteralValue: (value: unknown, ...[, , line, , pathOf]: Place) => {
      if (depth > DEEPEST) return stop();
      if (typeof value === 'string' && value !== '') values.push(keyedText(keysOf(pathOf), line + 1, value));
      if (value === false && typeof pathOf().at(-1) === 'string') members.pop();
    },
  };
  try {
    visit(withoutBom(text), visitor, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    // The parser recurses for brackets, and some thousands of them overflow its stack.
    if (!(error instanceof RangeError)) throw error;
    stop();
  }
  return { values, members, isWhole };
}

type Place = [offset: number, length: number, line: number, character: number, pathOf: () => (string | number)[]];

function keysOf(pathOf: Place[4]): readonly string[] {
  return pathOf().map((key) => shorten(String(key)));
}
