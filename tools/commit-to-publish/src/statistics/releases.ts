/** A value with the release that it came with: changes of one release share its end, so they are not independent. */
export interface ClusteredValue {
  readonly value: number;
  /** The release. */
  readonly cluster: string;
}

/** Values in ascending order, each with its release. */
export interface Releases {
  readonly values: Float64Array;
  /** The release of each value, from 0 in the order of their names. */
  readonly releaseOf: Uint32Array;
  /** How many values each release has. */
  readonly sizes: Uint32Array;
}

/** Returns the same for the same values in any order. */
export function sortIntoReleases(values: readonly ClusteredValue[]): Releases {
  const numbers = new Map([...new Set(values.map(({ cluster }) => cluster))].sort().map((cluster, number) => [cluster, number]));
  const sorted = [...values].sort((a, b) => a.value - b.value);
  const releaseOf = Uint32Array.from(sorted, ({ cluster }) => numbers.get(cluster) ?? 0);
  const sizes = new Uint32Array(numbers.size);
  for (const release of releaseOf) sizes[release] = (sizes[release] ?? 0) + 1;
  return { values: Float64Array.from(sorted, ({ value }) => value), releaseOf, sizes };
}

/** Returns how many of the ascending values are not above a limit. */
export function countUpTo(sorted: Float64Array, limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
