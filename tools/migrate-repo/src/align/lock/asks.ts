/** Maps a package name to what any of its versions requests, as a dependency or a required peer, by the names it uses. */
export type Asks = ReadonlyMap<string, ReadonlySet<string>>;

/** A package of a lockfile. */
export interface Asker {
  /** Its name, and the aliases under which it is requested. */
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

/** Whether some of these packages request a package, directly or indirectly. A name that is not in the lockfile requests nothing. */
export function isAskedBy(wanted: string, from: Iterable<string>, asks: Asks): boolean {
  const seen = new Set(from);
  for (const name of seen) {
    if (asks.get(name)?.has(wanted) === true) return true;
    for (const next of asks.get(name) ?? []) seen.add(next);
  }
  return false;
}
