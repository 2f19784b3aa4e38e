/** Returns the current name of a package, given any former name. */
export type NameNow = (name: string) => string;

/** Follows renames to the last name; a name in a cycle stays as it is. `pairs`: former name, later name. */
export function renamesOf(pairs: readonly (readonly [former: string, later: string])[]): NameNow {
  const later = new Map(pairs);
  return (name) => {
    const seen = new Set([name]);
    let now = name;
    for (let next = later.get(now); next !== undefined; next = later.get(now)) {
      if (seen.has(next)) return name;
      seen.add(next);
      now = next;
    }
    return now;
  };
}
