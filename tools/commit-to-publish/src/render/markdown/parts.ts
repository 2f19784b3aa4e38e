import { code } from '@tributary/terminal/markdown';

/** Something that is shown when somebody opens it; empty where there is nothing in it. */
export function folded(summary: string, content: string): string {
  return content === '' ? '' : `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

/** Parts with a blank line between them, without those that are empty. */
export function joinParts(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A link where it leads to a page; else the text alone. The text is of others, as is the address. */
export function link(text: string, url: string | undefined): string {
  const address = url === undefined ? undefined : webAddress(url);
  return address === undefined ? code(text) : `[${code(text)}](${address})`;
}

/** What Markdown takes for the end of a link or of a cell is written as addresses may write it. */
function webAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return /^https?:$/.test(protocol)
    ? href.replace(/[()<>|\\[\]`\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
    : undefined;
}

/** A figure is read as one, however narrow its column is. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}
