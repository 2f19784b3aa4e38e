import { isDeepStrictEqual } from 'node:util';
import { withoutBom } from '@tributary/model/file-text';
import { colonOf, findProperty, findValue, insertEntry, keyOf, removeEntries, splice } from '@tributary/workspaces/json-edit';
import { type JSONPath, type Node, type ParseError, parse, parseTree } from 'jsonc-parser';
import { layJsonOut } from './json-layout.js';

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
