import { findUrls, type Replaced, replaceOutside } from './spans.js';

// Not in a path, a query, a mail address, a longer word, or the text of a link of Markdown, which leads to the source; behind one dot only where there is another (`a..b`), and not a file (`1a2b3c4.js`).
const ID = /(?<![0-9A-Za-z_@/#%&-])(?<!(?:^|[^.])\.)[0-9a-f]{7,64}(?![0-9A-Za-z_@/-])(?!\.[A-Za-z0-9])(?!`?\]\()/g;

/** Lengths of whole ids: of SHA-1 and SHA-256. */
const WHOLE: ReadonlySet<number> = new Set([40, 64]);

/** Replaces ids of commits by what `newId` knows for them; not in addresses. Bytes as Latin-1 text. */
export function replaceCommitIds(text: string, newId: (quoted: string) => string | undefined): Replaced {
  if (!MAY_QUOTE.test(text)) return { text, count: 0 };
  return replaceOutside(text, { pattern: ID, spans: findUrls(text) }, ([quoted]) => (isTold(quoted) ? newId(quoted) : undefined));
}

const MAY_QUOTE = /[0-9a-f]{7}/;

/** A number or a word such as `defaced` is no id, unless it is as long as one. */
function isTold(quoted: string): boolean {
  return WHOLE.has(quoted.length) || (/\d/.test(quoted) && /[a-f]/.test(quoted));
}
