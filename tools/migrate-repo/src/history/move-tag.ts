import type { ObjectId } from '@tributary/model/ids';
import type { MessageMapping } from '@tributary/model/message-mapping';
import { moveTagBody } from './move-body.js';
import type { TagLink } from './source-history.js';
import { formatTagObject } from './tag-object.js';

/** A tag object under its new name. */
export interface MovedTag {
  readonly content: Buffer;
  /** The number of signatures that the move invalidates. */
  readonly signatures: number;
}

/** Returns a tag object that points to `object`. A tag that does not change, including its name, keeps its signature. */
export function moveTag(link: TagLink, object: ObjectId, messages: MessageMapping): MovedTag {
  const isSame = object === link.object && link.newName === link.name;
  const moved = isSame ? { rest: link.rest, signatures: 0 } : moveTagBody(link.rest);
  const rest = messages === 'exact' ? link.rest : moved.rest;
  return { content: formatTagObject({ ...link, object, name: link.newName, rest }), signatures: moved.signatures };
}
