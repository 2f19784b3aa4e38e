import type { ObjectId } from '@tributary/model/ids';
import type { MessageMapping } from '@tributary/model/message-mapping';
import { type RewrittenMessage, rewriteMessage } from '../messages/rewrite-message.js';
import { countSignatures, headerValue, parseHeaderBlock, setAside } from './header-block.js';
import { formatCommitBody, undoCommitBody } from './move-body.js';
import { QuotedIds } from './quoted-ids.js';

/** A commit of the source. */
export interface SourceCommit {
  readonly id: ObjectId;
  /** Ids in the source. */
  readonly parents: readonly ObjectId[];
  /** Everything after the parents. */
  readonly rest: Buffer;
}

/** The result of moving everything after the parents of a commit. */
export interface MovedBody {
  readonly rest: Buffer;
  /** The number of signatures that the move invalidates. */
  readonly signatures: number;
  /** The message, as bytes in Latin-1 text; `undefined` if there is nothing to report about it. */
  readonly message: (RewrittenMessage & { readonly before: string }) | undefined;
}

/**
 * Moves everything after the parents of commits. Messages are changed by `rewriteMessage`. Signatures and original
 * messages are kept in headers. The result is a pure function of a commit and its ancestors. Commits come parents
 * first; each is moved, then learnt.
 */
export class CommitBodies {
  private readonly messages: MessageMapping;
  private readonly quoted = new QuotedIds();

  constructor(messages: MessageMapping) {
    this.messages = messages;
  }

  move({ parents, rest }: SourceCommit): MovedBody {
    const { messages } = this;
    const block = parseHeaderBlock(rest);
    const signatures = countSignatures(block.headers);
    if (messages === 'exact') return { rest, signatures, message: undefined };
    const { headers, message: before } = block;
    if (before === undefined) return { rest: formatCommitBody(block, undefined), signatures, message: undefined };
    const message = rewriteMessage(
      { text: before, encoding: headerValue(headers, 'encoding') },
      { ...messages, newId: (quoted) => this.quoted.newId(quoted, parents) },
    );
    const changed = message?.text === before ? undefined : message?.text;
    // For most commits, nothing is rewritten.
    if (changed === undefined && setAside(headers) === headers) return { rest, signatures, message: message && { ...message, before } };
    return { rest: formatCommitBody(block, changed), signatures, message: message && { ...message, before } };
  }

  /** Learns a moved commit. `image` is its new commit; `undefined` if it has none of its own. */
  learn({ id, parents }: Omit<SourceCommit, 'rest'>, image: ObjectId | undefined): void {
    if (this.messages !== 'exact') this.quoted.add(id, parents, image);
  }

  /** The inverse of `move`. */
  undo(rest: Buffer): Buffer {
    return this.messages === 'exact' ? rest : undoCommitBody(rest);
  }
}
