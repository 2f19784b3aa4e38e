import { code } from '@tributary/terminal/markdown';

/** Folds content; empty if there is none. */
export function folded(summary: string, content: string): string {
  return content === '' ? '' : `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

/** Joins parts with a blank line between them; omits empty parts. */
export function joinParts(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Returns a link to http and https addresses, otherwise only the text. Text and URL may come from others. */
export function link(text: string, url: string | undefined): string {
  const address = url === undefined ? undefined : webAddress(url);
  return address === undefined ? code(text) : `[${code(text)}](${address})`;
}

/** Returns the URL with the characters escaped that end a link or a table cell in Markdown; `undefined` if it is not a web address. */
function webAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return /^https?:$/.test(protocol)
    ? href.replace(/[()<>|\\[\]`\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
    : undefined;
}

/** Makes all spaces non-breaking, so that a figure stays on one line. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}
