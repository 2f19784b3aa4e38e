import type { Reading } from './reading-search.js';
import type { ReferenceMap } from './reference-map.js';
import { ownerOf } from './tree.js';

/** Returns what workspaces read without an edge of a manifest that carries a change there. Nobody can declare a file of the root. */
export function undeclaredReadings({ tree, collected, readings }: ReferenceMap): readonly Reading[] {
  const declared = new Set(tree.graph.edges.map(({ from, to }) => `${from} ${to}`));
  return readings.filter(({ from, target, chain, by }) => {
    const owner = target.kind === 'workspace' ? target.member : ownerOf(tree, target.path);
    if (owner !== tree.root && declared.has(`${from} ${owner}`)) return false;
    // The manifest may resolve the name to the registry. That does not apply to names in root files, which have another manifest.
    const isOwnName = by === 'name' && chain.length === 1;
    return !isOwnName || collected.workspaces.get(from)?.manifest?.declared.includes(tree.graph.members[owner]?.name ?? '') !== true;
  });
}
