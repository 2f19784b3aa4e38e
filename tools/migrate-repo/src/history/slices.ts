/** Yields consecutive slices of a list, so that only part of a history is in memory. */
export function* slices<T>(list: readonly T[], size = 8192): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}
