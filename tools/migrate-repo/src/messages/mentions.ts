import { findUrls, type ReplacedText, replaceOutside } from './spans.js';

const MENTION = /(?<![A-Za-z0-9_])@([A-Za-z0-9_][A-Za-z0-9_-]*)/g;

/**
 * Inserts `separator` after every `@` that may mention somebody, so that nobody is notified. Skips URLs, mail addresses
 * and npm scopes (`@babel/core`). A scope that equals the source's owner is not skipped, because `@owner/…` may be a
 * team. `bots`: addresses such as `1+a[bot]@users.noreply.github.com`, which older mapping versions broke. Takes and returns bytes as Latin-1 text.
 */
export function breakMentions(
  text: string,
  {
    owner,
    separator,
    bots = 'kept',
  }: { readonly owner: string | undefined; readonly separator: string; readonly bots?: 'kept' | 'broken' },
): ReplacedText {
  if (!text.includes('@')) return { text, count: 0 };
  return replaceOutside(text, { pattern: MENTION, spans: findUrls(text) }, (match) => {
    const [whole, name = ''] = match;
    const after = text.slice(match.index + whole.length, match.index + whole.length + 64);
    const before = text.slice(Math.max(0, match.index - '+[bot]'.length), match.index);
    const isOther =
      isMail(before, after) || (bots === 'kept' && isBot(before, after)) || isVersion(name, after) || isScope(name, after, owner);
    return isOther ? undefined : `@${separator}${name}`;
  });
}

/** `ada.+@example.com`: a word, punctuation after which no name begins, and a domain. */
function isMail(before: string, after: string): boolean {
  return /[A-Za-z0-9_][.+%~-]$/.test(before) && /^[A-Za-z0-9-]*\.[A-Za-z]/.test(after);
}

/** GitHub's address of an app: trailers such as Co-authored-by have it. */
function isBot(before: string, after: string): boolean {
  return /[A-Za-z0-9_-]\[bot\]$/.test(before) && /^[A-Za-z0-9-]*\.[A-Za-z]/.test(after);
}

/** `@1.2.3` */
function isVersion(name: string, after: string): boolean {
  return /^\d+$/.test(name) && /^\.\d/.test(after);
}

function isScope(name: string, after: string, owner: string | undefined): boolean {
  const rest = /^([\w.~-]*)\/[\w.~-]/.exec(after);
  return rest !== null && `${name}${rest[1]}`.toLowerCase() !== owner?.toLowerCase();
}
