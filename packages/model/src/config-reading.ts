/** The keys, and places in lists, that lead to a value, from the top of the file. */
export type KeyPath = readonly (string | number)[];

/** Called for the first thing that is wrong; it must throw. It knows the file, so it can name the line. */
export type ConfigFailure = (path: KeyPath, message: string) => never;

/** Where a value stands that is read. */
export interface ConfigLocation {
  readonly path: KeyPath;
  readonly fail: ConfigFailure;
}

/** An object, with no other keys than these. */
export function readObject(
  value: unknown,
  at: { path: KeyPath; keys?: readonly string[]; fail: ConfigFailure },
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return at.fail(at.path, `must be an object, not ${nameOf(value)}`);
  const unknown = at.keys === undefined ? undefined : Object.keys(value).find((key) => !at.keys?.includes(key));
  if (unknown !== undefined)
    at.fail([...at.path, unknown], `is not a known key; known here: ${at.keys?.filter((key) => key !== '$schema').join(', ')}`);
  return value as Record<string, unknown>;
}

/** A text that is not empty. */
export function readText(value: unknown, at: { path: KeyPath; fail: ConfigFailure }): string {
  if (typeof value !== 'string' || value === '') return at.fail(at.path, `must be a non-empty string, not ${nameOf(value)}`);
  return value;
}

/** What is wrong with a pattern, as the end of a sentence that begins with its name; `undefined`: nothing. */
export function findPatternFlaw(pattern: string, holes: readonly string[]): string | undefined {
  const odd = [...pattern.matchAll(/\{([^}]*)\}/g)].find((hole) => !holes.includes(hole[1] ?? ''));
  return odd === undefined ? undefined : `has ${odd[0]}, which is unknown here; known: ${holes.map((hole) => `{${hole}}`).join(', ')}`;
}

/** A text with known names in braces. */
export function readPattern(value: unknown, at: { path: KeyPath; holes: readonly string[]; fail: ConfigFailure }): string {
  const text = readText(value, at);
  const flaw = findPatternFlaw(text, at.holes);
  return flaw === undefined ? text : at.fail(at.path, flaw);
}

/** A list of anything. */
export function readList(value: unknown, at: ConfigLocation): readonly unknown[] {
  return Array.isArray(value) ? value : at.fail(at.path, `must be a list, not ${nameOf(value)}`);
}

/** A list of texts, each as `read` has it. */
export function readTexts(
  value: unknown,
  at: ConfigLocation,
  read: (text: unknown, at: ConfigLocation) => string = readText,
): readonly string[] {
  return readList(value, at).map((text, index) => read(text, { path: [...at.path, index], fail: at.fail }));
}

/** One of a few texts. */
export function readChoice<T extends string>(value: unknown, choices: readonly T[], at: ConfigLocation): T {
  const found = choices.find((choice) => choice === value);
  return found ?? at.fail(at.path, `must be one of ${choices.map((choice) => `"${choice}"`).join(', ')}, not ${nameOf(value)}`);
}

/** Without what every object has: a package may be called `constructor`. */
export function byName<Value>(values: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null), Object.fromEntries(values));
}

/** What a value is called in a message. */
export function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value === '') return 'an empty one';
  return typeof value === 'object' ? 'an object' : `${JSON.stringify(value)}`;
}
