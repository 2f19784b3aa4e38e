import { nameOf } from '@tributary/lockfile/descriptors';
import { type LockIndex, ownerOf } from '@tributary/lockfile/lock-index';
import { isSameEntry, pairsOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import { BaseEntries } from './base.js';
import { type LockGraph, spread } from './graph.js';
import { changedExtensions } from './package-extensions.js';
import { type LockRules, type Reference, References } from './references.js';
import { changedResolutions, isResolvedAnew, normalizeRange } from './resolutions.js';

/** An entry of a lockfile that is not what it was. */
export interface EntryChange {
  /** The descriptor, such as `left-pad@npm:^1.0.0`. */
  readonly entry: string;
  /** What it resolved to at the base, such as `left-pad@npm:1.0.0`; `null` if it was not there. */
  readonly from: string | null;
  /** The same at the head. Equal to `from` where content, dependencies or extensions changed. */
  readonly to: string | null;
}

/** The old and the new rules. */
interface Rules {
  readonly base: LockRules;
  readonly head: LockRules;
}

/** Two sides of a lockfile, seen from the head. Descriptors are meant by their numbers at the head. */
export class Comparison {
  readonly head: LockGraph;
  readonly before: BaseEntries;
  private readonly rules: Rules;
  private readonly changes: (EntryChange | null | undefined)[] = [];
  private readonly changedNames: {
    readonly resolutions: ReturnType<typeof changedResolutions>;
    /** That Yarn no longer patches a package by itself changes what its references lead to, as a resolution would. */
    readonly unpatched: ReadonlySet<string>;
    readonly extensions: ReadonlySet<string>;
  };
  private references: References | undefined;

  /** `base` should have been indexed with the index of the head for a similar one. */
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

  /** The references of the base. Most comparisons do without. */
  get base(): References {
    this.references ??= new References(this.before.index, this.rules.base);
    return this.references;
  }

  /** What became of a descriptor; `undefined` if it resolves to the same package, with the same content and dependencies. */
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

  /** Whether other extensions are for it than before. Only the name counts: which versions they are for may have changed too. */
  isExtendedAnew({ key }: LockRecord): boolean {
    return this.changedNames.extensions.size > 0 && this.changedNames.extensions.has(nameOf(key));
  }

  /** Whether something may have become of a descriptor of this package itself. */
  mayHaveChanged(name: string): boolean {
    return this.before.isTouched(name) || this.changedNames.extensions.size > 0;
  }

  /** Whether an entry of the head, with the references that its keys do not answer, certainly leads to what it led to at the base. */
  isUntouched(place: number, indirect: readonly Reference[]): boolean {
    const { resolutions, unpatched, extensions } = this.changedNames;
    if (!this.before.isTaken(place) || resolutions.size + unpatched.size + extensions.size > 0) return false;
    return (
      indirect.every((reference) => !this.before.isTouched(reference.name) && !this.isRuledAnew(reference)) && !this.leadsToChange(place)
    );
  }

  private leadsToChange(place: number): boolean {
    return this.head.leadsTo(place, (number) => this.changeOf(number) !== undefined);
  }

  /** What became of a reference that the base has too, `was` there. The keys may differ; what they resolve to counts. */
  changeOfReference(was: Reference, is: Reference): EntryChange | undefined {
    const isUntouched = was.range === is.range && was.parent.resolution === is.parent.resolution && !this.before.isTouched(is.name);
    if (isUntouched && !this.isRuledAnew(is)) return firstOf(this.head.references.find(is), (number) => this.changeOf(number));
    const before = this.base.find(was).map((number) => ownerOf(this.base.index, number));
    const numbers = this.head.references.find(is);
    const after = numbers.map((number) => ownerOf(this.head.index, number));
    const differs = after.findIndex((record, place) => !isSame(before[place], record));
    if (differs < 0 && before.length === after.length && !this.isRuledAnew(is)) {
      return firstOf(numbers, (number) =>
        this.isExtendedAnew(ownerOf(this.head.index, number) ?? is.parent) ? this.changeOf(number) : undefined,
      );
    }
    const place = Math.max(differs, 0);
    return { entry: `${is.name}@${is.range}`, from: before[place]?.resolution ?? null, to: after[place]?.resolution ?? null };
  }

  /** Whether another resolution, or another range in a catalog, is for it than before. */
  isRuledAnew({ parent, name, range }: Reference): boolean {
    const resolutions = this.changedNames.resolutions.get(name);
    if (resolutions !== undefined && isResolvedAnew(resolutions, parent.resolution, normalizeRange(range))) return true;
    if (this.changedNames.unpatched.has(name)) return true;
    if (!range.startsWith('catalog:')) return false;
    const catalog = range.slice('catalog:'.length);
    return this.rules.base.catalogs.get(catalog)?.get(name) !== this.rules.head.catalogs.get(catalog)?.get(name);
  }

  /** All packages of the head, by place, that reach something that changed, each with the nearest; the changed ones need not be in it. */
  dirtyPackages(): ReadonlyMap<number, EntryChange> {
    const { index, indirect } = this.head;
    const seeds = new Map<number, EntryChange>();
    const isPackage = (place: number) => index.records[place]?.workspace === undefined;
    for (const { place, reference } of [...indirect, ...this.ruledAnew()]) {
      const change = isPackage(place) && !seeds.has(place) ? this.changeOfReference(reference, reference) : undefined;
      if (change !== undefined) seeds.set(place, change);
    }
    for (const [place, { workspace }] of index.records.entries()) {
      if (workspace !== undefined || seeds.has(place) || !this.leadsToChange(place)) continue;
      const change = firstOf(this.head.targetsOf(place), (number) => this.changeOf(number));
      if (change !== undefined) seeds.set(place, change);
    }
    return spread(this.head, seeds);
  }

  /** References by key that a resolution was for, or is now. */
  private ruledAnew(): readonly { readonly place: number; readonly reference: Reference }[] {
    if (this.changedNames.resolutions.size + this.changedNames.unpatched.size === 0) return [];
    return this.head.index.records.flatMap((parent, place) =>
      referencesOf(parent)
        .filter((reference) => this.isRuledAnew(reference))
        .map((reference) => ({ place, reference })),
    );
  }
}

/** What an entry asks for, in the order of the file. */
export function referencesOf(parent: LockRecord): readonly Reference[] {
  return pairsOf(parent).map(([name, range]) => ({ parent, name, range }));
}

function isSame(before: LockRecord | undefined, after: LockRecord | undefined): boolean {
  return before !== undefined && after !== undefined && isSameEntry(before, after);
}

/** The first answer that is not `undefined`. */
export function firstOf<T>(numbers: Iterable<number>, answer: (number: number) => T | undefined): T | undefined {
  for (const number of numbers) {
    const found = answer(number);
    if (found !== undefined) return found;
  }
  return undefined;
}
