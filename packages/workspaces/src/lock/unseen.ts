import { nameOf } from '@tributary/lockfile/descriptors';
import { descriptorsOf } from '@tributary/lockfile/record';
import type { Comparison, EntryChange } from './compare.js';
import type { LockGraph } from './graph.js';

/**
 * The first change that concerns somebody whom this reader cannot see; `undefined` if there is none.
 *
 * Yarn keeps no entry that nothing uses. So a descriptor that no visible reference leads to is either a leftover (edited by hand, merged)
 * or used by a reference that only Yarn knows: an extension that its release or a plugin brings along. The two look alike.
 * - It stands on both sides, and it or something below it changed: somebody may get something else, and nobody knows who. Unknown.
 * - It stands on one side only: whoever asks for it by a reference of which nothing changed would have asked for it on the other side
 *   too. So either nobody does, or the one who does changed as well (and is selected for that), or the release or the plugin did, which
 *   the settings show. Nothing to add.
 */
export function findUnseen(comparison: Comparison, dirty: ReadonlyMap<number, EntryChange>): EntryChange | undefined {
  const { head, before } = comparison;
  const { descriptors, owners, records } = head.index;
  const seen = seenDescriptors(head);
  for (const [number, descriptor] of descriptors.entries()) {
    const place = owners[number] ?? -1;
    if (seen[number] === 1 || records[place]?.workspace !== undefined || before.find(descriptor) === undefined) continue;
    const change = comparison.changeOf(number) ?? dirty.get(place);
    if (change !== undefined && !isOwnPeer(head, number, seen)) return change;
  }
  return undefined;
}

/**
 * Whether a descriptor is what Yarn calls a package that is used by an alias, where it is itself the peer of one of its dependencies:
 * `core@npm:core@7` beside `old-core@npm:core@7`. Source: `resolvePeerDependencies` in `Project` of @yarnpkg/core.
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

/** By number, 1 for every descriptor that a path of references leads to from a workspace. */
function seenDescriptors(graph: LockGraph): Uint8Array {
  const { owners, records, descriptors } = graph.index;
  const seen = new Uint8Array(descriptors.length);
  const reached = new Uint8Array(records.length);
  const queue: number[] = [];
  records.forEach(({ workspace }, place) => {
    if (workspace === undefined) return;
    reached[place] = 1;
    queue.push(place);
  });
  for (const place of queue) {
    for (const number of graph.targetsOf(place)) {
      seen[number] = 1;
      const owner = owners[number] ?? -1;
      if (reached[owner] === 1) continue;
      reached[owner] = 1;
      queue.push(owner);
    }
  }
  return seen;
}
