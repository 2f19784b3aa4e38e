/** One commit in the oracle's view. */
export interface OracleSide {
  /** Path → a value that differs if mode or content differ. */
  readonly files: ReadonlyMap<string, string>;
  /** The content of a file; `undefined` if there is none. */
  text(path: string): string | undefined;
}

/** Returns the paths that differ between two sides, without rename detection. */
export function changedPaths(base: OracleSide, head: OracleSide): Set<string> {
  const paths = new Set([...base.files.keys(), ...head.files.keys()]);
  return new Set([...paths].filter((path) => base.files.get(path) !== head.files.get(path)));
}

/** Returns a side whose files are in memory. */
export function sideOf(files: Readonly<Record<string, string>>): OracleSide {
  const map = new Map(Object.entries(files));
  return { files: map, text: (path) => map.get(path) };
}

export type Json = Readonly<Record<string, unknown>>;

/** Returns the object that a JSON file holds; `undefined` for everything else. */
export function readJson(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return asObject(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    return undefined;
  }
}

/** Returns the value if it is an object and not a list. */
export function asObject(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

/** Returns those entries of an object whose values are texts. */
export function textsIn(value: unknown): [string, string][] {
  return Object.entries(asObject(value) ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

/** Returns the texts of a list. */
export function listIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Returns a value if it is a text, else an empty text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
