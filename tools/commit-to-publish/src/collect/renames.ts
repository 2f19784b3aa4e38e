/** What packages are called now, by any name that they had. */
export type NameNow = (name: string) => string;

/** Follows names from one to the next; of a circle the name stays that is asked for. `pairs`: former name, later name. */
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
