import { Dice } from '@tributary/test-repo/dice';
import type { MonorepoPlan, PlannedExternal, PlannedPackage } from './affected-plan.js';

/** A generated package in its own repository, to be imported into the generated monorepo. */
export interface ImportedPackagePlan {
  /** The name of the third-party package that most workspaces use, so that their ranges match it. */
  readonly name: string;
  readonly version: string;
  /** Workspaces of the monorepo that it still takes from the registry. */
  readonly internal: readonly PlannedPackage[];
  /** Its declared and locked dependencies, sorted by name. */
  readonly direct: readonly LockedDependency[];
  /** All its locked packages except workspaces of the monorepo, sorted by name. */
  readonly locked: readonly LockedDependency[];
  /** Locked and imported, but not declared. */
  readonly phantoms: readonly LockedDependency[];
}

export interface LockedDependency {
  readonly name: string;
  readonly version: string;
  /** The requested ranges, sorted. */
  readonly ranges: readonly string[];
  readonly dependencies: readonly { readonly name: string; readonly range: string }[];
}

/** The size of the imported package. */
export interface ImportedPackageShape {
  /** The minimum number of `name@range` lines in its lockfile. */
  readonly requests: number;
  readonly phantoms: number;
  readonly seed: number;
}

/** Plans an imported package. The monorepo has half of its locked packages too, a tenth of those in an older version. */
export function planImportedPackage(plan: MonorepoPlan, shape: ImportedPackageShape): ImportedPackagePlan {
  const dice = new Dice(shape.seed);
  const { name, version } = mostUsed(plan);
  const internal = plan.packages.filter((_, at) => at % 40 === 7);
  const { direct, ranges } = growTree(plan.externals, shape.requests - internal.length);
  const locked = byName([...ranges].map(([at, asked]) => lockedPackage(plan.externals, at, asked)));
  const directNames = new Set([...direct].map((at) => nameOf(plan.externals, at)));
  const hidden = locked.filter((one) => !directNames.has(one.name));
  const phantoms = Array.from({ length: shape.phantoms }, () => hidden.splice(dice.below(hidden.length), 1)).flat();
  return { name, version, internal, direct: locked.filter((one) => directNames.has(one.name)), locked, phantoms: byName(phantoms) };
}

function mostUsed({ packages, externals }: MonorepoPlan): PlannedExternal {
  const users = externals.map(() => 0);
  for (const { to } of packages.flatMap(({ external }) => external)) users[to] = (users[to] ?? 0) + 1;
  const most = externals[users.indexOf(Math.max(...users))];
  if (most === undefined) throw new Error('the monorepo uses nothing from outside');
  return most;
}

type Ranges = Map<number, Set<string>>;

/** Adds direct dependencies from the end of the list, whose packages have few dependencies, until the tree has enough requests. */
function growTree(
  externals: readonly PlannedExternal[],
  wanted: number,
): { readonly direct: ReadonlySet<number>; readonly ranges: Ranges } {
  const direct = new Set<number>();
  const ranges: Ranges = new Map();
  for (let at = externals.length - 1; at >= 0 && countOf(ranges) < wanted; at--) {
    // Packages that others already depend on stay undeclared.
    if (ranges.has(at) || at % 4 === 0) continue;
    direct.add(at);
    ask(externals, ranges, { to: at, range: directRange(externals, at) });
  }
  return { direct, ranges };
}

function ask(externals: readonly PlannedExternal[], ranges: Ranges, request: { readonly to: number; readonly range: string }): void {
  const isNew = !ranges.has(request.to);
  ranges.set(request.to, (ranges.get(request.to) ?? new Set()).add(request.range));
  if (isNew) for (const next of externals[request.to]?.dependencies ?? []) ask(externals, ranges, next);
}

function countOf(ranges: Ranges): number {
  return [...ranges.values()].reduce((sum, { size }) => sum + size, 0);
}

/** Returns a range that all generated versions of a major satisfy. */
function directRange(externals: readonly PlannedExternal[], at: number): string {
  return `^${externals[at]?.version.split('.')[0] ?? '1'}.1.0`;
}

function lockedPackage(externals: readonly PlannedExternal[], at: number, ranges: ReadonlySet<string>): LockedDependency {
  const { version = '', dependencies = [] } = externals[at] ?? {};
  const asked = dependencies.map(({ to, range }) => ({ name: nameOf(externals, to), range }));
  return {
    name: nameOf(externals, at),
    version: at % 10 === 1 ? version.replace(/\.\d+\.\d+$/, '.1.0') : version,
    ranges: [...ranges].sort(),
    dependencies: byName(asked),
  };
}

/** Returns the name; the monorepo does not have every second one. */
function nameOf(externals: readonly PlannedExternal[], at: number): string {
  const name = externals[at]?.name ?? '';
  return at % 2 === 0 ? `its-${name}` : name;
}

function byName<T extends { readonly name: string }>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => (a.name < b.name ? -1 : 1));
}
