import type { ObjectId } from '@tributary/model/ids';

/** How a repository names its objects. */
export type ObjectFormat = 'sha1' | 'sha256';

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

/** One object as git stores it, without its header. */
export interface GitObject {
  readonly id: ObjectId;
  readonly type: ObjectType;
  readonly content: Buffer;
}

/** What a name such as `<commit>:package.json` stands for. */
export interface NamedObject {
  readonly id: ObjectId;
  readonly type: ObjectType;
  readonly size: number;
}

/** The id that git gives to an object (gitformat-loose-objects: type, length, NUL, content). */
export function hashObject(format: ObjectFormat, type: ObjectType, content: Uint8Array): ObjectId {
  // Loaded when it is needed: that takes two milliseconds.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash(format).update(`${type} ${content.length}\0`).update(content).digest('hex') as ObjectId;
}

export function makeObject(format: ObjectFormat, type: ObjectType, content: Buffer): GitObject {
  return { id: hashObject(format, type, content), type, content };
}

export function emptyTreeId(format: ObjectFormat): ObjectId {
  return hashObject(format, 'tree', Buffer.alloc(0));
}

/** The length of an id in hexadecimal digits. */
export function idLength(format: ObjectFormat): number {
  return format === 'sha1' ? 40 : 64;
}
