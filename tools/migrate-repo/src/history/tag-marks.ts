import { createHash } from 'node:crypto';
import type { ObjectId } from '@tributary/model/ids';

/** A tag's name and the value of its ref. */
export interface NamedTag {
  readonly name: string;
  readonly id: ObjectId;
}

// Four bytes of a hash of the name, six of a hash of name and id: short enough for a trailer, long enough for the tags of one repository.
const NAME_BYTES = 4;
const ID_BYTES = 6;

/**
 * Returns the marks of tags, sorted and joined, in base64url, for the import record. They show for each tag of a clone
 * whether the import brought it, regardless of later tags.
 */
export function markTags(tags: readonly NamedTag[]): string {
  return Buffer.concat(tags.map(markOf).sort((a, b) => a.compare(b))).toString('base64url');
}

/** Returns which tags of a clone an import brought, and which have the name of such a tag but hold something else now. */
export function compareTags<T extends NamedTag>(marks: string, here: readonly T[]): { readonly came: T[]; readonly moved: T[] } {
  const bytes = Buffer.from(marks, 'base64url');
  const known = new Map<string, Set<string>>();
  for (let at = 0; at < bytes.length; at += NAME_BYTES + ID_BYTES) {
    const [name, id] = split(bytes.subarray(at, at + NAME_BYTES + ID_BYTES));
    known.set(name, (known.get(name) ?? new Set()).add(id));
  }
  const came: T[] = [];
  const moved: T[] = [];
  for (const tag of here) {
    const [name, id] = split(markOf(tag));
    const ids = known.get(name);
    if (ids !== undefined) (ids.has(id) ? came : moved).push(tag);
  }
  return { came, moved };
}

/** Returns a digest of the tags of a source, in any order: the same only for the same names and ids. */
export function digestTags(tags: readonly NamedTag[]): string {
  const lines = tags.map(({ name, id }) => `${id} ${name}\n`).sort();
  return hash(lines.join('')).toString('base64url');
}

function markOf({ name, id }: NamedTag): Buffer {
  return Buffer.concat([hash(name).subarray(0, NAME_BYTES), hash(`${name} ${id}`).subarray(0, ID_BYTES)]);
}

function split(mark: Buffer): readonly [string, string] {
  return [mark.toString('hex', 0, NAME_BYTES), mark.toString('hex', NAME_BYTES)];
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
