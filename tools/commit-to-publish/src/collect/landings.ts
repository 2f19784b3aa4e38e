/** A commit and those it was made from. */
interface Descent {
  readonly id: string;
  readonly parents: readonly string[];
}

/** Of commits that came with another history: the place of the first commit of the main line that contains them. */
export type Landings = ReadonlyMap<string, number>;

/**
 * Finds the histories that merges of a main line have joined to it. Commits that contain a commit of the line, such as those of a feature branch, are none of them.
 * `contained`: all that the last commit of the line contains, parents first.
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
  for (const [place, id] of mainLine.entries()) {
    const waiting = [...(parentsOf.get(id) ?? [])];
    for (let commit = waiting.pop(); commit !== undefined; commit = waiting.pop()) {
      if (onLine.has(commit) || seen.has(commit)) continue;
      seen.add(commit);
      if (!branches.has(commit)) landings.set(commit, place);
      for (const parent of parentsOf.get(commit) ?? []) waiting.push(parent);
    }
  }
  return landings;
}
