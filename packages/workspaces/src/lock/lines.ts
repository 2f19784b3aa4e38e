/** In an entry this stands in its key first: ranges hold it without the name, locators inside of others encoded. */
export const MARK = '@workspace:';

/** A line that Yarn would not write there. It never leaves `readCarefully`. */
export class OddLine extends Error {}

/** Where the line ends that a place of the text is in. */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Yarn writes the type of the link last in each entry, and so last of all. A file that was cut off would pass for a smaller project. */
export function endsWithEntry(text: string): boolean {
  const last = text.lastIndexOf('\n  linkType: ');
  return last !== -1 && /^\n {2}linkType: (?:hard|soft)\n*$/.test(text.slice(last));
}

/** A quoted text of the lockfile. Throws `OddLine`. */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) throw new OddLine(`${text} is not quoted as Yarn would`);
  if (!text.includes('\\')) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    throw new OddLine(`${text} is not quoted as Yarn would`);
  }
}
