import { type LockEntry, plainRange } from '@tributary/lockfile/lockfile';
import { compare } from 'semver';
import { codeOf } from '../code-of.js';
import type { LockedRequest, OldLock } from '../project.js';
import { parseSpecifier } from '../specifier.js';
import type { Asks } from './asks.js';
import { hostsOf } from './hosts.js';

/** What a file format says, in the words that all formats share. */
export interface LockReading {
  readonly kind: OldLock['kind'];
  /** Who asks for what and gets which version; a request that several make stands there several times. */
  readonly edges: readonly LockEdge[];
  /** All packages with their versions, asked for or not. */
  readonly packages: readonly Pick<LockEntry, 'name' | 'version' | 'archive'>[];
  /** The copies at the top of node_modules where the format tells. */
  readonly tops?: ReadonlyMap<string, string> | undefined;
  readonly binaries?: ReadonlyMap<string, string>;
  readonly exact?: OldLock['exact'];
  readonly peers?: OldLock['peers'];
  readonly asks?: Asks;
  readonly builds?: OldLock['builds'];
}

/** One request of one package. */
export interface LockEdge {
  readonly name: string;
  /** As it stands in the file. */
  readonly range: string;
  /** `undefined`: it leads to no version, to a folder or an address. */
  readonly version: string | undefined;
  /** Whether the manifest of the imported package asks. */
  readonly direct: boolean;
}

/**
 * One answer for each request. Where a file has several versions for one (npm, for it has no such thing as a descriptor), that of the
 * package counts, else the highest.
 */
export function buildOldLock(file: string, reading: LockReading, ignored: readonly string[] = []): OldLock {
  const requests: LockedRequest[] = [];
  for (const [name, edges] of [...groupBy(reading.edges, (edge) => edge.name)].sort(byKey)) {
    for (const [range, same] of [...groupBy(edges, (edge) => plainRange(edge.range))].sort(byKey)) {
      const [version, ...others] = asksRegistry(range) ? versionsFor(same) : [];
      if (version !== undefined) requests.push({ name, range, version, ...(others.length === 0 ? {} : { others }) });
    }
  }
  const answers = new Map(requests.map(({ name, range, version }) => [`${name}@${range}`, version]));
  const versions = groupBy(reading.packages, ({ name }) => name);
  const tops = reading.tops ?? findTops(reading.edges);
  return {
    kind: reading.kind,
    file,
    requests,
    resolve: (name, range) => answers.get(`${name}@${plainRange(range)}`),
    versionsOf: (name) => [...new Set(versions.get(name)?.map(({ version }) => version))].sort(compareVersions),
    topVersionOf: (name) => tops.get(name),
    binaries: reading.binaries ?? new Map(),
    exact: reading.exact,
    ignored,
    addressed: [...new Set(reading.edges.filter(({ range }) => parseSpecifier(range).kind === 'address').map(({ name }) => name))].sort(),
    packed: packedIn(reading.edges),
    peers: reading.peers ?? [],
    asks: reading.asks ?? new Map(),
    indirect: indirectIn(reading),
    builds: [...new Set(reading.builds)],
    hosts: hostsOf(reading.packages, reading.edges),
  };
}

function indirectIn({ edges, exact = [] }: LockReading): ReadonlySet<string> {
  const written = edges.filter(({ direct }) => !direct).map(({ name, range }) => `${name}@${plainRange(range)}`);
  const got = exact.flatMap(({ dependencies }) => [...dependencies].map(([name, { version }]) => `${name}@${version}`));
  return new Set([...written, ...got]);
}

function packedIn(edges: readonly LockEdge[]): OldLock['packed'] {
  const indirect = edges.filter(({ direct, range }) => !direct && codeOf(range) === 'git').map(({ name, range }) => ({ name, range }));
  return [...new Map(indirect.map((one) => [`${one.name}@${one.range}`, one])).values()];
}

/** Whether versions from a registry are asked for, under this name or as an alias. */
export function asksRegistry(range: string): boolean {
  return ['range', 'tag', 'alias'].includes(parseSpecifier(range).kind);
}

/** By the order of versions; what is none, by the alphabet. */
export function compareVersions(one: string, other: string): number {
  try {
    return compare(one, other);
  } catch {
    return one < other ? -1 : one > other ? 1 : 0;
  }
}

export function groupBy<T>(things: Iterable<T>, keyOf: (thing: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const group = groups.get(keyOf(thing));
    if (group === undefined) groups.set(keyOf(thing), [thing]);
    else group.push(thing);
  }
  return groups;
}

/** The version that counts, then the others, the highest first: a yarn.lock has one for a request, and nobody is to get an older one without need. */
function versionsFor(edges: readonly LockEdge[]): readonly string[] {
  const versions = [...new Set(edges.flatMap(({ version }) => version ?? []))].sort((one, other) => compareVersions(other, one));
  const own = edges.find(({ direct, version }) => direct && version !== undefined)?.version;
  return own === undefined ? versions : [own, ...versions.filter((version) => version !== own)];
}

/** Each version with how many get it: most first, then the highest. */
function countVersions(edges: readonly LockEdge[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { version } of edges) if (version !== undefined) counts.set(version, (counts.get(version) ?? 0) + 1);
  return [...counts].sort(([one, first], [other, second]) => second - first || compareVersions(other, one));
}

/** What is put at the top of node_modules: what the imported package itself depends on, else what most ask for. */
function findTops(edges: readonly LockEdge[]): ReadonlyMap<string, string> {
  const tops = new Map<string, string>();
  for (const [name, same] of groupBy(edges, (edge) => edge.name)) {
    const top = same.find(({ direct, version }) => direct && version !== undefined)?.version ?? countVersions(same)[0]?.[0];
    if (top !== undefined) tops.set(name, top);
  }
  return tops;
}

function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
