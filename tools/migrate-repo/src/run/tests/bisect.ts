/** With culprits and rest reverted, the test passes. */
export interface Found<T> {
  readonly state: 'found';
  /** Each of them is needed. */
  readonly culprits: readonly T[];
  /** Some of them may also be needed: the search reached its limit. */
  readonly rest: readonly T[];
}

/** The result of searching for the decisive changes. `not these`: it fails even with all of them reverted. */
export type Bisection<T> = Found<T> | { readonly state: 'not these' };

/**
 * Finds the changes that make a test fail. `passes` returns whether it passes with the given changes reverted.
 *
 * Searches for the shortest prefix of the list that passes; its last change is needed. Continues before that change
 * until the needed ones pass alone. Runs about one test for each needed change and each halving, and at most `limit`;
 * the rest is then returned as such.
 *
 * Reverting one change without another may itself break the test. So if several are found, each is tried alone at the
 * end.
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
  // With these and the needed ones reverted, it passes.
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
