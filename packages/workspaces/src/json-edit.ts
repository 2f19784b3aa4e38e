import { applyEdits, type Node } from 'jsonc-parser';

/** The last one where a key is given twice, as `JSON.parse` has it. */
export function findProperty(object: Node, key: string): Node | undefined {
  return object.children?.findLast((property) => keyOf(property) === key);
}

/** What stands behind a key of an object. */
export function findValue(object: Node, key: string): Node | undefined {
  return findProperty(object, key)?.children?.[1];
}

/** The key of a property. */
export function keyOf(property: Node): unknown {
  return property.children?.[0]?.value;
}

/** What to put into a list or an object, and before which of its entries; the number of entries means behind the last. */
export interface NewEntry {
  readonly at: number;
  readonly content: string;
}

/** One more entry of a list or object, separated as its entries are. */
export function insertEntry(text: string, container: Node, entry: NewEntry): string {
  const previous = container.children?.[entry.at - 1];
  const neighbour = container.children?.[entry.at] ?? previous;
  if (neighbour === undefined) return fill(text, container, entry.content);
  const between = startOfLine(text, neighbour) ?? (isDense(text) ? '' : ' ');
  return previous === undefined
    ? splice(text, { offset: neighbour.offset, length: 0 }, `${entry.content},${between}`)
    : splice(text, { offset: previous.offset + previous.length, length: 0 }, `,${between}${entry.content}`);
}

/** A new key of an object whose value is a list or an object with one entry. */
export interface NewKey {
  readonly at: number;
  readonly key: string;
  readonly brackets: '[]' | '{}';
  readonly item: string;
}

/** One more key, written over several lines where the object is. */
export function insertKey(text: string, object: Node, added: NewKey): string {
  const neighbour = object.children?.[added.at] ?? object.children?.[added.at - 1];
  const lineStart = neighbour === undefined ? startOfFirstLine(text, object) : startOfLine(text, neighbour);
  const colon = lineStart === undefined ? colonOf(text) : ': ';
  const item = lineStart === undefined ? added.item : `${lineStart}${indentUnit(text)}${added.item}${lineStart}`;
  const value = `${added.brackets[0]}${item}${added.brackets[1]}`;
  return insertEntry(text, object, { at: added.at, content: `${JSON.stringify(added.key)}${colon}${value}` });
}

/** The text without some entries of a list or object, and without what separated them from the others. */
export function removeEntries(text: string, container: Node, isGone: (entry: Node) => boolean): string {
  const entries = container.children ?? [];
  const kept = entries.filter((entry) => !isGone(entry));
  const last = kept.at(-1);
  if (last === undefined) return splice(text, container, container.type === 'array' ? '[]' : '{}');
  const edits = entries.flatMap((entry, index) => {
    if (!isGone(entry) || entry.offset > last.offset) return [];
    return [{ offset: entry.offset, length: (entries[index + 1]?.offset ?? 0) - entry.offset, content: '' }];
  });
  const [from, to] = [last, entries.at(-1) ?? last].map((entry) => entry.offset + entry.length) as [number, number];
  return applyEdits(text, [...edits, { offset: from, length: to - from, content: '' }]);
}

/** Replaces what stands in a place of a text. */
export function splice(text: string, place: { readonly offset: number; readonly length: number }, content: string): string {
  return applyEdits(text, [{ offset: place.offset, length: place.length, content }]);
}

/** What stands between a key and its value in a text of one style. */
export function colonOf(text: string): string {
  return isDense(text) ? ':' : ': ';
}

/** The first entry of what is empty: a list stays on its line. */
function fill(text: string, container: Node, content: string): string {
  if (container.type === 'array') return splice(text, container, `[${content}]`);
  const lineStart = startOfFirstLine(text, container);
  if (lineStart === undefined) return splice(text, container, `{${content}}`);
  const before = lineStart.slice(0, lineStart.length - indentUnit(text).length);
  return splice(text, container, `{${lineStart}${content}${before}}`);
}

/** The line end and indentation before a node that begins its line. */
function startOfLine(text: string, node: Node): string | undefined {
  return /\r?\n[ \t]*$/.exec(text.slice(0, node.offset))?.[0];
}

/** What would stand before the first key of an empty object; `undefined` in a text of one line. */
function startOfFirstLine(text: string, object: Node): string | undefined {
  const end = /\r?\n/.exec(text.trimEnd())?.[0];
  if (end === undefined) return undefined;
  const own = /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, object.offset))?.[1] ?? '';
  return end + own + indentUnit(text);
}

function indentUnit(text: string): string {
  return /^[ \t]+/m.exec(text)?.[0] ?? '  ';
}

/** Written without spaces, as `JSON.stringify` does. */
function isDense(text: string): boolean {
  return !/[:,][ \n\r]|[{[][\n\r]/.test(text);
}
