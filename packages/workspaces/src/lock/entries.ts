import { nameOf } from './descriptors.js';

/** The first line of an entry, as Yarn sorts by it. */
export function firstLine(entry: string): string {
  return entry.slice(entry.startsWith('? ') ? '? '.length : 0, entry.indexOf('\n'));
}

/** The packages whose descriptors are in the key of an entry: one, as a rule. */
export function namesOf(entry: string): readonly string[] {
  const key = firstLine(entry).replace(/^"|"?:?$/g, '');
  return key.includes(',') ? [...new Set(key.split(/ *, */).map(nameOf))] : [nameOf(key)];
}

export function isWorkspaceEntry(entry: string): boolean {
  return WORKSPACE.test(entry);
}

const WORKSPACE = /\n {2}resolution: "?(?:@[^/\n]+\/)?[^@/\n]+@workspace:/;

/** Where the entry begins in which a place of a lockfile is, or, between two, the one behind it. */
export function startAround(text: string, at: number): number {
  return text.lastIndexOf(GAP, at) + GAP.length;
}

/** The entry that begins at a place, without the line end. */
export function entryFrom(text: string, start: number): string {
  const end = text.indexOf(GAP, start);
  return text.slice(start, end === -1 ? text.length - 1 : end);
}

/** Where each entry begins from one on up to another, or to the end of the text. */
export function startsIn(text: string, from: number, to = text.length): readonly number[] {
  const starts: number[] = [];
  for (let at = from; at < to; ) {
    starts.push(at);
    const next = text.indexOf(GAP, at);
    at = next === -1 ? to : next + GAP.length;
  }
  return starts;
}

/** Where the first entry begins behind `__metadata`; `undefined` if there is none, or if something but comments stands in front of that. */
export function firstEntry(text: string): number | undefined {
  const [top] = /^(?:(?:#[^\n]*)?\n)*__metadata:/.exec(text) ?? [];
  const end = top === undefined ? -1 : text.indexOf(GAP, top.length);
  return end === -1 ? undefined : end + GAP.length;
}

/** The empty line between two entries. */
export const GAP = '\n\n';

/**
 * Whether a part of a lockfile, whole entries, is written as Yarn 2 or later writes it, so that no entry is more than it seems: an empty line in front of
 * each and nowhere else, one resolution in each, fields at two spaces and what they hold at four, and nothing that needs an escape.
 */
export function isAsYarnWrites(part: string): boolean {
  if (part === '') return true;
  if (!part.endsWith('\n') || part.includes('\\') || part.includes('\r') || ODD_LINE.test(part)) return false;
  return part.match(RESOLUTIONS)?.length === startsIn(part, 0).length;
}

const RESOLUTIONS = /\n {2}resolution: /g;
const ODD_LINE = /\n(?: {1}\S| {3}\S| {5}\S| {7}|\n\n| {2,6}\?|\t)/;
