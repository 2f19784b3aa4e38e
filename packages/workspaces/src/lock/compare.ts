import { nameOf } from '@tributary/lockfile/descriptors';
import { type LockIndex, ownerOf } from '@tributary/lockfile/lock-index';
import { isSameEntry, pairsOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import { BaseEntries } from './base.js';
import { type LockGraph, spread } from './graph.js';
import { changedExtensions } from './package-extensions.js';
import { type LockRules, type Reference, References } from './references.js';
import { changedResolutions, isResolvedAnew, normalizeRange } from './resolutions.js';

/** A changed entry of a lockfile. */
export interface EntryChange {
  /** The descriptor, such as `left-pad@npm:^1.0.0`. */
  readonly entry: string;
  /** Its resolution at the base, such as `left-pad@npm:1.0.0`; `null` if it had none. */
  readonly from: string | null;
  /** Its resolution at the head. Equal to `from` if content, dependencies or extensions changed. */
  readonly to: string | null;
}

/** The rules of both commits. */
interface Rules {
  readonly base: LockRules;
  readonly head: LockRules;
}

/** Compares two sides of a lockfile. Descriptors are identified by their numbers at the head. */
export class LockComparison {
  readonly head: LockGraph;
  readonly before: BaseEntries;
  private readonly rules: Rules;
  private readonly changes: (EntryChange | null | undefined)[] = [];
  private readonly changedNames: {
    readonly resolutions: ReturnType<typeof changedResolutions>;
    /** Packages that Yarn no longer patches itself: this changes the targets of their references, like a resolution. */
    readonly unpatched: ReadonlySet<string>;
    readonly extensions: ReadonlySet<string>;
  };
  private references: References | undefined;

  /** `base` should have been indexed with the head's index as the similar one. */
  constructor(base: LockIndex, head: LockGraph, rules: Rules) {
    this.head = head;
    this.rules = rules;
    this.before = new BaseEntries(base, head.index);
    this.changedNames = {
      resolutions: changedResolutions(rules.base.resolutions, rules.head.resolutions),
      unpatched: new Set(this.before.patchedNames().filter((name) => !head.references.patchedNames.has(name))),
      extensions: changedExtensions(rules.base.extensions, rules.head.extensions),
    };
  }

  /** Returns the references of the base, built on first use: most comparisons do not need them. */
  get base(): References {
    this.references ??= new References(this.before.index, this.rules.base);
    return this.references;
  }

  /** Returns the change of a descriptor; `undefined` if it resolves to the same package, with the same content and dependencies. */
  changeOf(number: number): EntryChange | undefined {
    const known = this.changes[number];
    if (known !== undefined) return known ?? undefined;
    const change = this.findChange(number) ?? null;
    this.changes[number] = change;
    return change ?? undefined;
  }

  private findChange(number: number): EntryChange | undefined {
    const { index } = this.head;
    const after = ownerOf(index, number);
    if (after === undefined) return undefined;
    const entry = index.descriptors[number] ?? '';
    const before = this.before.isTaken(index.owners[number] ?? -1) ? after : this.before.find(entry);
    if (isSame(before, after) && !this.isExtendedAnew(after)) return undefined;
    return { entry, from: before?.resolution ?? null, to: after.resolution };
  }

  /**
   * Returns whether other extensions than before apply to an entry. Only the name counts, because the extended versions may have changed
   * too.
   */
  isExtendedAnew({ key }: LockRecord): boolean {
    return this.changedNames.extensions.size > 0 && this.changedNames.extensions.has(nameOf(key));
  }

  /** Returns whether a descriptor of this package may have changed itself. */
  mayHaveChanged(name: string): boolean {
    return this.before.isTouched(name) || this.changedNames.extensions.size > 0;
  }

  /**
   * Returns whether an entry of the head certainly leads to the same packages as at the base. `indirect`: its references without a key of
   * their own.
   */
  isUntouched(entry: number, indirect: readonly Reference[]): boolean {
    const { resolutions, unpatched, extensions } = this.changedNames;
    if (!this.before.isTaken(entry) || resolutions.size + unpatched.size + extensions.size > 0) return false;
    return (
      indirect.every((reference) => !this.before.isTouched(reference.name) && !this.isRuledAnew(reference)) && !this.leadsToChange(entry)
    );
  }

  private leadsToChange(entry: number): boolean {
    return this.head.leadsTo(entry, (number) => this.changeOf(number) !== undefined);
  }

  /** Returns the change of a reference that the base has too, as `was`. The keys may differ; only the resolutions count. */
  changeOfReference(was: Reference, is: Reference): EntryChange | undefined {
    const isUntouched = was.range === is.range && was.parent.resolution === is.parent.resolution && !this.before.isTouched(is.name);
    if (isUntouched && !this.isRuledAnew(is)) return firstOf(this.head.references.find(is), (number) => this.changeOf(number));
    const before = this.base.find(was).map((number) => ownerOf(this.base.index, number));
    const numbers = this.head.references.find(is);
    const after = numbers.map((number) => ownerOf(this.head.index, number));
    const differs = after.findIndex((record, at) => !isSame(before[at], record));
    if (differs < 0 && before.length === after.length && !this.isRuledAnew(is)) {
      return firstOf(numbers, (number) =>
        this.isExtendedAnew(ownerOf(this.head.index, number) ?? is.parent) ? this.changeOf(number) : undefined,
      );
    }
    const at = Math.max(differs, 0);
    return { entry: `${is.name}@${is.range}`, from: before[at]?.resolution ?? null, to: after[at]?.resolution ?? null };
  }

  /** Returns whether another resolution, or another range in a catalog, applies to a reference than before. */
  isRuledAnew({ parent, name, range }: Reference): boolean {
    const resolutions = this.changedNames.resolutions.get(name);
    if (resolutions !== undefined && isResolvedAnew(resolutions, parent.resolution, normalizeRange(range))) return true;
    if (this.changedNames.unpatched.has(name)) return true;
    if (!range.startsWith('catalog:')) return false;
    const catalog = range.slice('catalog:'.length);
    return this.rules.base.catalogs.get(catalog)?.get(name) !== this.rules.head.catalogs.get(catalog)?.get(name);
  }

  /**
   * Returns the packages of the head, by index, that reach a change, each with the nearest one. The changed entries themselves may be
   * missing.
   */
  dirtyPackages(): ReadonlyMap<number, EntryChange> {
    const { index, indirect } = this.head;
    const seeds = new Map<number, EntryChange>();
    const isPackage = (entry: number) => index.records[entry]?.workspace === undefined;
    for (const { entry, reference } of [...indirect, ...this.ruledAnew()]) {
      const change = isPackage(entry) && !seeds.has(entry) ? this.changeOfReference(reference, reference) : undefined;
      if (change !== undefined) seeds.set(entry, change);
    }
    for (const [entry, { workspace }] of index.records.entries()) {
      if (workspace !== undefined || seeds.has(entry) || !this.leadsToChange(entry)) continue;
      const change = firstOf(this.head.targetsOf(entry), (number) => this.changeOf(number));
      if (change !== undefined) seeds.set(entry, change);
    }
    return spread(this.head, seeds);
  }

  /** Returns the references to which a resolution applied before or applies now. */
  private ruledAnew(): readonly { readonly entry: number; readonly reference: Reference }[] {
    if (this.changedNames.resolutions.size + this.changedNames.unpatched.size === 0) return [];
    return this.head.index.records.flatMap((parent, entry) =>
      referencesOf(parent)
        .filter((reference) => this.isRuledAnew(reference))
        .map((reference) => ({ entry, reference })),
    );
  }
}

/** Returns the dependencies of an entry, in the order of the file. */
export function referencesOf(parent: LockRecord): readonly Reference[] {
  return pairsOf(parent).map(([name, range]) => ({ parent, name, range }));
}

function isSame(before: LockRecord | undefined, after: LockRecord | undefined): boolean {
  return before !== undefined && after !== undefined && isSameEntry(before, after);
}

/** Returns the first result that is not `undefined`. */
export function firstOf<T>(numbers: Iterable<number>, answer: (number: number) => T | undefined): T | undefined {
  for (const number of numbers) {
    const found = answer(number);
    if (found !== undefined) return found;
  }
  return undefined;
}
