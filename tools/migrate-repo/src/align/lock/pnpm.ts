import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from '@tributary/workspaces/manifest';
import { parseSyml } from '@yarnpkg/parsers';
import { collectAsks } from './asks.js';
import { unknownFormat } from './broken.js';
import { directDependencies } from './direct.js';
import { installedPeers, type PeerAsk, requiredPeers, requiredPeersIn } from './peers.js';
import type { LockEdge, LockedPackage, LockReading } from './reading.js';

type Fields = Readonly<Record<string, unknown>>;

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/**
 * Reads a pnpm-lock.yaml, as pnpm 6 to 9 and later write it. It has ranges for what the manifest asks for only; what packages ask of each other
 * stands there as versions, in `exact`. Throws an `Error` for a text that is none, `LOCKFILE_UNSUPPORTED`.
 */
export function readPnpmLock(text: string, manifest: Manifest, file: string): LockReading {
  const lock: unknown = parseSyml(lastDocument(text));
  const version = isPlainObject(lock) ? String(lock['lockfileVersion']) : '';
  if (!isPlainObject(lock) || !/^\d/.test(version)) throw new Error('it has no "lockfileVersion"');
  if (!/^[5-9](?:\.|$)/.test(version)) throw unknownFormat(file, version, '5 to 9');
  const importers = fields(lock['importers']);
  const importer = 'importers' in lock ? fields(importers['.']) : lock;
  const got = new Map(KINDS.flatMap((kind) => Object.entries(fields(importer[kind]))));
  const edges = [...directDependencies(manifest)].map(([name, range]): LockEdge => {
    const version = parseReference(name, textOf(got.get(name), 'version'))?.version;
    return { name, range, version, direct: true };
  });
  const exact = readExact(lock);
  return {
    kind: 'pnpm',
    edges,
    packages: packagesIn(lock),
    tops: findTops(edges, exact),
    peers: installedPeers([...ownPeers(got, manifest), ...peersOfDependencies(lock, edges, exact)], manifest),
    exact,
    builds: buildsIn(lock),
    // Also the peers that it got are among its dependencies.
    asks: collectAsks(exact.map(({ name, dependencies }) => ({ names: [name], asked: namesIn(dependencies) }))),
  };
}

/** Texts, for the reader knows no other values. Of no platform alone, as fsevents is. */
function buildsIn(lock: Fields): readonly string[] {
  return Object.entries(fields(lock['packages'])).flatMap(([key, value]) => {
    const { requiresBuild, os, cpu } = fields(value);
    const own = String(requiresBuild) === 'true' && os === undefined && cpu === undefined ? parseKey(key) : undefined;
    return own === undefined ? [] : [`${own.name}@${own.version}`];
  });
}

/** With those behind aliases. */
function namesIn(dependencies: ReadonlyMap<string, LockedPackage>): readonly string[] {
  return [...dependencies].flatMap(([name, { name: real }]) => [name, real]);
}

/** Since version 11 pnpm may write a document of its own about itself before that of the project. */
function lastDocument(text: string): string {
  return text.split(/^---[ \t]*\r?$/m).at(-1) ?? '';
}

type Exact = NonNullable<LockReading['exact']>;

function packagesIn(lock: Fields): readonly LockedPackage[] {
  return Object.entries(fields(lock['packages'])).flatMap(([key, value]) => {
    const own = parseKey(key);
    return own === undefined ? [] : [{ ...own, source: textOf(fields(value)['resolution'], 'tarball') }];
  });
}

/** Where pnpm installs peers, the package asks for its own as for a dependency. */
function ownPeers(got: ReadonlyMap<string, unknown>, manifest: Manifest): readonly PeerAsk[] {
  return requiredPeers(manifest).flatMap((name): readonly PeerAsk[] => {
    const version = parseReference(name, textOf(got.get(name), 'version'))?.version;
    return version === undefined ? [] : [{ name, version, by: undefined, reach: 'package' }];
  });
}

/** What the dependencies of the package got as their peers. */
function peersOfDependencies(lock: Fields, edges: readonly LockEdge[], exact: Exact): readonly PeerAsk[] {
  const required = new Map<string, readonly string[]>(
    Object.entries(fields(lock['packages'])).flatMap(([key, value]) => {
      const own = parseKey(key);
      return own === undefined ? [] : [[`${own.name}@${own.version}`, requiredPeersIn(fields(value))] as const];
    }),
  );
  const direct = new Set<string>(edges.map(({ name, version }) => `${name}@${version}`));
  return exact.flatMap(({ name: parent, version, dependencies }): readonly PeerAsk[] => {
    const by = `${parent}@${version}`;
    const peers = direct.has(by) ? (required.get(by) ?? []) : [];
    return peers.flatMap((name): readonly PeerAsk[] => {
      const got = dependencies.get(name);
      return got === undefined ? [] : [{ name, version: got.version, by, reach: 'dependency' }];
    });
  });
}

/** Since version 9 what packages ask for stands apart, in `snapshots`. One package stands there several times, with different peers. */
function readExact(lock: Fields): Exact {
  return Object.entries(fields(lock['snapshots'] ?? lock['packages'])).flatMap(([key, value]) => {
    const own = parseKey(key);
    return own === undefined ? [] : [{ ...own, dependencies: dependenciesOf(fields(value)) }];
  });
}

function dependenciesOf(snapshot: Fields): ReadonlyMap<string, LockedPackage> {
  const dependencies = new Map<string, LockedPackage>();
  for (const [name, reference] of KINDS.flatMap((kind) => Object.entries(fields(snapshot[kind])))) {
    const to = typeof reference === 'string' ? parseReference(name, reference) : undefined;
    if (to !== undefined && !dependencies.has(name)) dependencies.set(name, to);
  }
  return dependencies;
}

/** `express@4.16.4(supports-color@5.0.0)`, `/express@4.16.4`, `/express/4.16.4_supports-color@5.0.0`. */
function parseKey(key: string): LockedPackage | undefined {
  const [, name = '', version = ''] = /^\/?((?:@[^@/]+\/)?[^@/]+)[@/](\d[^(_/:]*)/.exec(key) ?? [];
  return name === '' ? undefined : { name, version };
}

/** A version, with what its peers are behind it, or another package with its version; `undefined` for a link or an address. */
function parseReference(name: string, reference: string | undefined): LockedPackage | undefined {
  if (reference === undefined) return undefined;
  const [, version] = /^(\d[^(_/:]*)(?:[(_].*)?$/s.exec(reference) ?? [];
  return version === undefined ? parseKey(reference) : { name, version };
}

/** Not what lies at the top, for pnpm puts nothing there that is not asked for; but what the newcomer would have got. */
function findTops(edges: readonly LockEdge[], exact: Exact): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { dependencies } of exact) {
    for (const [name, { version }] of dependencies) {
      const votes = counts.get(name) ?? new Map<string, number>();
      counts.set(name, votes.set(version, (votes.get(version) ?? 0) + 1));
    }
  }
  const most = [...counts].map(([name, votes]) => [name, [...votes].sort(([, one], [, other]) => other - one)[0]?.[0] ?? ''] as const);
  return new Map([...most, ...edges.flatMap(({ name, version }) => (version === undefined ? [] : [[name, version] as const]))]);
}

function textOf(value: unknown, field: string): string | undefined {
  if (typeof value === 'string') return value;
  const text = fields(value)[field];
  return typeof text === 'string' ? text : undefined;
}

function fields(value: unknown): Fields {
  return isPlainObject(value) ? value : {};
}
