import { isPlainObject } from '@tributary/model/plain-object';

/** Whether the keys of a map say something by their order. In a list the order always counts. */
export type KeyOrder = 'counts' | 'is free';

/** Whether two parsed JSON or YAML values, without cycles, are the same. */
export function isSameValue(a: unknown, b: unknown, order: KeyOrder): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [entriesOf(a, order), entriesOf(b, order)];
  return (
    left.length === right.length &&
    left.every(([key, value], place) => key === right[place]?.[0] && isSameValue(value, right[place]?.[1], order))
  );
}

/** The keys whose value is not the same in both, or that only one has; sorted. What is no map has no keys. */
export function changedKeys(base: unknown, head: unknown, orderOf: (key: string) => KeyOrder): readonly string[] {
  const [before, after] = [mapOf(base), mapOf(head)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.has(key) !== after.has(key) || !isSameValue(before.get(key), after.get(key), orderOf(key)))
    .sort();
}

function mapOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isPlainObject(value) ? Object.entries(value) : []);
}

function entriesOf(value: object, order: KeyOrder): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(value);
  // A list has its keys in the order of its places already, and sorted as texts they would still be paired rightly.
  return order === 'counts' ? entries : entries.sort(([a], [b]) => (a < b ? -1 : 1));
}
