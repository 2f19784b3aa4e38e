import type { Event } from './event.js';

/** A name with a whole number or a string of printable ASCII without escapes, which every JSON reader parses alike. */
const PAIR = String.raw`"[a-zA-Z]+":(?:"[ !#-[\]-~]*"|\d+)`;

/** By the number of names. */
const plainLines = new Map<number, RegExp>();

/**
 * Tells whether a line is an event in the plainest JSON, so that it can be copied into a segment unchanged. `event` is the parsed line; of
 * a duplicate name it holds only one value, so the line has to have as many names as the event.
 */
export function isPlainLine(line: string, event: Event): boolean {
  const names = Object.keys(event).length;
  let plain = plainLines.get(names);
  if (plain === undefined) {
    plain = new RegExp(`^\\{${PAIR}(?:,${PAIR}){${names - 1}}\\}$`);
    plainLines.set(names, plain);
  }
  return plain.test(line);
}
