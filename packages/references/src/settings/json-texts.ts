import { withoutBom } from '@tributary/model/file-text';
import { visit } from 'jsonc-parser';
import { DEEPEST, type KeyedText, shorten, type TextsRead } from './keyed-text.js';

/** Reads JSON with comments and trailing commas, and as much as possible of a broken file. Never throws. */
export function readJsonTexts(text: string): TextsRead {
  const values: KeyedText[] = [];
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
    onLiteralValue: (value: unknown, ...[, , startLine, , pathSupplier]: [number, number, number, number, () => (string | number)[]]) => {
      if (depth > DEEPEST) return stop();
      if (typeof value !== 'string' || value === '') return;
      const keys = pathSupplier().map((key) => shorten(String(key)));
      values.push({ keys, key: keys.join('.'), line: startLine + 1, text: value });
    },
  };
  try {
    visit(withoutBom(text), visitor, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    // The parser recurses for brackets, and some thousands of them overflow its stack.
    if (!(error instanceof RangeError)) throw error;
    stop();
  }
  return { values, isWhole };
}
