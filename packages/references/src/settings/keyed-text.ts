/** A string in a settings file. */
export interface KeyedText {
  /** The keys and indexes that lead to it, from the block that is read. */
  readonly keys: readonly string[];
  /** All keys and indexes from the start of the file, joined by dots. */
  readonly key: string;
  /** From 1. */
  readonly line: number;
  /** Never empty. */
  readonly text: string;
}

/** The strings of a settings file, in order. */
export interface TextsRead {
  readonly values: readonly KeyedText[];
  /** The names of members of objects, except of those that are `false`. The text is the name, and `keys` lead to the object. */
  readonly members: readonly KeyedText[];
  /** Whether all of the file was read; `false` for broken, and for absurdly deep or large files. */
  readonly isWhole: boolean;
}

/** Values below this many keys are not read: no tool has settings as deep. */
export const DEEPEST = 100;

/** Keys are repeated for each value below them, so that long ones would make a small file huge. */
const LONGEST_KEY = 200;

/** Returns a key as it is kept. */
export function shorten(key: string): string {
  return key.length > LONGEST_KEY ? key.slice(0, LONGEST_KEY) : key;
}

export function keyedText(keys: readonly string[], line: number, text: string): KeyedText {
  return { keys, key: keys.join('.'), line, text };
}

/** Returns the name of a member of the object at `keys`. */
export function memberText(keys: readonly string[], line: number, text: string): KeyedText {
  return { keys, key: [...keys, shorten(text)].join('.'), line, text };
}

/** Returns the values below some keys, whose `keys` begin there. */
export function below(values: readonly KeyedText[], ...block: readonly string[]): readonly KeyedText[] {
  return values
    .filter(({ keys }) => block.every((key, at) => keys[at] === key))
    .map((value) => ({ ...value, keys: value.keys.slice(block.length) }));
}
