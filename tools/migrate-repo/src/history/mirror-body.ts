import type { ObjectId } from '@tributary/model/ids';
import type { NamedRepository } from '@tributary/model/message-mapping';
import { rewriteMessage } from '../messages/rewrite-message.js';
import { addHeader, formatHeaderBlock, headerValue, parseHeaderBlock, setAside } from './header-block.js';

/** Which commit of the monorepo a commit of a mirror stands for. */
const MIRRORS = 'tributary-mirrors';
const MESSAGE = 'tributary-message';

/**
 * Everything behind the parents of a commit of the monorepo, as its mirror has it: a message that closes and notifies nobody there, and no signature that would be false. The id of
 * the commit, and the message where it changed, stand in headers. `repository`: the monorepo, which `#12` means; ids of commits stay, since they name commits of it.
 */
export function mirrorBody(rest: Buffer, original: ObjectId, repository: NamedRepository | undefined): Buffer {
  const { headers, message } = parseHeaderBlock(rest);
  const kept = addHeader(setAside(headers), MIRRORS, original);
  if (message === undefined) return formatHeaderBlock({ headers: kept, message });
  const changed = quietMessage(message, headerValue(headers, 'encoding'), repository);
  return formatHeaderBlock({ headers: changed === message ? kept : addHeader(kept, MESSAGE, message), message: changed });
}

/** The commit of a monorepo that a commit stands for which `mirrorBody` made; `undefined` for any other. `rest`: everything behind its parents. */
export function mirroredCommit(rest: Buffer): string | undefined {
  return rest.includes(`${MIRRORS} `) ? headerValue(parseHeaderBlock(rest).headers, MIRRORS) : undefined;
}

// A merge that brought what the source had gained carries the record of an import; the mirror imports nothing.
const TRAILERS = /^Tributary-(?=[A-Za-z-]+: )/gm;

function quietMessage(text: string, encoding: string | undefined, repository: NamedRepository | undefined): string {
  // No header can keep it.
  if (text.includes('\0')) return text;
  const rewritten = rewriteMessage({ text, encoding }, { repository, newId: () => undefined });
  return (rewritten?.text ?? text).replace(TRAILERS, 'Mirrored-Tributary-');
}
