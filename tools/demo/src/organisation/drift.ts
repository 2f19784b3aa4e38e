import type { Manifest } from '@tributary/test-repo/temp-monorepo';

/** A dependency that several packages request with different ranges. */
export interface Drift {
  readonly name: string;
  /** Without duplicates, sorted as text. */
  readonly ranges: readonly string[];
}

/** Returns the drifted dependencies, those with the most ranges first. `manifests`: those of all packages, whose own names do not count. */
export function findDrift(manifests: readonly Manifest[]): Drift[] {
  const own = new Set(manifests.map(({ name }) => name));
  const ranges = new Map<string, Set<string>>();
  for (const { dependencies, devDependencies } of manifests) {
    for (const [name, range] of Object.entries({ ...(dependencies as object), ...(devDependencies as object) })) {
      if (!own.has(name)) ranges.set(name, (ranges.get(name) ?? new Set()).add(String(range)));
    }
  }
  return [...ranges]
    .filter(([, found]) => found.size > 1)
    .map(([name, found]) => ({ name, ranges: [...found].sort() }))
    .sort((a, b) => b.ranges.length - a.ranges.length);
}
