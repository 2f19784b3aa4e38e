/** Returns whether a parsed value is an object in the sense of JSON and YAML: a map, not a list. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
