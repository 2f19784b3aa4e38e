import type { ObjectId } from '@tributary/model/ids';

/** The hash function of a repository's object ids. */
export type ObjectFormat = 'sha1' | 'sha256';

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

/** One object as git stores it, without its header. */
export interface GitObject {
  readonly id: ObjectId;
  readonly type: ObjectType;
  readonly content: Buffer;
}

/** The object that a name such as `<commit>:package.json` refers to. */
export interface NamedObject {
  readonly id: ObjectId;
  readonly type: ObjectType;
  readonly size: number;
}

/** Returns git's id of an object (gitformat-loose-objects: type, length, NUL, content). */
export function hashObject(format: ObjectFormat, type: ObjectType, content: Uint8Array): ObjectId {
  // Loaded on demand: that takes two milliseconds.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash(format).update(`${type} ${content.length}\0`).update(content).digest('hex') as ObjectId;
}

export function makeObject(format: ObjectFormat, type: ObjectType, content: Buffer): GitObject {
  return { id: hashObject(format, type, content), type, content };
}

export function emptyTreeId(format: ObjectFormat): ObjectId {
  return hashObject(format, 'tree', Buffer.alloc(0));
}

/** Returns the length of an id in hexadecimal digits. */
export function idLength(format: ObjectFormat): number {
  return format === 'sha1' ? 40 : 64;
}
