import type { EdgesConfig } from '@tributary/model/config';
import type { EdgeChange } from '@tributary/workspaces/edges-edit';
import type { FoundEdge } from './edges.js';
import type { StaleEdge } from './finding.js';

/** Returns the observed edges that are missing in tributary.json, ordered by reader and name. */
export function edgesToAdd(edges: EdgesConfig, found: readonly FoundEdge[]): readonly EdgeChange[] {
  const listed = ({ from, kind, to }: FoundEdge): string | undefined =>
    (kind === 'workspace' ? edges[from]?.workspaces : edges[from]?.files)?.[to];
  return found
    .filter((edge) => listed(edge) === undefined)
    .map(({ from, kind, to, proof }): EdgeChange => ({ from, kind: kind === 'workspace' ? 'workspaces' : 'files', to, proof }))
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Returns the removal of edges that answers follow without an entry. One with a wrong name stays: a person may know what it should say. */
export function edgesToRemove(edges: EdgesConfig, stale: readonly StaleEdge[]): readonly EdgeChange[] {
  return stale
    .filter(({ missing }) => missing === 'nothing')
    .map(
      ({ from, to, proof }): EdgeChange => ({
        from,
        kind: edges[from]?.workspaces[to] === proof ? 'workspaces' : 'files',
        to,
        proof: undefined,
      }),
    );
}

function keyOf({ from, kind, to }: EdgeChange): string {
  return [from, kind === 'workspaces' ? 0 : 1, to].join('\0');
}
