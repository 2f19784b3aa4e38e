import type { ObjectId } from '@tributary/model/ids';
import { idLength, type ObjectFormat } from './object-id.js';

/** One line of a tree. Names are bytes, kept as Latin-1 text with one code unit for each byte. */
export interface TreeEntry {
  /** As stored, with leading zeros neither added nor removed: `40000`, `100644`, `100755`, `120000`, `160000`, and modes of old tools. */
  readonly mode: string;
  readonly name: string;
  readonly id: ObjectId;
}

export const FOLDER_MODE = '40000';

/** Returns the entries in stored order. Throws a plain error for invalid bytes, because git has checked them before. */
export function parseTree(format: ObjectFormat, content: Buffer): TreeEntry[] {
  const idBytes = idLength(format) / 2;
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    const next = end + 1 + idBytes;
    if (space < 0 || end < 0 || next > content.length) throw new Error('a tree object ends in the middle of an entry');
    const id = content.toString('hex', end + 1, next) as ObjectId;
    entries.push({ mode: content.toString('latin1', at, space), name: content.toString('latin1', space + 1, end), id });
    at = next;
  }
  return entries;
}

/** Returns the bytes of a tree with these entries, in git's sort order. */
export function formatTree(entries: readonly TreeEntry[]): Buffer {
  const sorted = [...entries].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  return Buffer.concat(sorted.flatMap((entry) => [Buffer.from(`${entry.mode} ${entry.name}\0`, 'latin1'), Buffer.from(entry.id, 'hex')]));
}

/** Returns a name of a tree as text for people. */
export function nameAsText(name: string): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}

/** Returns the name that a text has in a tree. */
export function textAsName(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Returns the sort key: a folder sorts as if its name ended in a slash. */
function sortKey(entry: TreeEntry): string {
  return isFolder(entry) ? `${entry.name}/` : entry.name;
}

/** Returns whether git treats it as a folder: the type in the mode decides, whatever permissions an old tool wrote. */
export function isFolder(entry: TreeEntry): boolean {
  return (Number.parseInt(entry.mode, 8) & 0o170000) === 0o040000;
}
