import type { NamedRepository } from '@tributary/model/message-mapping';
import { breakClosingWords } from './closing-words.js';
import { replaceCommitIds } from './commit-ids.js';
import { encodingOf } from './encoding.js';
import { breakMentions } from './mentions.js';
import { qualifyReferences } from './references.js';

/** Numbers of changes in messages, by kind. */
export interface MessageCounts {
  readonly references: number;
  /** References that are not changed, because the repository is unknown. */
  readonly unqualified: number;
  readonly closingWords: number;
  readonly mentions: number;
  readonly commitIds: number;
  /** Messages with possible references or mentions that are not changed, because of their encoding or a NUL byte. */
  readonly untouched: number;
}

export interface RewrittenMessage extends MessageCounts {
  /** Bytes as Latin-1 text. Equal to the original if only `unqualified` or `untouched` is counted. */
  readonly text: string;
}

/** What the rules need besides the message. */
export interface MessageContext {
  readonly repository: NamedRepository | undefined;
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
 * These rules are mapping version 2. The proof of an import applies them again, so a changed rule needs a new version.
 */
export function rewriteMessage(
  message: { readonly text: string; readonly encoding: string | undefined },
  context: MessageContext,
): RewrittenMessage | undefined {
  if (!mayChange(message.text)) return undefined;
  const encoding = message.text.includes('\0') ? 'none' : encodingOf(message.encoding, message.text);
  const rewritten = applyRules(message.text, encoding === 'utf-8' ? ZERO_WIDTH_SPACE : ' ', context);
  if (encoding !== 'none' || rewritten === undefined) return rewritten;
  return { text: message.text, references: 0, unqualified: 0, closingWords: 0, mentions: 0, commitIds: 0, untouched: 1 };
}

function applyRules(text: string, separator: string, { repository, newId }: MessageContext): RewrittenMessage | undefined {
  const references = qualifyReferences(text, repository ?? UNKNOWN);
  const closing = breakClosingWords(repository === undefined ? text : references.text);
  const mentions = breakMentions(closing.text, { owner: repository?.name.split('/')[0], separator });
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
