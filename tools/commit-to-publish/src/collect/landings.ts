/** A commit and its parents. */
interface Descent {
  readonly id: string;
  readonly parents: readonly string[];
}

/** For commits of joined histories: the index of the first main-line commit that contains them. */
export type Landings = ReadonlyMap<string, number>;

/**
 * Finds the histories that merges joined to a main line. It excludes commits that descend from a commit of the line, such as those of a
 * feature branch. `contained`: all ancestors of the last commit of the line, parents first.
 */
export function landingsOf(mainLine: readonly string[], contained: readonly Descent[]): Landings {
  const onLine = new Set(mainLine);
  const branches = new Set<string>();
  const parentsOf = new Map<string, readonly string[]>();
  for (const { id, parents } of contained) {
    parentsOf.set(id, parents);
    if (!onLine.has(id) && parents.some((parent) => onLine.has(parent) || branches.has(parent))) branches.add(id);
  }
  const seen = new Set<string>();
  const landings = new Map<string, number>();
  for (const [position, id] of mainLine.entries()) {
    const waiting = [...(parentsOf.get(id) ?? [])];
    for (let commit = waiting.pop(); commit !== undefined; commit = waiting.pop()) {
      if (onLine.has(commit) || seen.has(commit)) continue;
      seen.add(commit);
      if (!branches.has(commit)) landings.set(commit, position);
      for (const parent of parentsOf.get(commit) ?? []) waiting.push(parent);
    }
  }
  return landings;
}
