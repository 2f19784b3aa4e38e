import type { ObjectId } from '@tributary/model/ids';
import type { RawChange } from '../parse.js';
import { NotPlain } from './not-plain.js';
import type { StoredObjects } from './objects.js';

/** An entry of a tree, and where the next one begins. */
interface Entry {
  readonly mode: string;
  /** Latin-1, a code unit for each byte; of a folder with a slash at the end, as git sorts them. */
  readonly name: string;
  readonly id: ObjectId;
  readonly next: number;
}

const NOTHING = Buffer.alloc(0);
const ABSENT = { mode: '000000', id: '0'.repeat(40) };
const FOLDER = '040000';
/** More than this git compares faster. */
const MOST_TREES = 4000;

/** What differs between two trees, as `diff-tree -r --raw --no-renames` says it. Throws `NotPlain`. */
export function diffTrees(objects: StoredObjects, from: ObjectId, to: ObjectId): readonly RawChange[] {
  const diff = new TreeDiff(objects);
  diff.compare(from, to, '');
  return diff.changes;
}

class TreeDiff {
  readonly changes: RawChange[] = [];
  private readonly objects: StoredObjects;
  private trees = 0;

  constructor(objects: StoredObjects) {
    this.objects = objects;
  }

  compare(from: ObjectId | undefined, to: ObjectId | undefined, folder: string): void {
    if (from === to) return;
    let [old, now] = [this.read(from), this.read(to)];
    for (;;) {
      const equal = equalEntries(old, now);
      const [a, b] = [entryAt(old, equal), entryAt(now, equal)];
      if (a === undefined && b === undefined) return;
      const isOld = a !== undefined && (b === undefined || a.name <= b.name);
      const isNew = b !== undefined && (a === undefined || b.name <= a.name);
      this.note(isOld ? a : undefined, isNew ? b : undefined, folder);
      old = old.subarray(isOld ? a.next : equal);
      now = now.subarray(isNew ? b.next : equal);
    }
  }

  private read(tree: ObjectId | undefined): Buffer {
    if (this.trees++ > MOST_TREES) throw new NotPlain('a large difference');
    return tree === undefined ? NOTHING : this.objects.readAs('tree', tree);
  }

  /** The entries of one name on both sides; a folder and a file of one name are two. */
  private note(a: Entry | undefined, b: Entry | undefined, folder: string): void {
    const name = a?.name ?? b?.name ?? '';
    if (a?.id === b?.id && a?.mode === b?.mode) return;
    if (name.endsWith('/')) this.compare(a?.id, b?.id, folder + name);
    else {
      const [from, to] = [a ?? ABSENT, b ?? ABSENT];
      const path = Buffer.from(folder + name, 'latin1').toString('utf8');
      this.changes.push({ oldMode: from.mode, newMode: to.mode, oldId: from.id, newId: to.id, path });
    }
  }
}

/** How many bytes of entries are the same at the start: compared all at once, for a large folder may have a thousand of them. */
function equalEntries(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length);
  let equal = 0;
  for (let step = 2 ** Math.floor(Math.log2(length + 1)); step >= 32; step /= 2) {
    if (equal + step <= length && a.compare(b, equal, equal + step, equal, equal + step) === 0) equal += step;
  }
  if (a.length === b.length && a.equals(b)) return a.length;
  let start = 0;
  for (let next = endOfEntry(a, 0); next <= equal && next > start; next = endOfEntry(a, start)) start = next;
  return start;
}

function endOfEntry(tree: Buffer, at: number): number {
  const end = at < tree.length ? tree.indexOf(0, at) : -1;
  return end === -1 ? at : end + 21;
}

function entryAt(tree: Buffer, at: number): Entry | undefined {
  if (at >= tree.length) return undefined;
  const space = tree.indexOf(0x20, at);
  const end = tree.indexOf(0, space);
  if (space < 0 || end < 0 || end + 21 > tree.length) throw new NotPlain('a tree that ends early');
  const mode = usualMode(Number.parseInt(tree.toString('latin1', at, space), 8));
  const name = tree.toString('latin1', space + 1, end);
  return { mode, name: mode === FOLDER ? `${name}/` : name, id: tree.toString('hex', end + 1, end + 21) as ObjectId, next: end + 21 };
}

/** Old tools wrote other permissions; git goes by the type, and of files by whether their owner may run them. */
function usualMode(mode: number): string {
  const type = mode & 0o170000;
  if (type === 0o100000) return mode & 0o100 ? '100755' : '100644';
  if (type === 0o040000) return FOLDER;
  return type === 0o120000 ? '120000' : '160000';
}
