import { ToolError } from '@tributary/model/errors';
import { withoutBom } from '@tributary/model/file-text';
import type { RepoPath } from '@tributary/model/paths';
import { type Node, parseTree } from 'jsonc-parser';
import { findValue, insertEntry, insertKey } from './json-edit.js';
import { parseManifest } from './manifest.js';

/**
 * Returns a root package.json with a folder added to its `workspaces`. It becomes the last entry of the list (or of `workspaces.packages`),
 * or a new key at the end. Nothing else changes: indentation, line ends, lists on one line and the end of the file stay. The same text if
 * the same entry exists. It does not check whether a pattern covers the folder: see `isCovered`. Throws `MANIFEST_INVALID` for a text that
 * is not a manifest or whose `workspaces` is neither a list nor an object.
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

/** Returns a path as a pattern that matches only it: `fast-glob.escapePath`. */
function escapePattern(path: RepoPath): string {
  return path.replace(/[()*?[\]{|}]|^!|[!+@](?=\()/g, '\\$&');
}

function insert(text: string, root: Node, pattern: string): string {
  const workspaces = findValue(root, 'workspaces');
  if (workspaces === undefined) return appendList(text, root, { key: 'workspaces', pattern });
  if (workspaces.type === 'array') return append(text, workspaces, pattern);
  if (workspaces.type !== 'object') throw oddWorkspaces('workspaces');
  const packages = findValue(workspaces, 'packages');
  if (packages === undefined) return appendList(text, workspaces, { key: 'packages', pattern });
  if (packages.type !== 'array') throw oddWorkspaces('workspaces.packages');
  return append(text, packages, pattern);
}

function append(text: string, list: Node, pattern: string): string {
  return insertEntry(text, list, { at: list.children?.length ?? 0, content: JSON.stringify(pattern) });
}

function appendList(text: string, object: Node, added: { key: string; pattern: string }): string {
  const item = JSON.stringify(added.pattern);
  return insertKey(text, object, { at: object.children?.length ?? 0, key: added.key, brackets: '[]', item });
}

function oddWorkspaces(key: string): ToolError {
  return new ToolError({
    code: 'MANIFEST_INVALID',
    message: `"${key}" in the root package.json is neither a list of patterns nor an object with one.`,
    hint: 'Make it a list, such as "workspaces": ["packages/*"].',
    data: { file: 'package.json', key },
  });
}
