import { createHash } from 'node:crypto';
import type { ObjectId } from '@tributary/model/ids';

/** SHA-256 over the lines `<name> <id>` of these tags, sorted: a clone that gives the same digest holds these very tags and no other. */
export function digestTags(tags: readonly { readonly name: string; readonly id: ObjectId }[]): string {
  const lines = tags.map(({ name, id }) => `${name} ${id}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}
