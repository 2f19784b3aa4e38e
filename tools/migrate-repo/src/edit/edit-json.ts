import { isDeepStrictEqual } from 'node:util';
import { withoutBom } from '@tributary/model/file-text';
import { colonOf, findProperty, findValue, insertEntry, keyOf, removeEntries, splice } from '@tributary/workspaces/json-edit';
import { type JSONPath, type Node, type ParseError, parse, parseTree } from 'jsonc-parser';

/** Returns the value of JSON with comments and trailing commas, as JavaScript tools read their settings; `undefined` for invalid text. */
export function readLooseJson(text: string): unknown {
  const errors: ParseError[] = [];
  try {
    const value: unknown = parse(withoutBom(text), errors, { allowTrailingComma: true });
    return errors.length > 0 ? undefined : value;
  } catch (error) {
    // Nested so deeply that the parser runs out of stack. No tool reads such a file.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Returns the text with a value set at a path, or removed from it (`undefined`). A number in the path is an index in a
 * list, and may be one past the last. Lines that are not part of the change keep their indentation and comments. The
 * text must be readable.
 */
export function setJson(text: string, path: JSONPath, value: unknown): string {
  const bare = withoutBom(text);
  const root = parseTree(bare, [], { allowTrailingComma: true });
  if (root === undefined || isDeepStrictEqual(valueAt(readLooseJson(bare), path), value)) return text;
  const changed = value === undefined ? remove(bare, root, path) : put(bare, root, { path, value });
  return text.slice(0, text.length - bare.length) + changed;
}

/** Returns the text with a key of the top object renamed. Nothing changes if the object lacks the first key or has the second. */
export function renameKey(text: string, from: string, to: string): string {
  const bare = withoutBom(text);
  const root = parseTree(bare, [], { allowTrailingComma: true });
  const key = root === undefined || findProperty(root, to) !== undefined ? undefined : findProperty(root, from)?.children?.[0];
  return key === undefined ? text : text.slice(0, text.length - bare.length) + splice(bare, key, JSON.stringify(to));
}

function valueAt(value: unknown, path: JSONPath): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Readonly<Record<string, unknown>>)[key] : undefined),
    value,
  );
}

function remove(text: string, root: Node, path: JSONPath): string {
  const key = path.at(-1);
  const container = path.slice(0, -1).reduce<Node | undefined>((node, step) => node && childOf(node, step), root);
  if (container === undefined) return text;
  // Removes every entry with this key: if one of a duplicate remained, it would take effect again.
  return removeEntries(text, container, (entry) =>
    typeof key === 'number' ? container.children?.[key] === entry : container.type === 'object' && keyOf(entry) === key,
  );
}

function put(text: string, root: Node, { path, value }: { readonly path: JSONPath; readonly value: unknown }): string {
  const [key, ...below] = path;
  if (key === undefined) return splice(text, root, layJsonOut(text, { value, at: root.offset, instead: root }));
  const child = childOf(root, key);
  if (child !== undefined && (below.length === 0 || canHold(child, below[0]))) return put(text, child, { path: below, value });
  const inner = nest(below, value);
  if (child !== undefined) return splice(text, child, layJsonOut(text, { value: inner, at: child.offset, instead: child }));
  const last = root.children?.at(-1);
  const laidOut = layJsonOut(text, { value: inner, at: last?.offset ?? root.offset, inside: root });
  const content = typeof key === 'number' ? laidOut : `${JSON.stringify(key)}${colonOf(text)}${laidOut}`;
  return insertEntry(text, root, { at: root.children?.length ?? 0, content });
}

function childOf(node: Node, key: string | number): Node | undefined {
  if (typeof key === 'number') return node.type === 'array' ? node.children?.[key] : undefined;
  return node.type === 'object' ? findValue(node, key) : undefined;
}

function canHold(node: Node, key: string | number | undefined): boolean {
  return node.type === (typeof key === 'number' ? 'array' : 'object');
}

function nest(path: JSONPath, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }), value);
}

/** A value to write into a JSON text. */
interface Writing {
  readonly value: unknown;
  /** An offset on the line whose indentation the value gets. */
  readonly at: number;
  /** The current value. If it is a list or object on one line, the new value stays on one line. */
  readonly instead?: Node;
  /** The list or object that contains the value. If it is on one line, the value is too. */
  readonly inside?: Node;
}

/** The maximum length of a line. */
const WIDTH = 100;

/** Returns a value formatted like the text around it: same indentation, same line ends, and on one line if its neighbours are. */
function layJsonOut(text: string, { value, at, instead, inside }: Writing): string {
  if (!/[\n\r]/.test(text.trim())) return /[:,][ ]|[{[] /.test(text) ? onOneLine(value) : JSON.stringify(value);
  const line = onOneLine(value);
  const isSameKind = instead !== undefined && /^[[{]/.test(text.slice(instead.offset)) && text[instead.offset] === line[0];
  const around = isSameKind ? instead : inside;
  const isShort = around !== undefined && around.children?.length !== 0 && isOnOneLine(text, around) && line.length <= WIDTH;
  if (isShort) return line;
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';
  const unit = /^[ \t]+/m.exec(text)?.[0] ?? '  ';
  const own = inside !== undefined && inside.children?.length === 0 ? indent + unit : indent;
  return JSON.stringify(value, null, unit).replace(/\n/g, (text.includes('\r\n') ? '\r\n' : '\n') + own);
}

function isOnOneLine(text: string, { offset, length }: Node): boolean {
  return !/[\n\r]/.test(text.slice(offset, offset + length));
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${onOneLine(one)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
