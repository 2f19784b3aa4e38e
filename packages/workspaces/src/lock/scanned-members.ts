import { type BerryMembers, buildBerryMembers, placesByPath } from './berry-members.js';
import { Blocks } from './blocks.js';
import { readBoundPath } from './bound.js';
import type { LaidLock } from './laid-lock.js';
import { LockScan } from './lock-scan.js';
import { MemberNames } from './member-names.js';
import type { Index } from './requests.js';
import { ScannedEdges } from './scanned-edges.js';

/**
 * As `readCarefully`, many times as fast; `undefined` for what is not in every line as Yarn writes it, and where no WebAssembly can be run.
 */
export function scanMembers(lock: LaidLock): BerryMembers | undefined {
  if (!lock.endsWithEntry()) return undefined;
  const bound = lock.boundKeys();
  const scan = LockScan.of(lock, bound.join('').length);
  if (scan === undefined) return undefined;
  const { members } = scan;
  const byPath = placesByPath(members);
  if (byPath === undefined || !scan.findEdges(bound.flatMap((key) => readBoundPath(key)?.name ?? []))) return undefined;
  const blocks = new Blocks({ members, startOf: (place) => scan.startOf(place), known: [], read: (place) => scan.blockOf(place) });
  let index: Index | undefined;
  const edges = new ScannedEdges(scan, () => {
    index ??= { text: lock.text, blocks, names: new MemberNames(blocks, { byPath }, bound), byPath };
    return index;
  });
  const source = {
    get text(): string {
      return lock.text;
    },
    ...{ blocks, edges, scan, isAsYarnWrites: () => scan.isAsYarnWrites() },
  };
  return buildBerryMembers(source, { byPath, bound });
}
