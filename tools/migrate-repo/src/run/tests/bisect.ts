/** With culprits and rest taken back it passes. */
export interface Found<T> {
  readonly state: 'found';
  /** Each of them is needed. */
  readonly culprits: readonly T[];
  /** Some of them may be needed too: the search was at its limit. */
  readonly rest: readonly T[];
}

/** What came of a search for the changes that make the difference. `not these`: with all of them taken back it still fails. */
export type Bisection<T> = Found<T> | { readonly state: 'not these' };

/**
 * Finds out which changes make a test fail. `passes`: whether it passes with these taken back. Searches for the shortest beginning of the list
 * that passes: its last change is needed. Goes on in front of it until the needed ones pass alone. Asks about once for each of them and each
 * halving of the list, and `limit` times at most; what is left then is returned as the rest. A change that is taken back may itself do
 * harm without another one: so of several that are found, each is tried alone at the end.
 */
export async function bisect<T>(
  changes: readonly T[],
  passes: (takenBack: readonly T[]) => Promise<boolean>,
  limit: number,
): Promise<Bisection<T>> {
  if (changes.length === 0 || !(await passes(changes))) return { state: 'not these' };
  let asked = 1;
  const ask = (some: readonly T[]): Promise<boolean> => {
    asked++;
    return passes(some);
  };
  let needed: readonly T[] = [];
  // With these and the needed ones it passes.
  let rest = changes;
  while (rest.length > 0) {
    let failing = 0;
    while (rest.length - failing > 1 && asked < limit) {
      const middle = Math.floor((failing + rest.length) / 2);
      if (await ask([...rest.slice(0, middle), ...needed])) rest = rest.slice(0, middle);
      else failing = middle;
    }
    if (rest.length - failing > 1) break;
    needed = [...rest.slice(-1), ...needed];
    rest = rest.slice(0, -1);
    if (rest.length > 0 && asked >= limit) break;
    if (rest.length > 0 && (await ask(needed))) rest = [];
  }
  if (rest.length > 0) return { state: 'found', culprits: needed, rest };
  for (const one of needed.length > 1 ? needed : [])
    if (asked < limit && (await ask([one]))) return { state: 'found', culprits: [one], rest: [] };
  return { state: 'found', culprits: needed, rest: [] };
}
