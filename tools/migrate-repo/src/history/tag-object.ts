import type { ObjectType } from '@tributary/git/object-id';
import type { ObjectId } from '@tributary/model/ids';

/** An annotated tag, split where a move changes it. */
export interface TagParts {
  readonly object: ObjectId;
  readonly type: ObjectType;
  /** Bytes as Latin-1 text. */
  readonly name: string;
  /** Everything after the name, byte for byte: tagger, message, signature. */
  readonly rest: Buffer;
}

/** Parses a tag object. Throws a plain error if it is invalid, although git has checked it before. */
export function parseTagObject(content: Buffer): TagParts {
  const match = /^object ([0-9a-f]+)\ntype (commit|tree|blob|tag)\ntag ([^\n]*)\n/.exec(content.toString('latin1'));
  if (match === null) throw new Error('a tag object does not start with object, type and tag');
  const [header, object = '', type = '', name = ''] = match;
  return { object: object as ObjectId, type: type as ObjectType, name, rest: content.subarray(header.length) };
}

/** The inverse of `parseTagObject`. */
export function formatTagObject(parts: TagParts): Buffer {
  return Buffer.concat([Buffer.from(`object ${parts.object}\ntype ${parts.type}\ntag ${parts.name}\n`, 'latin1'), parts.rest]);
}
