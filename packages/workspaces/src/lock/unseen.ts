import { nameOf } from '@tributary/lockfile/descriptors';
import { descriptorsOf } from '@tributary/lockfile/record';
import type { EntryChange, LockComparison } from './compare.js';
import type { LockGraph } from './graph.js';

/**
 * Returns the first change whose users this reader cannot see; `undefined` if there is none.
 *
 * Yarn keeps no unused entry. So a descriptor that no visible reference leads to is a leftover (of an edit or a merge), or only Yarn knows
 * its reference. Such references come from extensions of its release or of a plugin. The two cases look alike.
 * - Both sides have the descriptor, and it or something below it changed: an unknown workspace may get something else. Returned.
 * - Only one side has it: an unchanged reference would have kept it on the other side too. So it is unused; or its user changed as well,
 *   which selects that user; or the release or the plugin changed, which the settings show. Nothing to add.
 */
export function findUnseen(comparison: LockComparison, dirty: ReadonlyMap<number, EntryChange>): EntryChange | undefined {
  const { head, before } = comparison;
  const { descriptors, owners, records } = head.index;
  const seen = seenDescriptors(head);
  for (const [number, descriptor] of descriptors.entries()) {
    const entry = owners[number] ?? -1;
    if (seen[number] === 1 || records[entry]?.workspace !== undefined || before.find(descriptor) === undefined) continue;
    const change = comparison.changeOf(number) ?? dirty.get(entry);
    if (change !== undefined && !isOwnPeer(head, number, seen)) return change;
  }
  return undefined;
}

/**
 * Returns whether Yarn added a descriptor for a package behind an alias. It does so if the package is a peer of one of its own
 * dependencies: `core@npm:core@7` beside `old-core@npm:core@7`. Source: `resolvePeerDependencies` in `Project` of @yarnpkg/core.
 */
function isOwnPeer({ index }: LockGraph, number: number, seen: Uint8Array): boolean {
  const { descriptors, owners, numbers } = index;
  const descriptor = descriptors[number] ?? '';
  const record = index.records[owners[number] ?? -1];
  const name = nameOf(descriptor);
  if (record === undefined || nameOf(record.resolution) !== name) return false;
  const range = descriptor.slice(name.length);
  return descriptorsOf(record).some((other) => other.slice(nameOf(other).length) === range && seen[numbers.get(other) ?? -1] === 1);
}

/** Returns, by number, 1 for every descriptor to which references lead from a workspace. */
function seenDescriptors(graph: LockGraph): Uint8Array {
  const { owners, records, descriptors } = graph.index;
  const seen = new Uint8Array(descriptors.length);
  const reached = new Uint8Array(records.length);
  const queue: number[] = [];
  records.forEach(({ workspace }, entry) => {
    if (workspace === undefined) return;
    reached[entry] = 1;
    queue.push(entry);
  });
  for (const entry of queue) {
    for (const number of graph.targetsOf(entry)) {
      seen[number] = 1;
      const owner = owners[number] ?? -1;
      if (reached[owner] === 1) continue;
      reached[owner] = 1;
      queue.push(owner);
    }
  }
  return seen;
}
