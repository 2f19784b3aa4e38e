import { isUtf8 } from 'node:buffer';
import type { NamedRepository, QualifiedMessages } from '@tributary/model/message-mapping';
import type { MessagesResult } from '../result/result.js';
import { breakClosingWords } from './closing-words.js';
import { breakMentions } from './mentions.js';
import { qualifyReferences } from './references.js';
import { findUrls, type ReplacedText, replaceOutside } from './spans.js';

/** Numbers of changes in messages, by kind. */
export type MessageCounts = Omit<MessagesResult, 'repository' | 'changed' | 'samples'>;

export interface RewrittenMessage extends MessageCounts {
  /** Bytes as Latin-1 text. Equal to the original if only `unqualified` or `untouched` is counted. */
  readonly text: string;
}

/** What the rules need besides the message. */
export interface MessageContext {
  readonly repository: NamedRepository | undefined;
  /** How older mapping versions broke mentions. The zero-width space is only for UTF-8. */
  readonly mentions?: QualifiedMessages['mentions'];
  /** Returns the new id of a commit that a message may quote; `undefined` if it names no commit. */
  readonly newId: (quoted: string) => string | undefined;
}

/** A zero-width space, in UTF-8. */
const ZERO_WIDTH_SPACE = '\xe2\x80\x8b';

/**
 * Rewrites a message so that a push closes no issue and notifies nobody, and references still lead to their targets.
 * Returns `undefined` if there is nothing to report.
 *
 * A message is counted, but not changed, in two cases. Its encoding has bytes that are not the characters they look
 * like, or it contains a NUL, which no header can hold.
 *
 * These rules are the mapping versions 2 and 3 (with `mentions`) and 4. The proof of an import applies them again, so a
 * changed rule needs a new version.
 */
export function rewriteMessage(
  message: { readonly text: string; readonly encoding: string | undefined },
  context: MessageContext,
): RewrittenMessage | undefined {
  if (!mayChange(message.text)) return undefined;
  const encoding = message.text.includes('\0') ? 'none' : encodingOf(message.encoding, message.text);
  const rewritten = applyRules(message.text, encoding === 'utf-8' && context.mentions === 'zero-width' ? ZERO_WIDTH_SPACE : ' ', context);
  if (encoding !== 'none' || rewritten === undefined) return rewritten;
  return { text: message.text, references: 0, unqualified: 0, closingWords: 0, mentions: 0, commitIds: 0, untouched: 1 };
}

function applyRules(
  text: string,
  separator: string,
  { repository, mentions: former, newId }: MessageContext,
): RewrittenMessage | undefined {
  const references = qualifyReferences(text, repository ?? UNKNOWN);
  const closing = breakClosingWords(repository === undefined ? text : references.text);
  const bots = former === undefined ? 'kept' : 'broken';
  const mentions = breakMentions(closing.text, { owner: repository?.name.split('/')[0], separator, bots });
  const ids = replaceCommitIds(mentions.text, newId);
  if (references.count + closing.count + mentions.count + ids.count === 0) return undefined;
  return {
    text: ids.text,
    references: repository === undefined ? 0 : references.count,
    unqualified: repository === undefined ? references.count : 0,
    closingWords: closing.count,
    mentions: mentions.count,
    commitIds: ids.count,
    untouched: 0,
  };
}

/** A placeholder, to count the references that could be qualified. */
const UNKNOWN: NamedRepository = { name: 'owner/repository', forge: 'other' };

/** Returns quickly for the many messages without anything to change. */
function mayChange(text: string): boolean {
  return text.includes('#') || text.includes('@') || text.includes('!') || text.includes('://') || ID_OR_REFERENCE.test(text);
}

const ID_OR_REFERENCE = /[0-9a-f]{7}|GH-\d/i;

// Not in a path, a query, a mail address or a longer word. Not in the text of a Markdown link, which leads to the
// source. After a dot only if it is one of two (`a..b`). Not a file name (`1a2b3c4.js`).
const ID = /(?<![0-9A-Za-z_@/#%&-])(?<!(?:^|[^.])\.)[0-9a-f]{7,64}(?![0-9A-Za-z_@/-])(?!\.[A-Za-z0-9])(?!`?\]\()/g;

/** Lengths of full ids, of SHA-1 and SHA-256. */
const WHOLE: ReadonlySet<number> = new Set([40, 64]);

/** Replaces commit ids for which `newId` returns a new one, outside URLs. Takes and returns bytes as Latin-1 text. */
function replaceCommitIds(text: string, newId: (quoted: string) => string | undefined): ReplacedText {
  if (!MAY_QUOTE.test(text)) return { text, count: 0 };
  return replaceOutside(text, { pattern: ID, spans: findUrls(text) }, ([quoted]) => (isTold(quoted) ? newId(quoted) : undefined));
}

const MAY_QUOTE = /[0-9a-f]{7}/;

/** Whether a text can be an id. A number or a word such as `defaced` is not, unless it has the length of a full id. */
function isTold(quoted: string): boolean {
  return WHOLE.has(quoted.length) || (/\d/.test(quoted) && /[a-f]/.test(quoted));
}

/**
 * How the bytes of a message may be changed. `utf-8`: freely. `ascii`: only ASCII characters may be added. `none`: not
 * at all, because a byte may not be the character it looks like.
 */
type MessageEncoding = 'utf-8' | 'ascii' | 'none';

// In all of these encodings, a byte below 128 is an ASCII character. In Shift_JIS, GBK and Big5, it can be the second
// half of another character. In ISO-2022, HZ and UTF-7, it can be part of anything.
const ASCII_SAFE =
  /^ansi_x3\.4-1968$|^mac(?:intosh|roman)$|^tis-620$|^cp(?:437|85\d|866)$|^(?:us-)?ascii$|^iso-?8859-?\d+$|^latin-?\d+$|^(?:windows|cp)-?125\d$|^koi8-[ru]$|^euc-(?:jp|kr|cn|tw)$|^gb2312$/i;

/**
 * Returns the encoding of a message. `name` is the one in the commit's header; without it, git assumes UTF-8. `message`
 * has bytes as Latin-1 text.
 */
function encodingOf(name: string | undefined, message: string): MessageEncoding {
  if (name !== undefined && !/^utf-?8$/i.test(name)) return ASCII_SAFE.test(name) ? 'ascii' : 'none';
  return isUtf8(Buffer.from(message, 'latin1')) ? 'utf-8' : 'ascii';
}
