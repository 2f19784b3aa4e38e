import { nameOf } from '@tributary/lockfile/descriptors';
import { type LockIndex, ownerOf } from '@tributary/lockfile/lock-index';
import { descriptorsOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import { builtinSource } from './references.js';

/** The entries of the base. Those that are equal in the head are not numbered again. */
export class BaseEntries {
  readonly index: LockIndex;
  private readonly head: LockIndex;
  private readonly own: ReadonlyMap<string, LockRecord>;
  private readonly touched: ReadonlySet<string>;
  /** Whether equal entries have equal results. Not so if a descriptor is repeated, because then the order counts. */
  private readonly isSimple: boolean;

  constructor(index: LockIndex, head: LockIndex) {
    this.index = index;
    this.head = head;
    this.own = new Map(index.own.flatMap((record) => descriptorsOf(record).map((descriptor) => [descriptor, record] as const)));
    const isFresh = index.taken.length === head.records.length;
    const added = head.records.filter((_, entry) => index.taken[entry] !== 1);
    this.touched = new Set([...this.own.keys(), ...added.flatMap(descriptorsOf)].map(nameOf));
    this.isSimple =
      isFresh &&
      !head.hasRepeats &&
      ![...this.own.keys()].some((descriptor) => index.taken[head.owners[head.numbers.get(descriptor) ?? -1] ?? -1] === 1);
  }

  /** Returns whether the base has the same entry as the head at this index. */
  isTaken(entry: number): boolean {
    return this.isSimple && this.index.taken[entry] === 1;
  }

  /** Returns whether a descriptor of this package is new, removed, or in an entry that differs in any way. */
  isTouched(name: string): boolean {
    return !this.isSimple || this.touched.has(name);
  }

  /** Returns the packages with an entry of Yarn's built-in patches that only the base has; the head may have other such entries. */
  patchedNames(): readonly string[] {
    return [...this.own.keys()].filter((descriptor) => builtinSource(descriptor) !== undefined).map(nameOf);
  }

  find(descriptor: string): LockRecord | undefined {
    if (!this.isSimple) return ownerOf(this.index, this.index.numbers.get(descriptor) ?? -1);
    const number = this.head.numbers.get(descriptor) ?? -1;
    return this.own.get(descriptor) ?? (this.isTaken(this.head.owners[number] ?? -1) ? ownerOf(this.head, number) : undefined);
  }
}
