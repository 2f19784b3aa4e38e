import { applyEdits, createScanner, type Node } from 'jsonc-parser';

// Not `modify` of jsonc-parser: it writes a list of one line over several, and leaves the comment of a removed or earlier entry with its neighbour.

/** Returns a property; the last one if a key is repeated, as `JSON.parse` does. */
export function findProperty(object: Node, key: string): Node | undefined {
  return object.children?.findLast((property) => keyOf(property) === key);
}

/** Returns the value of a key. */
export function findValue(object: Node, key: string): Node | undefined {
  return findProperty(object, key)?.children?.[1];
}

/** Returns the key of a property. */
export function keyOf(property: Node): unknown {
  return property.children?.[0]?.value;
}

/** An entry to add to a list or an object, before the entry at this index. The number of entries means at the end. */
export interface NewEntry {
  readonly at: number;
  readonly content: string;
}

/** Adds an entry to a list or object, with the separators of its neighbours. A comment after the previous entry stays with that entry. */
export function insertEntry(text: string, container: Node, entry: NewEntry): string {
  const previous = container.children?.[entry.at - 1];
  const neighbour = container.children?.[entry.at] ?? previous;
  if (neighbour === undefined) return fill(text, container, entry.content);
  const between = startOfLine(text, neighbour) ?? (isDense(text) ? '' : ' ');
  if (previous === undefined) return splice(text, { offset: neighbour.offset, length: 0 }, `${entry.content},${between}`);
  const end = endOf(previous);
  if (neighbour !== previous) return splice(text, { offset: end, length: 0 }, `,${between}${entry.content}`);
  const comma = commaBehind(text, end);
  const behind = comma === undefined ? end : comma + 1;
  const [comment = ''] = (/[\n\r]/.test(between) && COMMENT.exec(text.slice(behind))) || [];
  const added = `${between}${entry.content}${comma === undefined ? '' : ','}`;
  const edits = [{ offset: behind + comment.length, length: 0, content: added }];
  return applyEdits(text, comma === undefined ? [{ offset: end, length: 0, content: ',' }, ...edits] : edits);
}

/** A comment on the rest of a line. */
const COMMENT = /^[ \t]*(?:\/\/[^\n\r]*|\/\*[^\n]*?\*\/(?=[ \t]*(?:\r?\n|$)))/;

/** A new key of an object whose value is a list or an object with one entry. */
export interface NewKey {
  readonly at: number;
  readonly key: string;
  readonly brackets: '[]' | '{}';
  readonly item: string;
}

/** Adds a key, over several lines if the object is written so. */
export function insertKey(text: string, object: Node, added: NewKey): string {
  const neighbour = object.children?.[added.at] ?? object.children?.[added.at - 1];
  const lineStart = neighbour === undefined ? startOfFirstLine(text, object) : startOfLine(text, neighbour);
  const colon = lineStart === undefined ? colonOf(text) : ': ';
  const item = lineStart === undefined ? added.item : `${lineStart}${indentUnit(text)}${added.item}${lineStart}`;
  const value = `${added.brackets[0]}${item}${added.brackets[1]}`;
  return insertEntry(text, object, { at: added.at, content: `${JSON.stringify(added.key)}${colon}${value}` });
}

/**
 * Returns the text without some entries of a list or object and their separators. Lines that contain nothing else are removed, including a
 * comment after the entry. Every other line stays, except for the comma of the new last entry.
 */
export function removeEntries(text: string, container: Node, isGone: (entry: Node) => boolean): string {
  const entries = container.children ?? [];
  const gone = [...entries.keys()].filter((at) => entries.slice(at, at + 1).some(isGone));
  // From the end, so that earlier offsets stay valid.
  const left = gone.reduceRight((before, at) => removeEntry(before, entries, at), text);
  if (gone.length === 0 || gone.length < entries.length) return left;
  const inside = left.slice(container.offset);
  return left.slice(0, container.offset) + inside.replace(/^([[{])\s*([\]}])/, '$1$2');
}

/** Removes one entry. Only entries that stay may follow it. */
function removeEntry(text: string, entries: readonly Node[], at: number): string {
  const [previous, entry] = [entries[at - 1], entries[at]];
  if (entry === undefined) return text;
  const comma = commaBehind(text, endOf(entry));
  const cut = cutOut(text, { from: entry.offset, to: comma === undefined ? endOf(entry) : comma + 1 });
  const idle = comma === undefined && previous !== undefined ? commaBehind(text, endOf(previous)) : undefined;
  return idle === undefined ? cut : splice(cut, { offset: idle, length: 1 }, '');
}

/** Removes a piece of text: its whole lines if they contain nothing else, otherwise the blanks on one side of it. */
function cutOut(text: string, { from, to }: { readonly from: number; readonly to: number }): string {
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const nextLine = text.indexOf('\n', to);
  const before = text.slice(lineStart, from);
  const after = text.slice(to, nextLine === -1 ? text.length : nextLine);
  const isLast = /^\s*[\]}]/.test(after);
  const isEnd = after.replace(COMMENT, '').trim() === '';
  if (before.trim() === '' && isEnd && nextLine !== -1) return text.slice(0, lineStart) + text.slice(nextLine + 1);
  if (before.trim() === '' && isLast) return text.slice(0, from).trimEnd() + text.slice(to);
  if (isEnd || isLast) return text.slice(0, from).replace(/[ \t]+$/, '') + text.slice(to);
  return text.slice(0, from) + text.slice(to).replace(/^[ \t]+/, '');
}

/** Returns the offset of the comma after an entry that ends at `end`, past any comments; `undefined` if there is none. */
function commaBehind(text: string, end: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : undefined;
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

/** Replaces a part of a text. */
export function splice(text: string, span: { readonly offset: number; readonly length: number }, content: string): string {
  return applyEdits(text, [{ offset: span.offset, length: span.length, content }]);
}

/** Returns the separator between key and value in the style of the text. */
export function colonOf(text: string): string {
  return isDense(text) ? ':' : ': ';
}

/** Adds the first entry of an empty list or object, after its comments. A list stays on its line. */
function fill(text: string, container: Node, content: string): string {
  const inside = text.slice(container.offset + 1, endOf(container) - 1).trimEnd();
  if (inside !== '')
    return splice(
      text,
      { offset: container.offset + 1 + inside.length, length: 0 },
      `${startOfFirstLine(text, container) ?? ' '}${content}`,
    );
  if (container.type === 'array') return splice(text, container, `[${content}]`);
  const lineStart = startOfFirstLine(text, container);
  if (lineStart === undefined) return splice(text, container, `{${content}}`);
  const before = lineStart.slice(0, lineStart.length - indentUnit(text).length);
  return splice(text, container, `{${lineStart}${content}${before}}`);
}

/** Returns the line end and indentation before a node that starts its line. */
function startOfLine(text: string, node: Node): string | undefined {
  return /\r?\n[ \t]*$/.exec(text.slice(0, node.offset))?.[0];
}

/** Returns what comes before the first key of an empty object; `undefined` in a text of one line. */
function startOfFirstLine(text: string, object: Node): string | undefined {
  const end = /\r?\n/.exec(text.trimEnd())?.[0];
  if (end === undefined) return undefined;
  const own = /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, object.offset))?.[1] ?? '';
  return end + own + indentUnit(text);
}

function indentUnit(text: string): string {
  return /^[ \t]+/m.exec(text)?.[0] ?? '  ';
}

/** Returns whether a text is written without spaces, like `JSON.stringify`. String contents are ignored. */
function isDense(text: string): boolean {
  return !/[:,][ \n\r]|[{[][\n\r]/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'));
}
