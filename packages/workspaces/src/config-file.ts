import { type Config, parseConfig } from '@tributary/model/config';
import type { KeyPath } from '@tributary/model/config-reading';
import { ToolError } from '@tributary/model/errors';
import { lineAt, withoutBom } from '@tributary/model/file-text';
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { readJsonWithComments } from './json.js';

/**
 * Parses the text of a `tributary.json`: JSON, with optional comments and trailing commas, then the rules of `parseConfig`. Throws
 * `CONFIG_INVALID` for the first error, with file, line and key in the message. A duplicate key is an error too.
 */
export function parseConfigFile(text: string, fileName: string): Config {
  const bare = withoutBom(text);
  const tree = readTree(bare, fileName);
  refuseDuplicateKeys(bare, tree, fileName);
  return parseConfig(readValue(tree), (path, message) => {
    const line = lineAt(bare, offsetOf(tree, path));
    throw invalid(
      { file: fileName, line, key: formatKeyPath(path) },
      path.length === 0 ? `it ${message}` : `${formatKeyPath(path)} ${message}`,
    );
  });
}

function readTree(text: string, fileName: string): Node {
  const reading = readJsonWithComments(text);
  if ('problem' in reading) throw invalid({ file: fileName, line: reading.line }, reading.problem);
  return parseTree(text, [], { allowTrailingComma: true }) as Node;
}

/** Returns the value of a node. `getNodeValue` of jsonc-parser would set the prototype for a key `__proto__`. */
function readValue(node: Node): unknown {
  const children = node.children ?? [];
  if (node.type === 'array') return children.map(readValue);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(children.map(({ children: [key, value] = [] }) => [String(key?.value), value && readValue(value)]));
}

/** Returns a path as text: `migrate.packages["@acme/ui"].source`, `affected.rules[0].files`. */
function formatKeyPath(path: KeyPath): string {
  return path
    .map((key, depth) =>
      typeof key === 'string' && /^[\w$-]+$/.test(key) ? `${depth === 0 ? '' : '.'}${key}` : `[${JSON.stringify(key)}]`,
    )
    .join('');
}

/** Returns the offset of a key; for a missing key, that of the object that lacks it. */
function offsetOf(tree: Node, path: KeyPath): number {
  const node = findNodeAtLocation(tree, [...path]);
  if (node === undefined) return path.length === 0 ? 0 : offsetOf(tree, path.slice(0, -1));
  return node.parent?.type === 'property' ? node.parent.offset : node.offset;
}

function refuseDuplicateKeys(text: string, node: Node | undefined, fileName: string, path: KeyPath = []): void {
  const children = node?.children ?? [];
  if (node?.type === 'array') {
    for (const [index, item] of children.entries()) refuseDuplicateKeys(text, item, fileName, [...path, index]);
    return;
  }
  const seen = new Map<string, number>();
  for (const property of node?.type === 'object' ? children : []) {
    const key = String(property.children?.[0]?.value);
    const line = lineAt(text, property.offset);
    const first = seen.get(key);
    const keyPath = [...path, key];
    if (first !== undefined)
      throw invalid(
        { file: fileName, line, key: formatKeyPath(keyPath) },
        `${formatKeyPath(keyPath)} is duplicated, first on line ${first}`,
      );
    seen.set(key, line);
    refuseDuplicateKeys(text, property.children?.[1], fileName, keyPath);
  }
}

function invalid(data: { file: string; line: number; key?: string }, problem: string): ToolError {
  return new ToolError({
    code: 'CONFIG_INVALID',
    message: `${data.file}:${data.line}: ${problem}`,
    hint: 'Correct the file; an editor that reads its "$schema" shows what is allowed.',
    data,
  });
}
