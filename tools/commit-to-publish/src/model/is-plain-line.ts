import type { Event } from './event.js';

/** Texts of printable ASCII without escapes, and whole numbers: nothing that two readers of JSON may take for different things. */
const PLAIN = /^\{"[a-zA-Z]+":(?:"[ !#-[\]-~]*"|\d+)(?:,"[a-zA-Z]+":(?:"[ !#-[\]-~]*"|\d+))*\}$/;

/** Whether a line is an event as JSON in the plainest form, so that it can stand in a segment as it is. `event`: what was read from it; of a name that is there twice only one value is in it. */
export function isPlainLine(line: string, event: Event): boolean {
  return PLAIN.test(line) && countColons(line) === Object.keys(event).length;
}

/** How often a quotation mark stands before a colon: once for each name, and more often if a text begins with a colon. */
function countColons(line: string): number {
  let count = 0;
  for (let at = line.indexOf('":'); at !== -1; at = line.indexOf('":', at + 2)) count++;
  return count;
}
