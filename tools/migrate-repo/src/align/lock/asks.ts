/** Name of a package -> what any of its versions asks for, as a dependency or as a peer that must be there, by the names it uses. */
export type Asks = ReadonlyMap<string, ReadonlySet<string>>;

/** A package of a lockfile. */
export interface Asker {
  /** Its name, and the aliases that it is asked for under. */
  readonly names: Iterable<string>;
  readonly asked: Iterable<string>;
}

export function collectAsks(askers: Iterable<Asker>): Asks {
  const asks = new Map<string, Set<string>>();
  for (const { names, asked } of askers) {
    const all = [...asked];
    for (const name of names) {
      const known = asks.get(name) ?? new Set<string>();
      asks.set(name, known);
      for (const one of all) known.add(one);
    }
  }
  return asks;
}

/** Whether a package is asked for by some of these, or by what they ask for. Those that are no packages of the lockfile ask for nothing. */
export function isAskedBy(wanted: string, from: Iterable<string>, asks: Asks): boolean {
  const seen = new Set(from);
  for (const name of seen) {
    if (asks.get(name)?.has(wanted) === true) return true;
    for (const next of asks.get(name) ?? []) seen.add(next);
  }
  return false;
}
