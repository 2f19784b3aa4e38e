import type { ObjectId } from '@tributary/model/ids';

/** A tag of a source with its new name. */
interface RenamedTag {
  readonly name: string;
  readonly newName: string;
  /** The value of its ref. */
  readonly id: ObjectId;
  /** The object that it points to, if `id` is a tag object. */
  readonly target?: ObjectId | undefined;
}

/**
 * Of tags that get the same name and lead to the same commit, such as `v3.0.0` and `pad@3.0.0`, one: the one with a message of its own, else the one that already has the name so.
 * In their order.
 */
export function oneOfEach<T extends RenamedTag>(tags: readonly T[]): readonly T[] {
  const kept = new Map<string, T>();
  for (const tag of tags) {
    const key = `${tag.newName}\0${targetOf(tag)}`;
    const other = kept.get(key);
    if (other === undefined || rankOf(tag) > rankOf(other)) kept.set(key, tag);
  }
  const chosen = new Set(kept.values());
  return tags.filter((tag) => chosen.has(tag));
}

function rankOf(tag: RenamedTag): number {
  return (targetOf(tag) === tag.id ? 0 : 2) + (tag.name === tag.newName ? 1 : 0);
}

function targetOf({ id, target }: RenamedTag): ObjectId {
  return target ?? id;
}
