/** Everything after the parents of a commit, or after the name of a tag. Bytes as Latin-1 text. */
export interface HeaderBlock {
  /** Whole lines. A line that begins with a space continues the header before it. */
  readonly headers: string;
  /** Everything after the empty line; `undefined` if there is none. */
  readonly message: string | undefined;
}

export function parseHeaderBlock(rest: Buffer): HeaderBlock {
  const text = rest.toString('latin1');
  if (text.startsWith('\n')) return { headers: '', message: text.slice(1) };
  const end = text.indexOf('\n\n');
  return end < 0 ? { headers: text, message: undefined } : { headers: text.slice(0, end + 1), message: text.slice(end + 2) };
}

/** The inverse of `parseHeaderBlock`. */
export function formatHeaderBlock({ headers, message }: HeaderBlock): Buffer {
  return Buffer.from(message === undefined ? headers : `${headers}\n${message}`, 'latin1');
}

// Signatures of the original commit, and headers that could be mistaken for the tool's own.
const SET_ASIDE = /(?<![^\n])(?=(?:gpgsig|gpgsig-sha256|mergetag)(?:[ \n]|(?![\s\S]))|tributary-)/g;
const OURS = /(?<![^\n])tributary-/g;

/** Renames headers that a move makes invalid, and headers with the tool's prefix: `gpgsig` becomes `tributary-gpgsig`. */
export function setAside(headers: string): string {
  const isConcerned = headers.includes('gpgsig') || headers.includes('mergetag') || headers.includes('tributary-');
  return isConcerned ? headers.replace(SET_ASIDE, 'tributary-') : headers;
}

/** The inverse of `setAside`, which renames every header with such a name. */
export function takeBack(headers: string): string {
  return headers.replace(OURS, '');
}

const SIGNATURES = /(?<![^\n])(?:gpgsig|gpgsig-sha256|mergetag)(?= )/g;

/** Returns the number of signatures in headers: of a commit, and of the tags that a merge embeds. */
export function countSignatures(headers: string): number {
  return headers.includes('gpgsig') || headers.includes('mergetag') ? (headers.match(SIGNATURES)?.length ?? 0) : 0;
}

/** Whether there may be something to undo. A fast check, because most commits have nothing. */
export function mayBeOurs(rest: Buffer): boolean {
  return rest.includes('tributary-');
}

/** Returns the value of a one-line header; `undefined` if there is none. */
export function headerValue(headers: string, key: string): string | undefined {
  if (!headers.includes(`${key} `)) return undefined;
  const line = headers.split('\n').find((one) => one.startsWith(`${key} `));
  return line?.slice(key.length + 1);
}

/** Adds a header at the end, with any value that has no NUL. `headers` is empty, or consists of whole lines with line breaks. */
export function addHeader(headers: string, key: string, value: string): string {
  return `${headers}${key} ${value.replaceAll('\n', '\n ')}\n`;
}

/** The inverse of `addHeader`; returns `undefined` if the last header is another one. */
export function takeHeader(headers: string, key: string): { readonly headers: string; readonly value: string } | undefined {
  const from = headers.startsWith(`${key} `) ? 0 : headers.lastIndexOf(`\n${key} `) + 1;
  const taken = headers.slice(from);
  if (!taken.startsWith(`${key} `) || !taken.endsWith('\n') || /\n[^ ]/.test(taken)) return undefined;
  return { headers: headers.slice(0, from), value: taken.slice(key.length + 1, -1).replaceAll('\n ', '\n') };
}
