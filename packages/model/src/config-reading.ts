/** The keys and list indexes that lead from the top of the file to a value. */
export type KeyPath = readonly (string | number)[];

/** Reports the first error in a file; it must throw. It knows the file, so it can name the line. */
export type ConfigFailure = (path: KeyPath, message: string) => never;

/** The position of the value that is read. */
export interface ConfigLocation {
  readonly path: KeyPath;
  readonly fail: ConfigFailure;
}

/** Returns the value as an object. Fails for keys that are not in `keys`. */
export function readObject(
  value: unknown,
  at: { path: KeyPath; keys?: readonly string[]; fail: ConfigFailure },
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return at.fail(at.path, `must be an object, not ${describeValue(value)}`);
  const unknown = at.keys === undefined ? undefined : Object.keys(value).find((key) => !at.keys?.includes(key));
  if (unknown !== undefined)
    at.fail([...at.path, unknown], `is not a known key; known here: ${at.keys?.filter((key) => key !== '$schema').join(', ')}`);
  return value as Record<string, unknown>;
}

type ReadValue<Value> = (value: unknown, at: ConfigLocation) => Value;

/**
 * Returns a reader for the keys of a block: it reads a value, or returns the standard one if the key is missing. Fails for keys that
 * `standard` lacks.
 */
export function readBlock<Block extends object>(
  value: unknown,
  { path, fail }: ConfigLocation,
  standard: Block,
): <Key extends keyof Block & string>(key: Key, read: ReadValue<Block[Key]>) => Block[Key] {
  const block = readObject(value, { path, keys: Object.keys(standard), fail });
  return (key, read) => (block[key] === undefined ? standard[key] : read(block[key], { path: [...path, key], fail }));
}

/** Returns an object whose keys are names, each value read with `read`. */
export function readByName<Value>(
  value: unknown,
  { path, fail }: ConfigLocation,
  read: (value: unknown, at: ConfigLocation, name: string) => Value,
): Readonly<Record<string, Value>> {
  const entries = Object.entries(readObject(value, { path, fail }));
  return byName(entries.map(([name, one]) => [name, read(one, { path: [...path, name], fail }, name)]));
}

/** Returns the value as a non-empty string. */
export function readText(value: unknown, at: { path: KeyPath; fail: ConfigFailure }): string {
  if (typeof value !== 'string' || value === '') return at.fail(at.path, `must be a non-empty string, not ${describeValue(value)}`);
  return value;
}

/** Returns what is wrong with a pattern, as a sentence ending that follows its name; `undefined` if it is valid. */
export function findPatternFlaw(pattern: string, holes: readonly string[]): string | undefined {
  const odd = [...pattern.matchAll(/\{([^}]*)\}/g)].find((hole) => !holes.includes(hole[1] ?? ''));
  return odd === undefined ? undefined : `has ${odd[0]}, which is unknown here; known: ${holes.map((hole) => `{${hole}}`).join(', ')}`;
}

/** Returns the value as a string in which only the placeholders of `holes` are in braces. */
export function readPattern(value: unknown, at: { path: KeyPath; holes: readonly string[]; fail: ConfigFailure }): string {
  const text = readText(value, at);
  const flaw = findPatternFlaw(text, at.holes);
  return flaw === undefined ? text : at.fail(at.path, flaw);
}

export function readList(value: unknown, at: ConfigLocation): readonly unknown[] {
  return Array.isArray(value) ? value : at.fail(at.path, `must be a list, not ${describeValue(value)}`);
}

/** Returns the value as a list of strings, each read with `read`. */
export function readTexts(
  value: unknown,
  at: ConfigLocation,
  read: (text: unknown, at: ConfigLocation) => string = readText,
): readonly string[] {
  return readList(value, at).map((text, index) => read(text, { path: [...at.path, index], fail: at.fail }));
}

/** Returns a reader for a value that is one of `choices`. */
export function oneOf<T extends string>(...choices: readonly T[]): ReadValue<T> {
  return (value, at) => {
    const found = choices.find((choice) => choice === value);
    return found ?? at.fail(at.path, `must be one of ${choices.map((choice) => `"${choice}"`).join(', ')}, not ${describeValue(value)}`);
  };
}

export function readFlag(value: unknown, at: ConfigLocation): boolean {
  return typeof value === 'boolean' ? value : at.fail(at.path, `must be true or false, not ${describeValue(value)}`);
}

/** Returns an object without a prototype: a package may be named `constructor`. */
export function byName<Value>(values: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null), Object.fromEntries(values));
}

/** Returns how a message refers to a value. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value === '') return 'an empty one';
  return typeof value === 'object' ? 'an object' : `${JSON.stringify(value)}`;
}
