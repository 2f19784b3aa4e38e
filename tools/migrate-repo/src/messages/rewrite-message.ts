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
 * Rewrites a message so that a push closes and notifies nobody, and what it refers to can be found. `undefined`: nothing is to be said of it, or its bytes
 * cannot be changed (an encoding in which a byte is not what it looks like; a NUL, which no header can keep).
 */
export function rewriteMessage(
  message: { readonly text: string; readonly encoding: string | undefined },
  context: MessageContext,
): RewrittenMessage | undefined {
  if (!MAY_CHANGE.test(message.text) || message.text.includes('\0')) return undefined;
  const encoding = encodingOf(message.encoding, message.text);
  if (encoding === 'none') return undefined;
  const { repository } = context;
  const references = qualifyReferences(message.text, repository ?? UNKNOWN);
  const closing = breakClosingWords(repository === undefined ? message.text : references.text);
  const owner = repository?.name.split('/')[0];
  const mentions = breakMentions(closing.text, { owner, separator: encoding === 'utf-8' ? ZERO_WIDTH_SPACE : ' ' });
  const ids = replaceCommitIds(mentions.text, context.newId);
  if (references.count + closing.count + mentions.count + ids.count === 0) return undefined;
  return {
    text: ids.text,
    references: repository === undefined ? 0 : references.count,
    unqualified: repository === undefined ? references.count : 0,
    closingWords: closing.count,
    mentions: mentions.count,
    commitIds: ids.count,
  };
}

/** To count what could be named. */
const UNKNOWN: NamedRepository = { name: 'owner/repository', forge: 'other' };

const MAY_CHANGE = /[#@]|GH-\d|!\d|:\/\/|[0-9a-f]{7}/i;
