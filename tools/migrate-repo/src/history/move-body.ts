import {
  addHeader,
  countSignatures,
  formatHeaderBlock,
  type HeaderBlock,
  mayBeOurs,
  parseHeaderBlock,
  setAside,
  takeBack,
  takeHeader,
} from './header-block.js';

/** Where the message stands that a commit had in its source. */
const MESSAGE = 'tributary-message';
/** Where the signature stands that a tag had at the end of its message. */
const SIGNATURE = 'tributary-signature';

/**
 * Gives back what stood behind the parents of a commit in its source: the message is that of the last header, if that holds one, and every header has
 * its own name again. The inverse of `CommitBodies.move` for messages that were not exact.
 */
export function undoCommitBody(rest: Buffer): Buffer {
  return undoBody(rest, MESSAGE, (_, original) => original);
}

/** `message`: the new one; `undefined`: it stays. */
export function formatCommitBody({ headers, message }: HeaderBlock, newMessage: string | undefined): Buffer {
  const kept = setAside(headers);
  if (newMessage === undefined || message === undefined) return formatHeaderBlock({ headers: kept, message });
  return formatHeaderBlock({ headers: addHeader(kept, MESSAGE, message), message: newMessage });
}

/** What becomes of all that stands behind the name of a tag, and how many signatures went into headers of their own. The message itself stays. */
export function moveTagBody(rest: Buffer): { readonly rest: Buffer; readonly signatures: number } {
  const { headers, message } = parseHeaderBlock(rest);
  const kept = setAside(headers);
  const at = message === undefined ? -1 : signatureIn(message);
  const inHeaders = countSignatures(headers);
  if (message === undefined || at < 0) return { rest: formatHeaderBlock({ headers: kept, message }), signatures: inHeaders };
  const block = { headers: addHeader(kept, SIGNATURE, message.slice(at)), message: message.slice(0, at) };
  return { rest: formatHeaderBlock(block), signatures: inHeaders + 1 };
}

/** The inverse of `moveTagBody`. */
export function undoTagBody(rest: Buffer): Buffer {
  return undoBody(rest, SIGNATURE, (message, signature) => message + signature);
}

function undoBody(rest: Buffer, key: string, join: (message: string, kept: string) => string): Buffer {
  if (!mayBeOurs(rest)) return rest;
  const { headers, message } = parseHeaderBlock(rest);
  const taken = message === undefined ? undefined : takeHeader(headers, key);
  if (taken === undefined || message === undefined) return formatHeaderBlock({ headers: takeBack(headers), message });
  return formatHeaderBlock({ headers: takeBack(taken.headers), message: join(message, taken.value) });
}

// The same as git's (gpg-interface.c): whatever follows the last line that begins so.
const SIGNATURE_LINE = /(?<![^\n])-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SIGNED MESSAGE|SSH SIGNATURE)-----/g;

/** Where the signature of a tag begins in its message; -1: there is none, or one that no header can keep. */
function signatureIn(message: string): number {
  const at = [...message.matchAll(SIGNATURE_LINE)].at(-1)?.index ?? -1;
  return message.includes('\0', Math.max(at, 0)) ? -1 : at;
}
