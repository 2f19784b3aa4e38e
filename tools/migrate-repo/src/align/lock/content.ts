import { type LockEntry, plainRange } from '@tributary/lockfile/lockfile';
import { compare } from 'semver';
import { compareTexts } from '../../text.js';
import { codeOf } from '../code-of.js';
import type { LockedRequest, OldLock } from '../project.js';
import { hostOf } from '../settings/public-address.js';
import { parseSpecifier } from '../specifier.js';
import type { Asks } from './asks.js';

/** The content of a lockfile, independent of its format. */
export interface LockContent {
  readonly kind: OldLock['kind'];
  /** All requests with their versions. A request that several packages make is listed several times. */
  readonly edges: readonly LockEdge[];
  /** All packages with their versions, requested or not. */
  readonly packages: readonly Pick<LockEntry, 'name' | 'version' | 'archive'>[];
  /** Packages that the lockfile of a whole monorepo has besides. */
  readonly others?: LockContent['packages'];
  /** The copies at the top of node_modules, if the format records them. */
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
  /** As in the file. */
  readonly range: string;
  /** `undefined` if it resolves to no version, but to a folder or an address. */
  readonly version: string | undefined;
  /** Whether it comes from the imported package's manifest. */
  readonly direct: boolean;
  /** The package that makes it; `undefined` if it is the imported package, or the format does not record it. */
  readonly from?: { readonly name: string; readonly version: string } | undefined;
}

/**
 * Builds the lockfile with one version for each request. If a file has several (npm has no descriptors), the package's
 * own version is used, else the highest.
 */
export function buildOldLock(file: string, content: LockContent, ignored: readonly string[] = []): OldLock {
  const requests: LockedRequest[] = [];
  for (const [name, edges] of [...groupBy(content.edges, (edge) => edge.name)].sort(byKey)) {
    for (const [range, same] of [...groupBy(edges, (edge) => plainRange(edge.range))].sort(byKey)) {
      const [version, ...others] = asksRegistry(range) ? versionsFor(same) : [];
      if (version !== undefined) requests.push({ name, range, version, ...(others.length === 0 ? {} : { others }) });
    }
  }
  const answers = new Map(requests.map(({ name, range, version }) => [`${name}@${range}`, version]));
  const own = groupBy(content.packages, ({ name }) => name);
  const versions = content.others === undefined ? own : groupBy([...content.packages, ...(content.others ?? [])], ({ name }) => name);
  const tops = content.tops ?? findTops(content.edges);
  return {
    kind: content.kind,
    file,
    requests,
    resolve: (name, range) => answers.get(`${name}@${plainRange(range)}`),
    versionsOf: (name) => [...new Set(versions.get(name)?.map(({ version }) => version))].sort(compareVersions),
    ownVersionsOf: (name) => [...new Set(own.get(name)?.map(({ version }) => version))].sort(compareVersions),
    topVersionOf: (name) => tops.get(name),
    binaries: content.binaries ?? new Map(),
    exact: content.exact,
    askersOf: askersIn(content),
    ignored,
    addressed: [...new Set(content.edges.filter(({ range }) => parseSpecifier(range).kind === 'address').map(({ name }) => name))].sort(),
    packed: packedIn(content.edges),
    peers: content.peers ?? [],
    asks: content.asks ?? new Map(),
    indirect: indirectIn(content),
    builds: [...new Set(content.builds)],
    hosts: hostsOf(content.packages, content.edges),
  };
}

function askersIn({ edges, exact = [] }: LockContent): OldLock['askersOf'] {
  const written = edges.flatMap(({ name, range, from }) => (from === undefined ? [] : [{ ...from, asks: name, range: plainRange(range) }]));
  const nodes = exact.flatMap(({ name, version, dependencies }) =>
    [...dependencies.keys()].map((asks) => ({ name, version, asks, range: undefined })),
  );
  const byName = groupBy([...written, ...nodes], ({ asks }) => asks);
  return (name) => byName.get(name) ?? [];
}

function indirectIn({ edges, exact = [] }: LockContent): ReadonlySet<string> {
  const written = edges.filter(({ direct }) => !direct).map(({ name, range }) => `${name}@${plainRange(range)}`);
  const got = exact.flatMap(({ dependencies }) => [...dependencies].map(([name, { version }]) => `${name}@${version}`));
  return new Set([...written, ...got]);
}

function packedIn(edges: readonly LockEdge[]): OldLock['packed'] {
  const indirect = edges.filter(({ direct, range }) => !direct && codeOf(range) === 'git').map(({ name, range }) => ({ name, range }));
  return [...new Map(indirect.map((one) => [`${one.name}@${one.range}`, one])).values()];
}

/** Whether a range requests versions from a registry, under this name or as an alias. */
export function asksRegistry(range: string): boolean {
  return ['range', 'tag', 'alias'].includes(parseSpecifier(range).kind);
}

/** Orders by version; texts that are not versions, alphabetically. */
export function compareVersions(one: string, other: string): number {
  try {
    return compare(one, other);
  } catch {
    return compareTexts(one, other);
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

/**
 * Returns the version to use, then the others, the highest first: a yarn.lock has one for a request, and nobody should
 * get an older one needlessly.
 */
function versionsFor(edges: readonly LockEdge[]): readonly string[] {
  const versions = [...new Set(edges.flatMap(({ version }) => version ?? []))].sort((one, other) => compareVersions(other, one));
  const own = edges.find(({ direct, version }) => direct && version !== undefined)?.version;
  return own === undefined ? versions : [own, ...versions.filter((version) => version !== own)];
}

/** Returns each version with its number of dependents, the most frequent first, then the highest. */
function countVersions(edges: readonly LockEdge[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { version } of edges) if (version !== undefined) counts.set(version, (counts.get(version) ?? 0) + 1);
  return [...counts].sort(([one, first], [other, second]) => second - first || compareVersions(other, one));
}

/** Returns what is hoisted to the top of node_modules: the imported package's own dependencies, else the most requested version. */
function findTops(edges: readonly LockEdge[]): ReadonlyMap<string, string> {
  const tops = new Map<string, string>();
  for (const [name, same] of groupBy(edges, (edge) => edge.name)) {
    const top = same.find(({ direct, version }) => direct && version !== undefined)?.version ?? countVersions(same)[0]?.[0];
    if (top !== undefined) tops.set(name, top);
  }
  return tops;
}

function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return compareTexts(one, other);
}

interface Asked {
  readonly name: string;
  readonly range: string;
}

/**
 * Returns the packages whose archives came from a host, by host, sorted. Excludes packages requested by an address,
 * which stays, and npm's own registry with its two names. Only hosts are returned, because the rest of a URL may
 * contain a credential.
 */
function hostsOf(
  packages: readonly Pick<LockEntry, 'name' | 'archive'>[],
  edges: readonly Asked[],
): ReadonlyMap<string, readonly string[]> {
  const addressed = new Set(edges.filter(({ range }) => parseSpecifier(range).kind === 'address').map(({ name }) => name));
  const hosts = new Map<string, Set<string>>();
  for (const { name, archive } of packages) {
    const host = hostOf(archive ?? '');
    if (host === undefined || PUBLIC.test(host) || addressed.has(name)) continue;
    hosts.set(host, (hosts.get(host) ?? new Set()).add(name));
  }
  return new Map([...hosts].sort().map(([host, names]) => [host, [...names].sort()]));
}

const PUBLIC = /(?:^|\.)(?:npmjs\.org|yarnpkg\.com)$/;
