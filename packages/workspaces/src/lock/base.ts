import { nameOf } from '@tributary/lockfile/descriptors';
import { type LockIndex, ownerOf } from '@tributary/lockfile/lock-index';
import { descriptorsOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import { builtinSource } from './references.js';

/** The entries of the base, without numbering those that the head has too. */
export class BaseEntries {
  readonly index: LockIndex;
  private readonly head: LockIndex;
  private readonly own: ReadonlyMap<string, LockRecord>;
  private readonly touched: ReadonlySet<string>;
  /** Whether equal entries may be taken for equal answers: not where a descriptor stands there twice, so that order counts. */
  private readonly isSimple: boolean;

  constructor(index: LockIndex, head: LockIndex) {
    this.index = index;
    this.head = head;
    this.own = new Map(index.own.flatMap((record) => descriptorsOf(record).map((descriptor) => [descriptor, record] as const)));
    const isFresh = index.taken.length === head.records.length;
    const added = head.records.filter((_, place) => index.taken[place] !== 1);
    this.touched = new Set([...this.own.keys(), ...added.flatMap(descriptorsOf)].map(nameOf));
    this.isSimple =
      isFresh &&
      !head.hasRepeats &&
      ![...this.own.keys()].some((descriptor) => index.taken[head.owners[head.numbers.get(descriptor) ?? -1] ?? -1] === 1);
  }

  /** Whether the entry at this place of the head stands in the base as it is. */
  isTaken(place: number): boolean {
    return this.isSimple && this.index.taken[place] === 1;
  }

  /** Whether a descriptor of this package is new, gone, or in an entry that differs in any way. */
  isTouched(name: string): boolean {
    return !this.isSimple || this.touched.has(name);
  }

  /** The packages of which the base alone has entries with patches of Yarn's own; the head may have others. */
  patchedNames(): readonly string[] {
    return [...this.own.keys()].filter((descriptor) => builtinSource(descriptor) !== undefined).map(nameOf);
  }

  find(descriptor: string): LockRecord | undefined {
    if (!this.isSimple) return ownerOf(this.index, this.index.numbers.get(descriptor) ?? -1);
    const number = this.head.numbers.get(descriptor) ?? -1;
    return this.own.get(descriptor) ?? (this.isTaken(this.head.owners[number] ?? -1) ? ownerOf(this.head, number) : undefined);
  }
}
