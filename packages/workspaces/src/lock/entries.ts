import { nameOf } from './indexed.js';

/** The first line of an entry, as Yarn sorts by it. */
export function firstLine(entry: string): string {
  return entry.slice(entry.startsWith('? ') ? '? '.length : 0, entry.indexOf('\n'));
}

/** The text of a yarn.lock, cut into its entries. */
export class Entries {
  readonly text: string;
  /** Where each begins; the last one more is where the last ends. Between two is an empty line. */
  private readonly starts: readonly number[];

  constructor(text: string, starts: readonly number[]) {
    this.text = text;
    this.starts = starts;
  }

  get count(): number {
    return this.starts.length - 1;
  }

  /** What stands in front of all, `__metadata` included, with the empty line behind it. */
  get top(): string {
    return this.text.slice(0, this.starts[0]);
  }

  /** Without the line end. */
  get(place: number): string {
    return this.text.slice(this.starts[place], (this.starts[place + 1] ?? 0) - '\n\n'.length);
  }

  /** The packages whose descriptors are in the key: one, as a rule. */
  namesOf(place: number): readonly string[] {
    const key = firstLine(this.get(place)).replace(/^"|"?:?$/g, '');
    return key.includes(',') ? [...new Set(key.split(/ *, */).map(nameOf))] : [nameOf(key)];
  }

  /** Where the entry of the root is; 0 if there is none. */
  get root(): number {
    return this.placeOf(Math.max(this.text.search(ROOT), 0));
  }

  isWorkspace(place: number): boolean {
    return WORKSPACE.test(this.get(place));
  }

  /** The place of the entry in which a position is, if it is not in front of all of them. */
  placeOf(position: number, from = 0): number {
    let place = from;
    while ((this.starts[place + 1] ?? Number.POSITIVE_INFINITY) <= position) place++;
    return place;
  }
}

const ROOT = /\n {2}resolution: "?[^\n]*@workspace:\."?\n/;
const WORKSPACE = /\n {2}resolution: "?(?:@[^/\n]+\/)?[^@/\n]+@workspace:/;

/**
 * Cuts a lockfile of Yarn 2 or later. `undefined` where it is not written as Yarn writes it, so that an entry may be more than it seems:
 * an empty line in front of each entry and nowhere else, one resolution in each, fields at two spaces and what they hold at four, and
 * nothing that needs an escape.
 */
export function cutEntries(text: string): Entries | undefined {
  const metadata = text.search(/^__metadata:/m);
  if (metadata === -1 || !text.endsWith('\n') || text.includes('\\') || text.includes('\r') || ODD_LINE.test(text)) return undefined;
  const starts: number[] = [];
  for (let at = text.indexOf('\n\n', metadata); at !== -1; at = text.indexOf('\n\n', at + 1)) starts.push(at + '\n\n'.length);
  const resolutions = text.match(/\n {2}resolution: /g)?.length;
  // The last one ends with the text, as if an empty line were behind it.
  return starts.length > 0 && resolutions === starts.length ? new Entries(text, [...starts, text.length + 1]) : undefined;
}

const ODD_LINE = /\n(?: {1}\S| {3}\S| {5}\S| {7}|\n\n| {2,6}\?|\t)/;
