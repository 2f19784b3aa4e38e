import type { ObjectId } from '@tributary/model/ids';
import type { NamedRepository } from '@tributary/model/message-mapping';
import { rewriteMessage } from '../messages/rewrite-message.js';
import { addHeader, formatHeaderBlock, headerValue, parseHeaderBlock, setAside } from './header-block.js';

/** The header with the monorepo's commit that a mirror's commit corresponds to. */
const MIRRORS = 'tributary-mirrors';
const MESSAGE = 'tributary-message';

/**
 * Returns a monorepo commit's content after the parents, as in its mirror: without invalid signatures, and with a
 * message that closes nothing and notifies nobody there. Headers have the commit's id, and the original message if it
 * changed. `repository` is the monorepo, which `#12` refers to. Commit ids in the message are unchanged, because they
 * name commits of the monorepo.
 */
export function mirrorBody(rest: Buffer, original: ObjectId, repository: NamedRepository | undefined): Buffer {
  const { headers, message } = parseHeaderBlock(rest);
  const kept = addHeader(setAside(headers), MIRRORS, original);
  if (message === undefined) return formatHeaderBlock({ headers: kept, message });
  const changed = quietMessage(message, headerValue(headers, 'encoding'), repository);
  return formatHeaderBlock({ headers: changed === message ? kept : addHeader(kept, MESSAGE, message), message: changed });
}

/** Returns the monorepo's commit for a commit that `mirrorBody` made; `undefined` for any other. `rest`: everything after its parents. */
export function mirroredCommit(rest: Buffer): string | undefined {
  return rest.includes(`${MIRRORS} `) ? headerValue(parseHeaderBlock(rest).headers, MIRRORS) : undefined;
}

// The merge of a sync has an import record. The mirror has no imports.
const TRAILERS = /^Tributary-(?=[A-Za-z-]+: )/gm;

function quietMessage(text: string, encoding: string | undefined, repository: NamedRepository | undefined): string {
  // No header can hold a NUL.
  if (text.includes('\0')) return text;
  const rewritten = rewriteMessage({ text, encoding }, { repository, newId: () => undefined });
  return (rewritten?.text ?? text).replace(TRAILERS, 'Mirrored-Tributary-');
}
