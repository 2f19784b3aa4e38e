import type { Manifest } from '@tributary/test-repo/temp-monorepo';

/** A dependency that several packages ask for, and not all by the same range. */
export interface Drift {
  readonly name: string;
  /** Without repetition, in order of their text. */
  readonly ranges: readonly string[];
}

/** The drifted dependencies, those with the most ranges first. `manifests`: of all packages; what they are called is not counted. */
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
