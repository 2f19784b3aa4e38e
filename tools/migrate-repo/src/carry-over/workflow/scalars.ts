import type { Scalar } from 'yaml';
import type { TextEdit } from './workflow-document.js';

/** Returns a text as one line of YAML. */
export function yamlText(text: string): string {
  const isWord = /^(?=.*[A-Za-z/])[\w.][\w./-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text);
  return isWord || text === '.' ? text : JSON.stringify(text);
}

/** Replaces the text of a scalar in the same style; empty if it is equal. */
export function replaceScalar(text: string, scalar: Scalar, value: string): readonly TextEdit[] {
  const [start, end] = scalar.range ?? [0, 0];
  const before = String(scalar.value);
  if (before === value) return [];
  const at = text.slice(start, end).indexOf(before);
  const shared = before.split('').findIndex((sign, index) => sign !== value[index]);
  const added = value.slice(shared, value.length - before.length + shared);
  // If the text is written literally, only the insertion changes.
  const isInsertion = at !== -1 && shared !== -1 && before.slice(0, shared) + added + before.slice(shared) === value;
  const isSafe = /^[\w@./-]*$/.test(added) && (shared > 0 || scalar.type !== 'PLAIN' || /^[A-Za-z]/.test(added));
  if (isInsertion && isSafe) return [{ offset: start + at + shared, length: 0, content: added }];
  return [
    { offset: start, length: end - start, content: scalar.type === 'QUOTE_SINGLE' ? `'${value.replaceAll("'", "''")}'` : yamlText(value) },
  ];
}

/**
 * Rewrites each line of a multi-line text, or the whole text if it is on one line. `move` gets each entry with its
 * offset, and returns `undefined` to keep it.
 */
export function replaceLines(
  text: string,
  scalar: Scalar,
  move: (entry: string, offset: number) => string | undefined,
): readonly TextEdit[] {
  if (scalar.type !== 'BLOCK_LITERAL' && scalar.type !== 'BLOCK_FOLDED') {
    const moved = move(String(scalar.value), scalar.range?.[0] ?? 0);
    return moved === undefined ? [] : replaceScalar(text, scalar, moved);
  }
  const [start, end] = scalar.range ?? [0, 0];
  const head = text.indexOf('\n', start) + 1;
  return [...text.slice(head, end).matchAll(/^([ \t]*)(\S.*?)[ \t]*\r?$/gm)].flatMap((found) => {
    const [, indent = '', entry = ''] = found;
    const moved = move(entry, head + found.index);
    return moved === undefined || moved === entry
      ? []
      : [{ offset: head + found.index + indent.length, length: entry.length, content: moved }];
  });
}
