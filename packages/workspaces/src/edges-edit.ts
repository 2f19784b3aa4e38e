import { withoutBom } from '@tributary/model/file-text';
import { type Node, parseTree } from 'jsonc-parser';
import { colonOf, findProperty, findValue, insertEntry, keyOf, removeEntries, splice } from './json-edit.js';

/** A change of one edge of `affected.edges` in `tributary.json`. */
export interface EdgeChange {
  /** The name of the reading workspace. */
  readonly from: string;
  readonly kind: 'workspaces' | 'files';
  readonly to: string;
  /** The place that proves it; `undefined` removes the edge. */
  readonly proof: string | undefined;
}

/**
 * Returns the text of a `tributary.json` with some edges added, updated or removed; `undefined`: there is no file yet. Comments, the order
 * of keys, indentation and line ends stay; new entries come last. `parseConfigFile` must accept the text.
 */
export function editEdges(text: string | undefined, changes: readonly EdgeChange[]): string {
  const mark = text?.startsWith('\uFEFF') === true ? '\uFEFF' : '';
  const bare = withoutBom(text ?? '{}');
  // New entries would stay on the same line.
  const start = /^\s*\{\s*\}\s*$/.test(bare) ? `{${endOfLine(bare)}}${endOfLine(bare)}` : bare;
  return mark + changes.reduce(applyChange, changes.length === 0 ? bare : start);
}

function endOfLine(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function applyChange(text: string, { from, kind, to, proof }: EdgeChange): string {
  const path = ['affected', 'edges', from, kind];
  if (proof !== undefined) return put(text, [...path, to], proof);
  const left = remove(text, path, to);
  // A reader without edges is removed.
  const withoutKind = isEmptyAt(left, path) ? remove(left, path.slice(0, -1), kind) : left;
  return isEmptyAt(withoutKind, path.slice(0, -1)) ? remove(withoutKind, path.slice(0, -2), from) : withoutKind;
}

function put(text: string, path: readonly string[], proof: string): string {
  return path.reduce((before, key, depth) => {
    const isLast = depth === path.length - 1;
    const container = nodeAt(before, path.slice(0, depth));
    if (container === undefined) return before;
    const value = findValue(container, key);
    const content = isLast ? JSON.stringify(proof) : '{}';
    if (value !== undefined) return isLast ? splice(before, value, content) : before;
    const entry = `${JSON.stringify(key)}${colonOf(before)}${content}`;
    return insertEntry(before, container, { at: container.children?.length ?? 0, content: entry });
  }, text);
}

function remove(text: string, path: readonly string[], key: string): string {
  const container = nodeAt(text, path);
  if (container === undefined || findProperty(container, key) === undefined) return text;
  return removeEntries(text, container, (entry) => keyOf(entry) === key);
}

/** Returns whether a value is empty; a comment counts as content. */
function isEmptyAt(text: string, path: readonly string[]): boolean {
  const node = nodeAt(text, path);
  return node !== undefined && /^\{\s*\}$/.test(text.slice(node.offset, node.offset + node.length));
}

function nodeAt(text: string, path: readonly string[]): Node | undefined {
  const top = parseTree(text, [], { allowTrailingComma: true });
  return path.reduce((node, key) => node && findValue(node, key), top);
}
