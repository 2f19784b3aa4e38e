import { isPlainObject } from '@tributary/model/plain-object';

/** Whether the order of a map's keys matters. In a list the order always matters. */
export type KeyOrder = 'counts' | 'is free';

/** Returns whether two parsed JSON or YAML values, without cycles, are equal. */
export function isSameValue(a: unknown, b: unknown, order: KeyOrder): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [entriesOf(a, order), entriesOf(b, order)];
  return (
    left.length === right.length &&
    left.every(([key, value], index) => key === right[index]?.[0] && isSameValue(value, right[index]?.[1], order))
  );
}

/** Returns the keys whose values differ or that only one value has, sorted. A value that is not a map has no keys. */
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
  // A list's keys are already in order, and sorted as strings they would still pair up correctly.
  return order === 'counts' ? entries : entries.sort(([a], [b]) => (a < b ? -1 : 1));
}
