/** In an entry this stands in its key first: ranges hold it without the name, locators inside of others encoded. */
export const MARK = '@workspace:';

/** A line that Yarn would not write there. It never leaves `readCarefully`. */
export class OddLine extends Error {}

/** Where the line ends that a place of the text is in. */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
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
