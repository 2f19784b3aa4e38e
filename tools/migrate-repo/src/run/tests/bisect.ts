/** What came of a search for the changes that make the difference. */
export type Bisection<T> =
  /** With these taken back it passes; fewer of them were not enough, as far as halves were tried. */
  | { readonly state: 'found'; readonly culprits: readonly T[] }
  /** With all of them taken back it still fails. */
  | { readonly state: 'not these' };

/**
 * Finds out which changes make a test fail, by taking half of them back at a time. `passes`: whether it passes with these taken back. Where
 * neither half is enough alone, both stay suspects. Asks about twice the logarithm of their number, and `limit` times at most.
 */
export async function bisect<T>(
  changes: readonly T[],
  passes: (takenBack: readonly T[]) => Promise<boolean>,
  limit: number,
): Promise<Bisection<T>> {
  if (changes.length === 0 || !(await passes(changes))) return { state: 'not these' };
  let culprits = changes;
  let asked = 1;
  const ask = (some: readonly T[]): Promise<boolean> => {
    asked++;
    return passes(some);
  };
  while (culprits.length > 1 && asked < limit) {
    const half = Math.ceil(culprits.length / 2);
    const [first, second] = [culprits.slice(0, half), culprits.slice(half)];
    if (await ask(first)) culprits = first;
    else if (asked < limit && (await ask(second))) culprits = second;
    else break;
  }
  return { state: 'found', culprits };
}
