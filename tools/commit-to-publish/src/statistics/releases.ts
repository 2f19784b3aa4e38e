/** A value with its release. Changes of one release share their end, so they are not independent. */
export interface ClusteredValue {
  readonly value: number;
  /** The release. */
  readonly cluster: string;
}

/** Values in ascending order, each with its release. */
export interface Releases {
  readonly values: Float64Array;
  /** The number of the release of each value, from 0 in the order of their names. */
  readonly releaseOf: Uint32Array;
  /** The number of values of each release. */
  readonly sizes: Uint32Array;
}

/** Sorts values into releases. The result does not depend on their order. */
export function sortIntoReleases(values: readonly ClusteredValue[]): Releases {
  const numbers = new Map([...new Set(values.map(({ cluster }) => cluster))].sort().map((cluster, number) => [cluster, number]));
  const sorted = [...values].sort((a, b) => a.value - b.value);
  const releaseOf = Uint32Array.from(sorted, ({ cluster }) => numbers.get(cluster) ?? 0);
  const sizes = new Uint32Array(numbers.size);
  for (const release of releaseOf) sizes[release] = (sizes[release] ?? 0) + 1;
  return { values: Float64Array.from(sorted, ({ value }) => value), releaseOf, sizes };
}

/** Ascending values, each with its release number and the week in which it counts. */
interface TimedReleases {
  readonly week: Float64Array;
  readonly value: Float64Array;
  readonly release: Float64Array;
}

/**
 * Returns the releases of the weeks `from` up to, but not including, `to`. It filters sorted values, so that no week needs sorting again.
 */
export function releasesOfWeeks(
  { week, value, release }: TimedReleases,
  { from, to }: { readonly from: number; readonly to: number },
): Releases {
  const indexes: number[] = [];
  // There are no more releases than changes.
  const sizeOf = new Uint32Array(week.length);
  for (let at = 0; at < week.length; at++) {
    if ((week[at] ?? 0) < from || (week[at] ?? 0) >= to) continue;
    indexes.push(at);
    sizeOf[release[at] ?? 0] = (sizeOf[release[at] ?? 0] ?? 0) + 1;
  }
  const numbers = new Uint32Array(week.length);
  let count = 0;
  for (const [old, size] of sizeOf.entries()) if (size > 0) numbers[old] = count++;
  const values = new Float64Array(indexes.length);
  const releaseOf = new Uint32Array(indexes.length);
  for (const [position, at] of indexes.entries()) {
    values[position] = value[at] ?? 0;
    releaseOf[position] = numbers[release[at] ?? 0] ?? 0;
  }
  return { values, releaseOf, sizes: sizeOf.filter((size) => size > 0) };
}

/** Returns how many of the ascending values do not exceed a limit. */
export function countUpTo(sorted: Float64Array, limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
