import { nameOf } from '@tributary/lockfile/descriptors';
import type { LockIndex } from '@tributary/lockfile/lock-index';
import { dependencyLines, pairsOf, readPair, versionOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import { packageExtensions } from '@yarnpkg/extensions';
import { isExtended } from './extended.js';
import { buildExtension, type PackageExtension, type PackageExtensions } from './package-extensions.js';
import { type LockRules, type Reference, References } from './references.js';

/** A reference that cannot be resolved from a key of the lockfile alone, with the index of its entry. */
export interface IndirectReference {
  readonly entry: number;
  readonly reference: Reference;
  /** The descriptors to which it leads, by number. */
  readonly found: readonly number[];
}

/** The edges of a lockfile: from entries, by index, to descriptors, by number. */
export class LockGraph {
  readonly references: References;
  readonly indirect: readonly IndirectReference[];
  /** Where the targets of each entry begin, in flat arrays: thousands of small arrays would double the time. */
  private readonly starts: Int32Array;
  private readonly targets: Int32Array;
  private readonly dependentStarts: Int32Array;
  private readonly dependents: Int32Array;

  constructor(references: References, edges: readonly number[], indirect: readonly IndirectReference[]) {
    this.references = references;
    this.indirect = indirect;
    const { records, owners } = references.index;
    const count = edges.length / 2;
    const [froms, tos, owned] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
    for (let edge = 0; edge < count; edge++) {
      const number = edges[2 * edge + 1] ?? 0;
      froms[edge] = edges[2 * edge] ?? 0;
      tos[edge] = number;
      owned[edge] = owners[number] ?? 0;
    }
    [this.starts, this.targets] = group(records.length, froms, tos);
    [this.dependentStarts, this.dependents] = group(records.length, owned, froms);
  }

  get index(): LockIndex {
    return this.references.index;
  }

  /** Returns the descriptors to which an entry leads. */
  targetsOf(entry: number): Int32Array {
    return this.targets.subarray(this.starts[entry], this.starts[entry + 1]);
  }

  /** Returns whether an entry leads to a matching descriptor; allocates no list. */
  leadsTo(entry: number, matches: (number: number) => boolean): boolean {
    const end = this.starts[entry + 1] ?? 0;
    for (let at = this.starts[entry] ?? end; at < end; at++) if (matches(this.targets[at] ?? 0)) return true;
    return false;
  }

  /** Returns the entries that lead to an entry. */
  dependentsOf(entry: number): Int32Array {
    return this.dependents.subarray(this.dependentStarts[entry], this.dependentStarts[entry + 1]);
  }
}

/** Groups values by key in one array, in the given order. Returns it with the offset at which each key's values begin. */
function group(keyCount: number, keys: Int32Array, values: Int32Array): readonly [Int32Array, Int32Array] {
  const starts = new Int32Array(keyCount + 1);
  for (const key of keys) starts[key + 1] = (starts[key + 1] ?? 0) + 1;
  for (let key = 0; key < keyCount; key++) starts[key + 1] = (starts[key + 1] ?? 0) + (starts[key] ?? 0);
  const next = starts.slice();
  const grouped = new Int32Array(values.length);
  keys.forEach((key, edge) => {
    const at = next[key] ?? 0;
    grouped[at] = values[edge] ?? 0;
    next[key] = at + 1;
  });
  return [starts, grouped];
}

/** Builds the graph of a lockfile: dependencies, dependencies added by extensions, and the sources of patches. */
export function buildLockGraph(index: LockIndex, rules: LockRules): LockGraph {
  const references = new References(index, rules);
  const indirect: IndirectReference[] = [];
  /** From and to alternate. */
  const edges: number[] = [];
  /** Most lines are repeated; looking up the whole line is the cheapest. */
  const known = new Map<string, number>();
  index.records.forEach((record, entry) => {
    for (const line of dependencyLines(record)) {
      const number = known.get(line) ?? findByLine(references, line, known);
      if (number !== INDIRECT) edges.push(entry, number);
      else indirect.push({ entry, ...follow(references, record, readPair(line)) });
    }
    if (record.dependenciesAt === 0) {
      for (const pair of pairsOf(record)) indirect.push({ entry, ...follow(references, record, pair) });
    }
  });
  indirect.push(...extensionReferences(references, rules));
  for (const { entry, found } of indirect) for (const number of found) edges.push(entry, number);
  pushPatchEdges(references, edges);
  return new LockGraph(references, edges, indirect);
}

/** Stands for the number of a descriptor if the key alone does not resolve it. */
const INDIRECT = -1;

function findByLine(references: References, line: string, known: Map<string, number>): number {
  const number = references.findPlain(...readPair(line)) ?? INDIRECT;
  known.set(line, number);
  return number;
}

function follow(references: References, parent: LockRecord, [name, range]: readonly [string, string]): Omit<IndirectReference, 'entry'> {
  const reference = { parent, name, range };
  return { reference, found: references.find(reference) };
}

/**
 * Returns the dependencies that extensions add. If an entry of Yarn's own table matches no key, the repository's release of Yarn does not
 * have it.
 */
function extensionReferences(references: References, rules: LockRules): readonly IndirectReference[] {
  const own = byName(rules.extensions);
  const builtin = byName(builtinExtensions());
  return references.index.records.flatMap((parent, entry) => {
    const name = nameOf(parent.key);
    const fromOwn = own.get(name)?.flatMap((extension) => added(parent, extension, (reference) => references.find(reference)));
    const fromYarn = builtin.get(name)?.flatMap((extension) => added(parent, extension, (reference) => references.findExact(reference)));
    return fromOwn === undefined && fromYarn === undefined
      ? []
      : [...(fromYarn ?? []), ...(fromOwn ?? [])].map((reference) => ({ entry, ...reference }));
  });
}

/** Returns the dependencies that one extension adds to a package. The version is checked last: that takes longest and is rarely needed. */
function added(
  parent: LockRecord,
  extension: PackageExtension,
  find: (reference: Reference) => readonly number[],
): readonly Omit<IndirectReference, 'entry'>[] {
  const known = new Set(pairsOf(parent).map(([dependency]) => dependency));
  const asked = [...extension.dependencies]
    .filter(([name]) => !known.has(name))
    .map(([name, range]) => ({ parent, name, range }))
    .map((reference) => ({ reference, found: find(reference) }))
    .filter(({ found }) => found.length > 0);
  return asked.length === 0 || (parent.workspace === undefined && !isExtended(versionOf(parent), extension)) ? [] : asked;
}

function byName(extensions: readonly PackageExtension[]): ReadonlyMap<string, readonly PackageExtension[]> {
  const groups = new Map<string, PackageExtension[]>();
  for (const extension of extensions) groups.set(extension.name, [...(groups.get(extension.name) ?? []), extension]);
  return groups;
}

/** Adds an edge from each patch to its source. */
function pushPatchEdges(references: References, edges: number[]): void {
  const { owners, numbers } = references.index;
  for (const { number, source } of references.patches) {
    const found = numbers.get(source);
    for (const target of found === undefined ? references.findByName(nameOf(source)) : [found]) edges.push(owners[number] ?? 0, target);
  }
}

/**
 * Returns all packages that reach a seed, including the seeds, each with its nearest seed (the first one given of several). The walk
 * follows only packages: it returns and passes no workspace, unless that is a seed.
 */
export function spread<T>(graph: LockGraph, seeds: ReadonlyMap<number, T>): ReadonlyMap<number, T> {
  const reached = new Map(seeds);
  for (const [entry, seed] of reached) {
    for (const dependent of graph.dependentsOf(entry)) {
      if (!reached.has(dependent) && graph.index.records[dependent]?.workspace === undefined) reached.set(dependent, seed);
    }
  }
  return reached;
}

/**
 * Returns Yarn's own package extensions, only those with dependencies. They are from one release of Yarn; another release may have more or
 * fewer.
 */
export function builtinExtensions(): PackageExtensions {
  return packageExtensions
    .filter(([, { dependencies }]) => dependencies !== undefined)
    .map(([key, extension]) => buildExtension(key, extension));
}
