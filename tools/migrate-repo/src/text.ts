/** Returns names; of more than `most`, the first ones, and how many more there are. */
export function namesOf(names: readonly string[], most = 4): string {
  return names.length <= most ? names.join(', ') : `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} more`;
}

/** Returns `most` items, and how many more there are. Items are longer than names, so one more is worth its place. */
export function someOf(items: readonly string[], most = 5): string {
  const shown = items.slice(0, most).join(', ');
  return items.length <= most ? shown : `${shown} and ${items.length - most} more`;
}

/** Orders texts by their characters. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
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

/** Returns the sum of a figure of all items. */
export function sumOf<T>(items: readonly T[], figure: (item: T) => number): number {
  return items.reduce((sum, item) => sum + figure(item), 0);
}
