import { descriptorsOf } from './record.js';
import type { EntryHead } from './scan.js';

/** Entries of a lockfile with all their descriptors numbered. */
export interface Numbered {
  readonly records: readonly EntryHead[];
  /** All descriptors, by number; each once. */
  readonly descriptors: readonly string[];
  /**
   * The index of each descriptor's entry, by descriptor number. If two entries have the same descriptor, the later one counts, as in Yarn.
   */
  readonly owners: readonly number[];
  readonly numbers: ReadonlyMap<string, number>;
  /** Whether two entries have the same descriptor, which Yarn never writes. */
  readonly hasRepeats: boolean;
}

export function numberDescriptors(records: readonly EntryHead[]): Numbered {
  const numbers = new Map<string, number>();
  const descriptors: string[] = [];
  const owners: number[] = [];
  let hasRepeats = false;
  for (const [entry, record] of records.entries()) {
    for (const descriptor of descriptorsOf(record)) {
      const known = numbers.get(descriptor);
      if (known !== undefined) {
        hasRepeats = true;
        owners[known] = entry;
        continue;
      }
      numbers.set(descriptor, descriptors.length);
      descriptors.push(descriptor);
      owners.push(entry);
    }
  }
  return { records, descriptors, owners, numbers, hasRepeats };
}

/** Returns the name in a descriptor: `@acme/ui@npm:^1.0.0` -> `@acme/ui`. */
export function nameOf(descriptor: string): string {
  const end = descriptor.indexOf('@', 1);
  return end < 0 ? descriptor : descriptor.slice(0, end);
}
