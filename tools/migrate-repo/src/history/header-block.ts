/** What stands behind the parents of a commit, or behind the name of a tag. Bytes as Latin-1 text. */
export interface HeaderBlock {
  /** Whole lines; one that begins with a space goes on with the header before it. */
  readonly headers: string;
  /** What stands behind the empty line; `undefined`: there is none. */
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

// Signatures of what the commit was, and what its headers would be taken for ours by.
const SET_ASIDE = /(?<![^\n])(?=(?:gpgsig|gpgsig-sha256|mergetag)(?:[ \n]|(?![\s\S]))|tributary-)/g;
const OURS = /(?<![^\n])tributary-/g;

/** Renames headers that would be false after a move, and those whose names are ours: `gpgsig` becomes `tributary-gpgsig`. */
export function setAside(headers: string): string {
  const isConcerned = headers.includes('gpgsig') || headers.includes('mergetag') || headers.includes('tributary-');
  return isConcerned ? headers.replace(SET_ASIDE, 'tributary-') : headers;
}

/** The inverse of `setAside`, of whose answers every header with such a name was renamed. */
export function takeBack(headers: string): string {
  return headers.replace(OURS, '');
}

const SIGNATURES = /(?<![^\n])(?:gpgsig|gpgsig-sha256|mergetag)(?= )/g;

/** How many signatures headers hold: of a commit, and of the tags that a merge has brought. */
export function countSignatures(headers: string): number {
  return headers.includes('gpgsig') || headers.includes('mergetag') ? (headers.match(SIGNATURES)?.length ?? 0) : 0;
}

/** Whether there can be anything to be undone. A cheap look: most commits have nothing. */
export function mayBeOurs(rest: Buffer): boolean {
  return rest.includes('tributary-');
}

/** The value of a header that takes one line; `undefined`: there is none. */
export function headerValue(headers: string, key: string): string | undefined {
  if (!headers.includes(`${key} `)) return undefined;
  const line = headers.split('\n').find((one) => one.startsWith(`${key} `));
  return line?.slice(key.length + 1);
}

/** Adds a header at the end, whatever its value holds but NUL. `headers`: empty, or whole lines with their line breaks. */
export function addHeader(headers: string, key: string, value: string): string {
  return `${headers}${key} ${value.replaceAll('\n', '\n ')}\n`;
}

/** The inverse of `addHeader`; `undefined` where another header stands at the end. */
export function takeHeader(headers: string, key: string): { readonly headers: string; readonly value: string } | undefined {
  const from = headers.startsWith(`${key} `) ? 0 : headers.lastIndexOf(`\n${key} `) + 1;
  const taken = headers.slice(from);
  if (!taken.startsWith(`${key} `) || !taken.endsWith('\n') || /\n[^ ]/.test(taken)) return undefined;
  return { headers: headers.slice(0, from), value: taken.slice(key.length + 1, -1).replaceAll('\n ', '\n') };
}
