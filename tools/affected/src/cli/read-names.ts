/** Splits names at spaces and commas; none for an empty text. For commander. */
export function readNames(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(/[\s,]+/).filter((name) => name !== '')];
}
