/** Consecutive slices of a list, so that a history of any length is held a part at a time. */
export function* slices<T>(list: readonly T[], size = 8192): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}
