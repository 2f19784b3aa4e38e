import type { CommitId } from '@tributary/model/ids';

interface Descent {
  readonly id: string;
  readonly parents: readonly string[];
}

/**
 * Returns, by commit of a publication beside the main line, the index of the main-line merge that brought it and nothing new: a release
 * branch was merged back. `contained`: all ancestors of the last commit of the line.
 */
export function backMergesOf(
  line: readonly Descent[],
  contained: readonly Descent[],
  published: ReadonlySet<CommitId>,
): ReadonlyMap<CommitId, number> {
  const parentsOf = new Map(contained.map(({ id, parents }) => [id, parents]));
  const seen = new Set(line.map(({ id }) => id));
  const found = new Map<CommitId, number>();
  for (const [position, { parents }] of line.entries()) {
    const brought = walk(parents.slice(1), parentsOf, (id) => !seen.has(id));
    for (const id of brought) seen.add(id);
    const own = [...brought].filter((id): id is CommitId => published.has(id as CommitId));
    if (own.length === 0) continue;
    const out = walk(own, parentsOf, (id) => brought.has(id));
    // A merge has no change of its own.
    if ([...brought].every((id) => out.has(id) || (parentsOf.get(id)?.length ?? 0) > 1)) for (const id of own) found.set(id, position);
  }
  return found;
}

function walk(from: readonly string[], parentsOf: ReadonlyMap<string, readonly string[]>, isWanted: (id: string) => boolean): Set<string> {
  const found = new Set<string>();
  const waiting = [...from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id) || !isWanted(id)) continue;
    found.add(id);
    waiting.push(...(parentsOf.get(id) ?? []));
  }
  return found;
}
