import type { WorkspaceName } from '@tributary/model/ids';

/** A package and the names of what it asks for, of any kind. */
export interface Newcomer {
  readonly name: WorkspaceName;
  readonly asksFor: ReadonlySet<string>;
}

/**
 * Orders the newcomers, dependencies first, whatever range they ask for; by name where nothing else decides and inside a cycle.
 * Ranges do not matter here, so the graph of the workspaces, which has an edge only where Yarn would link, is no help.
 */
export function orderNewcomers<T extends Newcomer>(newcomers: readonly T[]): T[] {
  const sorted = [...newcomers].sort((a, b) => (a.name < b.name ? -1 : 1));
  const placed = new Set<T>();
  const path = new Set<T>();
  const place = (newcomer: T): void => {
    if (placed.has(newcomer) || path.has(newcomer)) return;
    path.add(newcomer);
    for (const other of sorted) if (newcomer.asksFor.has(other.name)) place(other);
    path.delete(newcomer);
    placed.add(newcomer);
  };
  for (const newcomer of sorted) place(newcomer);
  return [...placed];
}

/** Those that need one of the missing, directly or through others, each with the missing dependency that its way starts with. */
export function findStranded<T extends Newcomer>(newcomers: readonly T[], missing: Iterable<WorkspaceName>): Map<T, WorkspaceName> {
  const gone = new Set(missing);
  const stranded = new Map<T, WorkspaceName>();
  for (let before = -1; before !== stranded.size; ) {
    before = stranded.size;
    for (const newcomer of newcomers) {
      const dependency = [...gone].find((name) => newcomer.asksFor.has(name) && name !== newcomer.name);
      if (stranded.has(newcomer) || dependency === undefined) continue;
      stranded.set(newcomer, dependency);
      gone.add(newcomer.name);
    }
  }
  return stranded;
}
