import { ToolError } from '@tributary/model/errors';
import type { RepoPath } from '@tributary/model/paths';
import { applyEdits, type Node, parseTree } from 'jsonc-parser';
import { withoutBom } from './file-text.js';
import { parseManifest } from './manifest.js';

/**
 * The text of a root package.json with a folder added to its `workspaces`: as last entry of the list (or of `workspaces.packages`),
 * as a new key at the end if there was none. Nothing else changes: indentation, line ends, lists on one line and the end of the file
 * stay. The same text if that very entry is there. It does not ask whether a pattern covers the folder: see `isCovered`.
 * Throws `MANIFEST_INVALID` for a text that is not a manifest or whose `workspaces` is neither a list nor an object.
 */
export function addWorkspacePattern(text: string, path: RepoPath): string {
  const bare = withoutBom(text);
  const pattern = escapePattern(path);
  const manifest = parseManifest(bare, 'package.json');
  if (manifest.workspaces.includes(pattern)) return text;
  const root = bare === '' ? undefined : parseTree(bare);
  if (root === undefined) return `{\n  "workspaces": [\n    ${JSON.stringify(pattern)}\n  ]\n}\n`;
  return text.slice(0, text.length - bare.length) + insert(bare, root, pattern);
}

/** A path as a pattern that matches it alone: `fast-glob.escapePath`. */
function escapePattern(path: RepoPath): string {
  return path.replace(/[()*?[\]{|}]|^!|[!+@](?=\()/g, '\\$&');
}

function insert(text: string, root: Node, pattern: string): string {
  const workspaces = findValue(root, 'workspaces');
  if (workspaces === undefined) return insertKey(text, root, { key: 'workspaces', item: pattern });
  if (workspaces.type === 'array') return insertItem(text, workspaces, JSON.stringify(pattern));
  if (workspaces.type !== 'object') throw oddWorkspaces('workspaces');
  const packages = findValue(workspaces, 'packages');
  if (packages === undefined) return insertKey(text, workspaces, { key: 'packages', item: pattern });
  if (packages.type !== 'array') throw oddWorkspaces('workspaces.packages');
  return insertItem(text, packages, JSON.stringify(pattern));
}

/** The last one where a key is given twice, as `JSON.parse` has it. */
function findValue(object: Node, key: string): Node | undefined {
  return object.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
}

/** A new key whose value is a list with one entry, written over several lines where the object is. */
function insertKey(text: string, object: Node, added: { key: string; item: string }): string {
  const last = object.children?.at(-1);
  const item = JSON.stringify(added.item);
  const key = JSON.stringify(added.key);
  const lineStart = last === undefined ? startOfFirstLine(text, object) : startOfLine(text, last);
  if (lineStart === undefined) return insertItem(text, object, isDense(text) ? `${key}:[${item}]` : `${key}: [${item}]`);
  const unit = indentUnit(text);
  const property = `${key}: [${lineStart}${unit}${item}${lineStart}]`;
  if (last !== undefined) return insertAt(text, last.offset + last.length, `,${lineStart}${property}`);
  const before = lineStart.slice(0, lineStart.length - unit.length);
  return applyEdits(text, [{ offset: object.offset, length: object.length, content: `{${lineStart}${property}${before}}` }]);
}

/** One more entry of a list or object, separated as its entries are. */
function insertItem(text: string, container: Node, item: string): string {
  const last = container.children?.at(-1);
  if (last === undefined) {
    const [open, close] = container.type === 'array' ? '[]' : '{}';
    return applyEdits(text, [{ offset: container.offset, length: container.length, content: `${open}${item}${close}` }]);
  }
  const between = startOfLine(text, last) ?? (isDense(text) ? '' : ' ');
  return insertAt(text, last.offset + last.length, `,${between}${item}`);
}

function insertAt(text: string, offset: number, content: string): string {
  return applyEdits(text, [{ offset, length: 0, content }]);
}

/** The line end and indentation before a node that begins its line. */
function startOfLine(text: string, node: Node): string | undefined {
  return /\r?\n[ \t]*$/.exec(text.slice(0, node.offset))?.[0];
}

/** What would stand before the first key of an empty object; `undefined` in a text of one line. */
function startOfFirstLine(text: string, object: Node): string | undefined {
  const end = /\r?\n/.exec(text)?.[0];
  if (end === undefined) return undefined;
  const own = /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, object.offset))?.[1] ?? '';
  return end + own + indentUnit(text);
}

function indentUnit(text: string): string {
  return /^[ \t]+/m.exec(text)?.[0] ?? '  ';
}

/** Written without spaces, as `JSON.stringify` does. */
function isDense(text: string): boolean {
  return !/[:,][ \n\r]/.test(text);
}

function oddWorkspaces(key: string): ToolError {
  return new ToolError({
    code: 'MANIFEST_INVALID',
    message: `"${key}" in the root package.json is neither a list of patterns nor an object with one.`,
    hint: 'Make it a list, such as "workspaces": ["packages/*"].',
    data: { file: 'package.json', key },
  });
}
