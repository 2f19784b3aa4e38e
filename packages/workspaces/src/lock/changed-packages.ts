import { nameOf } from '@tributary/lockfile/descriptors';
import { ownerOf } from '@tributary/lockfile/lock-index';
import { binariesOf, isSameEntry, peersOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import type { RepoFolder } from '@tributary/model/paths';
import type { LockSide } from './diff.js';
import { buildLockGraph } from './graph.js';
import { LockNames } from './lock-names.js';

/** What an installation with Yarn's linker `node-modules` does differently after a change of the lockfile. */
export interface ChangedPackages {
  /** Packages that differ, came, went, or may be in another folder. An alias counts as both names. */
  readonly names: ReadonlySet<string>;
  /** Those that may be in another `node_modules` than the root's. */
  readonly nested: ReadonlySet<string>;
  /** Their binaries. */
  readonly binaries: ReadonlyMap<string, ReadonlySet<string>>;
  /** The packages that differ, and all that lead to one, each with its binaries. */
  readonly leading: ReadonlyMap<string, readonly string[]>;
  /** The names of the dependencies of each workspace, in either lockfile. */
  readonly direct: ReadonlyMap<RepoFolder, ReadonlySet<string>>;
}

/**
 * Compares what is installed with two lockfiles. A package stays where it is if Yarn can only put it into the `node_modules` of the root, or if
 * nothing that decides about its folder has changed. Returns the reason where that is unknown, as a clause. Assumes no limits of hoisting.
 */
export function changedPackages(base: LockSide, head: LockSide): ChangedPackages | { readonly unknown: string } {
  if (base.index.kind !== 'berry' || head.index.kind !== 'berry') return { unknown: 'yarn.lock is not of Yarn 2 or later' };
  if (base.index.hasRepeats || head.index.hasRepeats) return { unknown: 'yarn.lock has an entry twice' };
  const sides = [new LockNames(buildLockGraph(base.index, base), base), new LockNames(buildLockGraph(head.index, head), head)] as const;
  if (sides.some((side) => side.hasRootPeers)) return { unknown: 'the root has peer dependencies' };
  const isFixed = (name: string): boolean => sides.every((side) => side.isFixed(name));
  const changed = differingNames(...sides);
  const names = withSharedBinaries(sides, new Set([...changed, ...reached(sides, changed, isFixed)]));
  return {
    names,
    nested: new Set([...names].filter((name) => !isFixed(name))),
    binaries: binariesIn(sides, names),
    leading: leadingTo(sides, changed),
    direct: directNames(sides),
  };
}

/** Returns the names of entries that differ, and those to which an entry leads otherwise than before. */
function differingNames(base: LockNames, head: LockNames): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [one, other] of [
    [base, head],
    [head, base],
  ] as const)
    for (const [resolution, place] of one.places) {
      const twin = other.places.get(resolution);
      const [before, after] = [one.records[place], other.records[twin ?? -1]];
      const isSame = before !== undefined && after !== undefined && isSameEntry(before, after);
      if (!isSame) for (const name of one.namesOf(place)) names.add(name);
      const known = new Set(twin === undefined ? [] : edgesOf(other, twin));
      for (const edge of edgesOf(one, place)) if (!known.has(edge)) for (const name of edge.split('\n').slice(0, 2)) names.add(name);
    }
  return names;
}

/** Returns, for each dependency, the name that is asked for, and the name and the resolution of what it gets. Peers have no resolution. */
function edgesOf({ graph, records }: LockNames, place: number): readonly string[] {
  const { index } = graph;
  const found = [...graph.targetsOf(place)].flatMap((number) => {
    const owner = ownerOf(index, number);
    return owner === undefined ? [] : [`${nameOf(index.descriptors[number] ?? '')}\n${nameOf(owner.resolution)}\n${owner.resolution}`];
  });
  const peers = peersOf(records[place] as LockRecord).map(([name]) => name);
  return [...found, ...peers];
}

/**
 * Returns the names whose folder may change. Yarn prefers the version of a package that most packages ask for, and the one that it meets first.
 * So everything below a change may move. With a package move those in its own folder, and those that have to stay with it, or that find another
 * version in its place. Fixed packages are not among them, and what is below these does not follow.
 */
function reached(sides: readonly LockNames[], changed: ReadonlySet<string>, isFixed: (name: string) => boolean): readonly string[] {
  const below = new Set(changed);
  for (const name of below) for (const side of sides) for (const next of side.below(name)) below.add(next);
  const moved = new Set([...below].filter((name) => !isFixed(name)));
  for (const name of moved)
    for (const side of sides) for (const next of [...side.below(name), ...side.above(name)]) if (!isFixed(next)) moved.add(next);
  return [...moved];
}

/** Adds the packages with a binary of the same name as one of these: one of them may take the other's place in `.bin`. */
function withSharedBinaries(sides: readonly LockNames[], names: ReadonlySet<string>): ReadonlySet<string> {
  const taken = binariesIn(sides, names);
  const others = sides.flatMap((side) =>
    [...side.records.entries()].flatMap(([place, record]) =>
      binariesOf(record).some((binary) => taken.has(binary)) ? [...side.namesOf(place)] : [],
    ),
  );
  return new Set([...names, ...others]);
}

function binariesIn(sides: readonly LockNames[], names: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const side of sides)
    for (const [place, record] of side.records.entries())
      for (const name of side.namesOf(place))
        for (const binary of names.has(name) ? binariesOf(record) : []) found.set(binary, (found.get(binary) ?? new Set()).add(name));
  return found;
}

function leadingTo(sides: readonly LockNames[], changed: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const leading = new Set(changed);
  for (const name of leading) for (const side of sides) for (const above of side.above(name)) leading.add(above);
  const found = new Map<string, readonly string[]>([...leading].map((name) => [name, []]));
  for (const [binary, names] of binariesIn(sides, leading)) for (const name of names) found.set(name, [...(found.get(name) ?? []), binary]);
  return found;
}

function directNames(sides: readonly LockNames[]): ReadonlyMap<RepoFolder, ReadonlySet<string>> {
  const direct = new Map<RepoFolder, Set<string>>();
  for (const { records, graph } of sides)
    for (const [place, { workspace }] of records.entries())
      if (workspace !== undefined) {
        const known = direct.get(workspace) ?? new Set();
        for (const number of graph.targetsOf(place)) known.add(nameOf(graph.index.descriptors[number] ?? ''));
        direct.set(workspace, known);
      }
  return direct;
}
