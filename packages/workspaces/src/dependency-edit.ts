import { ToolError } from '@tributary/model/errors';
import { withoutBom } from '@tributary/model/file-text';
import { type Node, parseTree } from 'jsonc-parser';
import { colonOf, findValue, insertEntry, insertKey, keyOf, splice } from './json-edit.js';
import { parseManifest } from './manifest.js';

/** The blocks of a manifest that declare dependencies. */
export type DependencyBlock = 'dependencies' | 'devDependencies' | 'peerDependencies' | 'optionalDependencies';

/** The declaration to write. */
export interface DependencyChange {
  readonly block: DependencyBlock;
  readonly name: string;
  readonly range: string;
}

/**
 * Returns the text of a manifest that declares a dependency with this range. If the block has the name, its range is replaced. Otherwise
 * the entry is added in alphabetical order if the block is sorted (as Yarn or npm sorts), and at the end if it is not. A missing block is
 * added next to the others, in the order of `BLOCKS`. Every other byte stays; the same text if nothing changes. Other blocks are not
 * checked. Throws `MANIFEST_INVALID` for a text that is not a manifest, or a block that is not an object.
 */
export function setDependency(text: string, change: DependencyChange): string {
  return edit(text, (bare, root) => {
    const block = findBlock(root, change.block);
    if (block === undefined) return addBlock(bare, root, change);
    const value = findValue(block, change.name);
    if (value === undefined) return addEntry(bare, block, change);
    return value.value === change.range ? bare : splice(bare, value, JSON.stringify(change.range));
  });
}

/** The order in which missing blocks are added: that of sort-package-json. */
const BLOCKS: readonly DependencyBlock[] = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

function edit(text: string, change: (bare: string, root: Node) => string): string {
  const bare = withoutBom(text);
  parseManifest(bare, 'package.json');
  // Yarn reads an empty file as an object.
  const object = bare === '' ? '{\n}\n' : bare;
  const root = parseTree(object);
  if (root === undefined) return text;
  const changed = change(object, root);
  return changed === object ? text : text.slice(0, text.length - bare.length) + changed;
}

function findBlock(root: Node, block: DependencyBlock): Node | undefined {
  const value = findValue(root, block);
  if (value !== undefined && value.type !== 'object') throw oddBlock(block);
  return value;
}

function addEntry(text: string, block: Node, change: DependencyChange): string {
  const entries = block.children ?? [];
  const names = entries.map((entry) => String(keyOf(entry)));
  const colon = colonOfEntry(text, entries[0]) ?? colonOf(text);
  const content = `${JSON.stringify(change.name)}${colon}${JSON.stringify(change.range)}`;
  return insertEntry(text, block, { at: alphabeticalIndex(names, change.name), content });
}

/**
 * Returns the index at which to insert a name. Yarn compares names letter by letter, npm as a dictionary does; they differ in capitals and
 * punctuation.
 */
function alphabeticalIndex(names: readonly string[], name: string): number {
  const orders = [(a: string, b: string) => (a < b ? -1 : 1), (a: string, b: string) => a.localeCompare(b, 'en')];
  const order = orders.find((compare) => names.every((own, index) => index === 0 || compare(names[index - 1] ?? '', own) < 0));
  const index = order === undefined ? -1 : names.findIndex((own) => order(name, own) < 0);
  return index === -1 ? names.length : index;
}

function colonOfEntry(text: string, entry: Node | undefined): string | undefined {
  const [key, value] = entry?.children ?? [];
  return key === undefined || value === undefined ? undefined : text.slice(key.offset + key.length, value.offset);
}

function addBlock(text: string, root: Node, change: DependencyChange): string {
  const item = `${JSON.stringify(change.name)}${colonOf(text)}${JSON.stringify(change.range)}`;
  return insertKey(text, root, { at: indexOfBlock(root, change.block), key: change.block, brackets: '{}', item });
}

/**
 * Returns the index for a new block: after the nearest existing block that precedes it, otherwise before the nearest that follows,
 * otherwise at the end.
 */
function indexOfBlock(root: Node, block: DependencyBlock): number {
  const keys = (root.children ?? []).map(keyOf);
  const order = BLOCKS.indexOf(block);
  const previous = BLOCKS.slice(0, order).findLast((other) => keys.includes(other));
  if (previous !== undefined) return behind(keys, previous);
  const next = BLOCKS.slice(order + 1).find((other) => keys.includes(other));
  return next === undefined ? keys.length : keys.indexOf(next);
}

/** Returns the index after a block and its `Meta` block. */
function behind(keys: readonly unknown[], block: DependencyBlock): number {
  const meta = keys.lastIndexOf(`${block}Meta`);
  return (meta === -1 ? keys.lastIndexOf(block) : meta) + 1;
}

function oddBlock(block: DependencyBlock): ToolError {
  return new ToolError({
    code: 'MANIFEST_INVALID',
    message: `"${block}" in the package.json is not an object of names and ranges.`,
    hint: `Make it one, such as "${block}": {}.`,
    data: { file: 'package.json', key: block },
  });
}
