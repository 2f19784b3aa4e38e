import type { EdgesConfig } from '@tributary/model/config';
import type { EdgeChange } from '@tributary/workspaces/edges-edit';
import type { FoundEdge } from './edges.js';
import type { StaleEdge } from './finding.js';

/** The result of `check --fix` for a commit. */
export interface EdgesFound {
  readonly found: readonly FoundEdge[];
  readonly stale: readonly StaleEdge[];
  readonly tracked: ReadonlySet<string>;
}

/** Returns the edges that are missing in tributary.json, ordered by reader and name. */
export function edgesToAdd(edges: EdgesConfig, found: readonly FoundEdge[]): readonly EdgeChange[] {
  const missing = found.filter((edge) => proofOf(edges, edge) === undefined);
  return missing.map(changeOf).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/**
 * Returns the other changes to a tributary.json that equals the one of the commit. A proof whose line moved is updated. An edge is removed
 * only if both its target and the file of its proof are gone. Any other edge that was not found may come from a person who knows more.
 */
export function edgesToRenew(edges: EdgesConfig, { found, stale, tracked }: EdgesFound): readonly EdgeChange[] {
  const renewed = found.filter((edge) => {
    const known = proofOf(edges, edge);
    return known !== undefined && known !== edge.proof && (fileOf(known) === fileOf(edge.proof) || isGone(tracked, known));
  });
  const gone = stale.filter(({ missing, proof }) => missing !== 'reading' && isGone(tracked, proof));
  return [
    ...renewed.map(changeOf),
    ...gone.map(
      ({ from, to, proof }): EdgeChange => ({
        from,
        kind: edges[from]?.workspaces[to] === proof ? 'workspaces' : 'files',
        to,
        proof: undefined,
      }),
    ),
  ];
}

function changeOf({ from, kind, to, proof }: FoundEdge): EdgeChange {
  return { from, kind: kind === 'workspace' ? 'workspaces' : 'files', to, proof };
}

function proofOf(edges: EdgesConfig, { from, kind, to }: FoundEdge): string | undefined {
  return (kind === 'workspace' ? edges[from]?.workspaces : edges[from]?.files)?.[to];
}

function keyOf({ from, kind, to }: EdgeChange): string {
  return [from, kind === 'workspaces' ? 0 : 1, to].join('\0');
}

/** `a/x.ts:1` -> `a/x.ts` */
function fileOf(proof: string): string {
  return proof.replace(/:\d+$/, '');
}

/** Tells whether a proof is a line of a file that no longer exists. */
function isGone(tracked: ReadonlySet<string>, proof: string): boolean {
  return /^[^\s]+:\d+$/.test(proof) && !tracked.has(fileOf(proof));
}
