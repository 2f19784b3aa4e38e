import { Dice } from '@tributary/test-repo/dice';

/** The size of a generated monorepo; the same shape gives the same plan. */
export interface Shape {
  readonly workspaces: number;
  /** The number of third-party packages, of which each workspace uses about eight. */
  readonly externals: number;
  readonly seed: number;
}

export type Field = 'dependencies' | 'devDependencies' | 'peerDependencies';

/** One entry of a manifest block; `to` is an index in the list of packages or externals. */
export interface PlannedRequest {
  readonly to: number;
  readonly field: Field;
  /** As in the manifest. */
  readonly range: string;
}

/** A workspace of the generated monorepo. */
export interface PlannedPackage {
  readonly name: string;
  readonly folder: string;
  readonly version: string;
  /** Its dependencies among the workspaces, each earlier in the list. At most one request for each field and workspace. */
  readonly internal: readonly PlannedRequest[];
  readonly external: readonly PlannedRequest[];
}

/** A third-party package, with one version that satisfies all its ranges. */
export interface PlannedExternal {
  readonly name: string;
  readonly version: string;
  /** At most two, sorted; empty if nothing requests it. */
  readonly ranges: readonly string[];
  /** Only on externals later in the list. */
  readonly dependencies: readonly PlannedRequest[];
}

export interface MonorepoPlan {
  readonly packages: readonly PlannedPackage[];
  readonly externals: readonly PlannedExternal[];
}

/**
 * Plans a realistic monorepo: a few core packages that many use, and domains of 25 packages that mostly use each other. Each package
 * depends on three to four workspaces, also as dev and peer dependencies, by `workspace:^` or by a range that the version satisfies.
 */
export function planMonorepo(shape: Shape): MonorepoPlan {
  const dice = new Dice(shape.seed);
  const externals = Array.from({ length: shape.externals }, (_, at) => planExternal(at, shape.externals, dice));
  const packages = Array.from({ length: shape.workspaces }, (_, at) => {
    const external = pickSome(6 + dice.below(5), externals.length, dice).map((to): PlannedRequest => {
      const field = dice.chance(30) ? 'devDependencies' : 'dependencies';
      return { to, field, range: dice.pick(externals[to]?.ranges ?? []) };
    });
    return planPackage(at, { shape, dice, external });
  });
  return { packages, externals: withUsedRanges(externals, packages) };
}

function planExternal(at: number, count: number, dice: Dice): PlannedExternal {
  const major = dice.below(9) + 1;
  const later = count - at - 1;
  const wanted = later === 0 ? 0 : Math.max(0, dice.below(5) - 1);
  return {
    name: `${dice.pick(['fast', 'tiny', 'node', 'is', 'to', 'parse', 'stream', 'plugin'])}-library-${number(at)}`,
    version: `${major}.${2 + dice.below(20)}.${dice.below(10)}`,
    ranges: dice.chance(40) ? [`^${major}.0.0`, `^${major}.1.0`] : [`^${major}.1.0`],
    // The range is filled in when the target's range is known.
    dependencies: pickSome(Math.min(wanted, later), later, dice).map((to) => ({ to: at + 1 + to, field: 'dependencies', range: '' })),
  };
}

function planPackage(
  at: number,
  made: { readonly shape: Shape; readonly dice: Dice; readonly external: readonly PlannedRequest[] },
): PlannedPackage {
  const { shape, dice, external } = made;
  const targets = new Set<number>();
  const wanted = Math.min(at, 2 + dice.below(4));
  // A draw may repeat a target; the first packages have few to draw from.
  for (let draws = 0; targets.size < wanted && draws < 40; draws++) targets.add(pickTarget(at, shape, dice));
  return {
    name: `@large/package-${number(at)}`,
    folder: `packages/package-${number(at)}`,
    version: `1.${dice.below(20)}.${dice.below(10)}`,
    internal: [...targets].sort((a, b) => a - b).flatMap((to) => requestsFor(to, dice)),
    external,
  };
}

const DOMAIN = 25;
const ROOT_DEPENDENCIES = 3;

function pickTarget(at: number, shape: Shape, dice: Dice): number {
  const core = Math.max(5, Math.round(shape.workspaces * 0.03));
  const domain = at - ((at - core) % DOMAIN);
  if (at > core && at > domain && dice.chance(65)) return domain + dice.below(at - domain);
  return dice.below(dice.chance(85) ? Math.min(core, at) : at);
}

function requestsFor(to: number, dice: Dice): PlannedRequest[] {
  const range = dice.chance(60) ? 'workspace:^' : '^1.0.0';
  if (dice.chance(20)) return [{ to, field: 'devDependencies', range }];
  if (!dice.chance(15)) return [{ to, field: 'dependencies', range }];
  const peer: PlannedRequest = { to, field: 'peerDependencies', range: '^1.0.0' };
  return dice.chance(50) ? [peer] : [{ to, field: 'devDependencies', range: 'workspace:^' }, peer];
}

/** Reduces the ranges of each external to the requested ones. An external without requests has none, and Yarn does not know it. */
function withUsedRanges(externals: readonly PlannedExternal[], packages: readonly PlannedPackage[]): PlannedExternal[] {
  const used = externals.map(({ ranges }, at) => new Set(at < ROOT_DEPENDENCIES ? ranges.slice(0, 1) : []));
  for (const { to, range } of packages.flatMap(({ external }) => external)) used[to]?.add(range);
  return externals.map((external, at) => {
    const dependencies = external.dependencies.map((request) => ({ ...request, range: externals[request.to]?.ranges[0] ?? '' }));
    // Dependents of an external precede it, so the set is complete here.
    if (used[at]?.size !== 0) for (const { to, range } of dependencies) used[to]?.add(range);
    return { ...external, dependencies, ranges: [...(used[at] ?? [])].sort() };
  });
}

/** Returns the root's own dependencies: the first of the externals. */
export function rootDependencies(plan: MonorepoPlan): readonly PlannedExternal[] {
  return plan.externals.slice(0, ROOT_DEPENDENCIES);
}

/** Returns distinct numbers below `below`, in ascending order. */
function pickSome(count: number, below: number, dice: Dice): number[] {
  const picked = new Set<number>();
  while (picked.size < Math.min(count, below)) picked.add(dice.below(below));
  return [...picked].sort((a, b) => a - b);
}

function number(at: number): string {
  return String(at).padStart(4, '0');
}

/** Returns all workspaces that a change of these reaches, including themselves, along edges of every kind, by walking the plan. */
export function reachedBy(plan: MonorepoPlan, seeds: Iterable<number>): ReadonlySet<number> {
  const reached = new Set(seeds);
  // Dependents follow their dependencies, so one pass from the first seed is enough.
  for (let at = Math.min(...reached) + 1; at < plan.packages.length; at++) {
    if (plan.packages[at]?.internal.some(({ to }) => reached.has(to))) reached.add(at);
  }
  return reached;
}

/** Returns the workspaces that depend on this external, at any depth. */
export function usersOf(plan: MonorepoPlan, external: number): number[] {
  const holds = new Set([external]);
  for (let at = external - 1; at >= 0; at--) if (plan.externals[at]?.dependencies.some(({ to }) => holds.has(to))) holds.add(at);
  return [...plan.packages.keys()].filter((at) => plan.packages[at]?.external.some(({ to }) => holds.has(to)));
}

/** Returns the index of the package with the median number of dependents. */
export function medianPackage(plan: MonorepoPlan): number {
  const sizes = plan.packages.map((_, at) => ({ at, size: reachedBy(plan, [at]).size }));
  sizes.sort((a, b) => a.size - b.size || a.at - b.at);
  return sizes[Math.floor(sizes.length / 2)]?.at ?? 0;
}
