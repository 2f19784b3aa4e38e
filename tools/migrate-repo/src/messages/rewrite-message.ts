import type { NamedRepository } from '@tributary/model/message-mapping';
import { breakClosingWords } from './closing-words.js';
import { replaceCommitIds } from './commit-ids.js';
import { encodingOf } from './encoding.js';
import { breakMentions } from './mentions.js';
import { qualifyReferences } from './references.js';

/** What was changed in messages, by kind. */
export interface MessageCounts {
  readonly references: number;
  /** References that stay as they are, since the repository is not known. */
  readonly unqualified: number;
  readonly closingWords: number;
  readonly mentions: number;
  readonly commitIds: number;
  /** Messages that may hold such things and stay as they are, since their bytes cannot be changed. */
  readonly untouched: number;
}

export interface RewrittenMessage extends MessageCounts {
  /** Bytes as Latin-1 text; the same where nothing but `unqualified` is counted. */
  readonly text: string;
}

/** What the rules need to know beside the message. */
export interface MessageContext {
  readonly repository: NamedRepository | undefined;
  /** The new id of a commit that the message may quote; `undefined`: it names none. */
  readonly newId: (quoted: string) => string | undefined;
}

/** A space without width, in UTF-8. */
const ZERO_WIDTH_SPACE = '\xe2\x80\x8b';

/**
 * Rewrites a message so that a push closes and notifies nobody, and what it refers to can be found. `undefined`: nothing is to be said of it. One whose
 * bytes cannot be changed stays and is counted: its encoding has bytes that are not what they look like, or it has a NUL, which no header can keep.
 *
 * These rules are mapping version 2. An import is proven by applying them again, so a rule that changes is a new version.
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

/** To count what could be named. */
const UNKNOWN: NamedRepository = { name: 'owner/repository', forge: 'other' };

/** Answers fast for the many messages in which there is nothing to be changed. */
function mayChange(text: string): boolean {
  return text.includes('#') || text.includes('@') || text.includes('!') || text.includes('://') || ID_OR_REFERENCE.test(text);
}

const ID_OR_REFERENCE = /[0-9a-f]{7}|GH-\d/i;
