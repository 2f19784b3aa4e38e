import type { Event } from './event.js';

/** An object of whole numbers and strings of printable ASCII without escapes, which every JSON reader parses alike. */
const PLAIN = /^\{"[a-zA-Z]+":(?:"[ !#-[\]-~]*"|\d+)(?:,"[a-zA-Z]+":(?:"[ !#-[\]-~]*"|\d+))*\}$/;

/**
 * Tells whether a line is an event in the plainest JSON, so that it can be copied into a segment unchanged. `event` is the parsed line; of
 * a duplicate name it holds only one value.
 */
export function isPlainLine(line: string, event: Event): boolean {
  return PLAIN.test(line) && countColons(line) === Object.keys(event).length;
}

/** Counts the quotation marks followed by a colon: one for each name, and more if a string begins with a colon. */
function countColons(line: string): number {
  let count = 0;
  for (let at = line.indexOf('":'); at !== -1; at = line.indexOf('":', at + 2)) count++;
  return count;
}
