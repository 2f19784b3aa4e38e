import type { ObjectId } from '@tributary/model/ids';
import { Ancestry } from './ancestry.js';

/** The minimum length of an abbreviated id. git's own are not shorter. */
const SHORTEST_ID = 7;

/**
 * Finds the new ids of quoted ids in messages. Only ancestors of the quoting commit count, so the result does not
 * depend on any other commit of the source, now or later.
 */
export class QuotedIds {
  private readonly ancestry = new Ancestry();
  private readonly images = new Map<ObjectId, ObjectId>();
  private readonly byId = new Map<string, ObjectId[]>();
  private readonly byImage = new Map<string, ObjectId[]>();

  /** Adds a commit of the source, parents first. `image` is its new commit; `undefined` if it has none of its own. */
  add(id: ObjectId, parents: readonly ObjectId[], image: ObjectId | undefined): void {
    this.ancestry.add(id, parents);
    append(this.byId, id, id);
    if (image === undefined) return;
    this.images.set(id, image);
    append(this.byImage, image, id);
  }

  /**
   * Returns the new id, as long as the quoted one, or longer if it would be ambiguous; `undefined` unless the quoted
   * one names exactly one ancestor.
   */
  newId(quoted: string, parents: readonly ObjectId[]): string | undefined {
    const named = this.byId.get(quoted.slice(0, SHORTEST_ID))?.filter((id) => id.startsWith(quoted)) ?? [];
    const [one, ...others] = named.filter((id) => this.ancestry.reaches(parents, id));
    const image = one === undefined || others.length > 0 ? undefined : this.images.get(one);
    if (image === undefined) return undefined;
    const similar = this.byImage.get(image.slice(0, SHORTEST_ID))?.filter((id) => this.images.get(id) !== image) ?? [];
    const near = similar.filter((id) => this.ancestry.reaches(parents, id)).map((id) => this.images.get(id) ?? '');
    return image.slice(0, Math.max(quoted.length, ...near.map((other) => 1 + sharedLength(image, other))));
  }
}

function append(index: Map<string, ObjectId[]>, key: ObjectId, id: ObjectId): void {
  const prefix = key.slice(0, SHORTEST_ID);
  const known = index.get(prefix);
  if (known === undefined) index.set(prefix, [id]);
  else known.push(id);
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
