const SHOWN = 4;

/** Returns the first names, and how many more there are. */
export function namesOf(names: readonly string[]): string {
  return names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN - 1).join(', ')} and ${names.length - SHOWN + 1} more`;
}

const LISTED = 6;

/** Returns the same for longer items than names. */
export function listed(all: readonly string[]): string {
  const shown = all.slice(0, LISTED).join(', ');
  return all.length <= LISTED ? shown : `${shown} and ${all.length - LISTED} more`;
}

/** Returns a text as inline code. A range may contain a bar, which would end a table cell. */
export function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

/**
 * Returns a text without line breaks and control characters. A name or range of an imported package may contain
 * anything, and must not start a line or control the terminal.
 */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** `1 commit`, `2 commits`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
