/** A set of changed workspaces that several pieces share: its own indexes, and those of other sets. */
export interface ChangedSet {
  /** Indexes in `changed` of the plan, ascending. */
  readonly changed: readonly number[];
  /** Indexes in the list of sets, all before this one. */
  readonly sets: readonly number[];
}

/**
 * Returns sets that represent the same lists of indexes in less space, because dependents see whatever their dependencies see. If thousands
 * of workspaces changed, the lists alone would take many megabytes. `of`: for each list its index among the sets.
 */
export function shareSets(lists: readonly (readonly number[])[]): { readonly sets: readonly ChangedSet[]; readonly of: readonly number[] } {
  const keys = lists.map((list) => list.join());
  const distinct = [...new Map(keys.map((key, at) => [key, lists[at] ?? []]))].sort(([, a], [, b]) => a.length - b.length);
  const inOrder = distinct.map(([, list]) => list);
  /** By index, the smallest set that contains it; usually that of the workspace itself. */
  const smallest = new Map<number, number>();
  const sets = inOrder.map((list, at) => {
    const set = cover(list, inOrder, smallest);
    for (const place of list) if (!smallest.has(place)) smallest.set(place, at);
    return set;
  });
  const places = new Map(distinct.map(([key], at) => [key, at]));
  return { sets, of: keys.map((key) => places.get(key) ?? 0) };
}

/** Covers a list with the largest earlier sets that contain nothing else; the remaining indexes are its own. */
function cover(list: readonly number[], earlier: readonly (readonly number[])[], smallest: ReadonlyMap<number, number>): ChangedSet {
  const all = new Set(list);
  const open = new Set(list);
  const sets: number[] = [];
  for (const place of list.toSorted((a, b) => (smallest.get(b) ?? -1) - (smallest.get(a) ?? -1))) {
    const at = smallest.get(place);
    if (at === undefined || !open.has(place)) continue;
    const other = earlier[at] ?? [];
    if (other.length < 2 || !other.every((one) => all.has(one))) continue;
    sets.push(at);
    for (const one of other) open.delete(one);
  }
  return { changed: [...open], sets };
}

/** Returns the indexes of a set and of all sets in it, ascending. */
export function placesOf(set: number, sets: readonly ChangedSet[]): readonly number[] {
  const found = new Set<number>();
  const reached = new Set([set]);
  for (const at of reached) {
    for (const place of sets[at]?.changed ?? []) found.add(place);
    for (const other of sets[at]?.sets ?? []) reached.add(other);
  }
  return [...found].sort((a, b) => a - b);
}
