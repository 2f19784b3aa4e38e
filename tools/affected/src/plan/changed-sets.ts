import type { ChangedFile } from '@tributary/model/changeset';
import type { HashingFacts } from './hashed-files.js';
import type { ChangedFiles, Piece } from './plan.js';

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

/** The changed files for the pieces whose result may come from a cache, each workspace once. */
export class Changed {
  readonly all: readonly ChangedFiles[];
  readonly sets: readonly ChangedSet[];
  /** By the name of such a piece's workspace, an index in `sets`. */
  private readonly indexes: ReadonlyMap<string, number>;

  /** `seen`: by the name of such a workspace, the workspaces whose changed files its tests may see. */
  constructor({ changed }: HashingFacts, seen: ReadonlyMap<string, readonly string[]>) {
    const workspaces = [...new Set([...seen.values()].flat())].sort();
    const indexes = new Map(workspaces.map((name, at) => [name, at]));
    this.all = workspaces.map((workspace) => ({
      workspace,
      files: (changed.get(workspace) ?? []).filter(isThereStill).map(({ path }) => path),
    }));
    const { sets, of } = shareSets(
      [...seen.values()].map((others) => others.flatMap((other) => indexes.get(other) ?? []).sort((a, b) => a - b)),
    );
    this.sets = sets;
    this.indexes = new Map([...seen.keys()].map((name, at) => [name, of[at] ?? 0]));
  }

  of(workspace: string): Pick<Piece, 'fresh' | 'changed'> {
    const changed = this.indexes.get(workspace);
    return changed === undefined ? { fresh: true } : { fresh: false, changed };
  }
}

function isThereStill({ status }: ChangedFile): boolean {
  return status !== 'deleted';
}
