/** A set of changed workspaces that several pieces depend on: places of its own, and all of other sets. */
export interface ChangedSet {
  /** Places in `changed` of the plan, ascending. */
  readonly changed: readonly number[];
  /** Places in the list of sets, each before this one. */
  readonly sets: readonly number[];
}

/**
 * Sets that say the same as lists of places in fewer words: whoever depends on a workspace sees what that one sees. Of thousands of workspaces that
 * all changed, the lists alone would be many megabytes. `of`: for each list its place among the sets.
 */
export function shareSets(lists: readonly (readonly number[])[]): { readonly sets: readonly ChangedSet[]; readonly of: readonly number[] } {
  const keys = lists.map((list) => list.join());
  const distinct = [...new Map(keys.map((key, at) => [key, lists[at] ?? []]))].sort(([, a], [, b]) => a.length - b.length);
  const inOrder = distinct.map(([, list]) => list);
  /** By place, the smallest set with it: mostly that of the workspace itself. */
  const smallest = new Map<number, number>();
  const sets = inOrder.map((list, at) => {
    const set = cover(list, inOrder, smallest);
    for (const place of list) if (!smallest.has(place)) smallest.set(place, at);
    return set;
  });
  const places = new Map(distinct.map(([key], at) => [key, at]));
  return { sets, of: keys.map((key) => places.get(key) ?? 0) };
}

/** The largest sets first that have nothing else in them; what is left stands by itself. */
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

/** The places of a set and of all in it, ascending. */
export function placesOf(set: number, sets: readonly ChangedSet[]): readonly number[] {
  const found = new Set<number>();
  const reached = new Set([set]);
  for (const at of reached) {
    for (const place of sets[at]?.changed ?? []) found.add(place);
    for (const other of sets[at]?.sets ?? []) reached.add(other);
  }
  return [...found].sort((a, b) => a - b);
}
