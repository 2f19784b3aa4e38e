import { findUrls, type Replaced, replaceOutside } from './spans.js';

// Not in a path, a query, a mail address or a longer word. Not in the text of a Markdown link, which leads to the
// source. After a dot only if it is one of two (`a..b`). Not a file name (`1a2b3c4.js`).
const ID = /(?<![0-9A-Za-z_@/#%&-])(?<!(?:^|[^.])\.)[0-9a-f]{7,64}(?![0-9A-Za-z_@/-])(?!\.[A-Za-z0-9])(?!`?\]\()/g;

/** Lengths of full ids, of SHA-1 and SHA-256. */
const WHOLE: ReadonlySet<number> = new Set([40, 64]);

/** Replaces commit ids for which `newId` returns a new one, outside URLs. Takes and returns bytes as Latin-1 text. */
export function replaceCommitIds(text: string, newId: (quoted: string) => string | undefined): Replaced {
  if (!MAY_QUOTE.test(text)) return { text, count: 0 };
  return replaceOutside(text, { pattern: ID, spans: findUrls(text) }, ([quoted]) => (isTold(quoted) ? newId(quoted) : undefined));
}

const MAY_QUOTE = /[0-9a-f]{7}/;

/** Whether a text can be an id. A number or a word such as `defaced` is not, unless it has the length of a full id. */
function isTold(quoted: string): boolean {
  return WHOLE.has(quoted.length) || (/\d/.test(quoted) && /[a-f]/.test(quoted));
}
