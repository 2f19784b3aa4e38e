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

/** The header with a commit's original message. */
const MESSAGE = 'tributary-message';
/** The header with the signature that was at the end of a tag's message. */
const SIGNATURE = 'tributary-signature';

/**
 * Restores a commit's original content after the parents: the message from the last header, if it has one, and the
 * original names of all headers. The inverse of `CommitBodies.move` for messages that are not exact.
 */
export function undoCommitBody(rest: Buffer): Buffer {
  return undoBody(rest, MESSAGE, (_, original) => original);
}

/** Returns a commit's content after the parents. `newMessage`: `undefined` keeps the message. */
export function formatCommitBody({ headers, message }: HeaderBlock, newMessage: string | undefined): Buffer {
  const kept = setAside(headers);
  if (newMessage === undefined || message === undefined) return formatHeaderBlock({ headers: kept, message });
  return formatHeaderBlock({ headers: addHeader(kept, MESSAGE, message), message: newMessage });
}

/** Returns a tag's content after the name, and the number of signatures that were moved to headers. The message itself is unchanged. */
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

// As in git (gpg-interface.c): everything from the last line that begins like this.
const SIGNATURE_LINE = /(?<![^\n])-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SIGNED MESSAGE|SSH SIGNATURE)-----/g;

/** Returns the position of the signature in a tag's message; -1 if there is none, or if no header can hold it. */
function signatureIn(message: string): number {
  const at = [...message.matchAll(SIGNATURE_LINE)].at(-1)?.index ?? -1;
  return message.includes('\0', Math.max(at, 0)) ? -1 : at;
}
