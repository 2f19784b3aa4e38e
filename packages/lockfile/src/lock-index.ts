import { isToolError } from '@tributary/model/errors';
import { withoutBom } from '@tributary/model/file-text';
import { parseBerry } from './berry.js';
import { type Numbered, numberDescriptors } from './descriptors.js';
import { Unreadable } from './lockfile.js';
import { type LockRecord, type LockScan, scanLock } from './scan.js';
import { checkPrintable } from './syml.js';

/** A lockfile of Yarn 2 or later, with its descriptors numbered. */
export class LockIndex implements Numbered {
  readonly kind = 'berry';
  /** In the order of the file. */
  readonly records: readonly LockRecord[];
  /** By place in the records of the similar index that was given, 1 for those that are here too: the same objects. */
  readonly taken: Uint8Array;
  /** The records that were not taken from there. */
  readonly own: readonly LockRecord[];
  private numbering: Numbered | undefined;

  constructor({ records, taken, own }: LockScan) {
    this.records = records;
    this.taken = taken;
    this.own = own;
  }

  /** All descriptors, by number; each once. */
  get descriptors(): readonly string[] {
    return this.numbered().descriptors;
  }

  /** By the number of a descriptor, the place of its entry: where two have the same one, of the later, as for Yarn. */
  get owners(): readonly number[] {
    return this.numbered().owners;
  }

  get numbers(): ReadonlyMap<string, number> {
    return this.numbered().numbers;
  }

  /** Whether two entries have the same descriptor, which Yarn never writes. */
  get hasRepeats(): boolean {
    return this.numbered().hasRepeats;
  }

  private numbered(): Numbered {
    this.numbering ??= numberDescriptors(this.records);
    return this.numbering;
  }
}

/** What else a lockfile can be. */
export type NoIndex = { readonly kind: 'classic' } | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Indexes the text of a yarn.lock in one pass: some ten times as fast as `parseBerry`, with the same verdict on every text that Yarn
 * writes. What it cannot read although `parseBerry` can (escapes in quotes) is `unreadable`, never half an answer. Never throws.
 * With the index of a similar file (the other side of a comparison), equal entries are the same objects and cost next to nothing.
 */
export function indexLock(text: string, similar?: LockIndex): LockIndex | NoIndex {
  const bare = withoutBom(text);
  try {
    checkPrintable(bare);
    return new LockIndex(scanLock(bare.includes('\r') ? withoutReturns(bare) : bare, similar?.records ?? []));
  } catch (error) {
    if (!(error instanceof Unreadable) && !isToolError(error)) throw error;
    const verdict = parseBerry(text);
    return verdict.kind === 'berry' ? { kind: 'unreadable', reason: 'it is not written as Yarn writes it' } : verdict;
  }
}

function withoutReturns(text: string): string {
  const plain = text.replaceAll('\r\n', '\n');
  if (plain.includes('\r')) throw new Unreadable('a "\\r" within a line');
  return plain;
}

/** The entry of a descriptor, by its number; `undefined` for a number that there is not. */
export function ownerOf(index: LockIndex, number: number): LockRecord | undefined {
  return index.records[index.owners[number] ?? -1];
}
