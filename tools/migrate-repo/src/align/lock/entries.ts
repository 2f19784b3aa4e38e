import { isInstalled, type LockEntry, type Lockfile, plainRange, splitDescriptor } from '@tributary/lockfile/lockfile';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { LockedNode, OldLock } from '../project.js';
import { parseSpecifier } from '../specifier.js';
import { type Asks, collectAsks } from './asks.js';
import { asksRegistry, type LockContent, type LockEdge } from './content.js';
import { directDependencies } from './direct.js';
import { findInstalledPeers, requiredPeersOf } from './peers.js';

const KINDS = { berry: 'yarn', classic: 'yarn classic', npm: 'npm', pnpm: 'pnpm' } as const satisfies Record<
  Lockfile['kind'],
  OldLock['kind']
>;

/** Reads what a lockfile has about the dependencies of its manifest and its packages. */
export function readEntries(lock: Lockfile, manifest: Manifest): LockContent {
  const installed = lock.entries.filter(isInstalled);
  const direct = [...directDependencies(manifest)].map(([name, range]) => edgeOf(lock, { from: undefined, name, range }));
  const edges = lock.kind === 'pnpm' ? direct : [...direct, ...indirectEdges(lock)];
  const exact = lock.kind === 'pnpm' ? lock.entries.map((entry) => exactNode(lock, entry)) : undefined;
  return {
    kind: KINDS[lock.kind],
    edges: [...edges, ...leftoverEdges(lock, edges)],
    packages: installed.filter(isFromRegistry),
    tops: topsOf(lock, direct, exact),
    binaries: binariesOf(lock),
    exact,
    peers: findInstalledPeers(lock, manifest),
    asks: asksOf(lock, installed),
    builds: installed.flatMap(({ name, version, hasBuildScript }) => (hasBuildScript === true ? [`${name}@${version}`] : [])),
  };
}

function edgeOf(lock: Lockfile, dependency: { from: LockEntry | undefined; name: string; range: string }): LockEdge {
  const { from, name, range } = dependency;
  const leadsToVersion = asksRegistry(range) || parseSpecifier(range).kind === 'catalog';
  const entry = leadsToVersion ? lock.resolve(dependency) : undefined;
  const version = entry !== undefined && isFromRegistry(entry) && /^\d/.test(entry.version) ? entry.version : undefined;
  const asker = from === undefined ? undefined : { name: from.name, version: from.version };
  return { name, range, version, direct: from === undefined, from: asker };
}

/** Returns the requests of the packages. Those of the workspace itself are in the manifest. */
function indirectEdges(lock: Lockfile): readonly LockEdge[] {
  const packages = lock.entries.filter(({ workspace, folder }) => workspace === undefined && folder !== '');
  // Several names of one entry of Yarn 1 share its dependencies, which count once.
  const asking = new Map(packages.map((from) => [from.dependencies, from]));
  return [...asking.values()].flatMap((from) => [...from.dependencies].map(([name, range]) => edgeOf(lock, { from, name, range })));
}

/** Returns requests that nothing makes any more. Yarn keeps their versions too. */
function leftoverEdges(lock: Lockfile, edges: readonly LockEdge[]): readonly LockEdge[] {
  const known = new Set(edges.map(({ name, range }) => `${name}@${plainRange(range)}`));
  return lock.entries
    .flatMap(({ descriptors }) => descriptors.map(splitDescriptor))
    .filter(({ name, range }) => (lock.kind === 'classic' || asksRegistry(range)) && !known.has(`${name}@${plainRange(range)}`))
    .map(({ name, range }) => ({ ...edgeOf(lock, { from: undefined, name, range }), direct: false }));
}

/** Whether an entry comes from a registry. In Yarn 1, only the descriptor shows a git address; later versions have a locator. */
function isFromRegistry({ version, resolution, descriptors }: LockEntry): boolean {
  if (resolution !== undefined) return splitDescriptor(resolution).range.startsWith('npm:');
  return version !== '' && (descriptors.length === 0 || descriptors.some((descriptor) => asksRegistry(splitDescriptor(descriptor).range)));
}

/**
 * Returns the copies at the top of node_modules. npm's lockfile has the folders. pnpm puts only the manifest's
 * dependencies at the top. For others, the version that most packages got counts.
 */
function topsOf(lock: Lockfile, direct: readonly LockEdge[], exact: readonly LockedNode[] | undefined): LockContent['tops'] {
  if (lock.kind === 'npm')
    return new Map(lock.entries.flatMap((entry) => (isTop(entry) ? [[folderName(entry), entry.version] as const] : [])));
  if (exact === undefined) return undefined;
  const counts = new Map<string, Map<string, number>>();
  for (const { dependencies } of exact) {
    for (const [name, { version }] of dependencies) {
      const votes = counts.get(name) ?? new Map<string, number>();
      counts.set(name, votes.set(version, (votes.get(version) ?? 0) + 1));
    }
  }
  const most = [...counts].map(([name, votes]) => [name, [...votes].sort(([, one], [, other]) => other - one)[0]?.[0] ?? ''] as const);
  return new Map([...most, ...direct.flatMap(({ name, version }) => (version === undefined ? [] : [[name, version] as const]))]);
}

function isTop({ folder, version }: LockEntry): boolean {
  return folder?.lastIndexOf('node_modules/') === 0 && version !== '';
}

/** Returns the name of a package's folder in npm's lockfile: the alias, if there is one. */
function folderName({ name, folder }: LockEntry): string {
  return folder?.replace(/^.*node_modules\//, '') ?? name;
}

function exactNode(lock: Lockfile, from: LockEntry): LockedNode {
  const dependencies = [...from.dependencies].flatMap(([name, range]) => {
    const to = lock.resolve({ from, name, range });
    return to === undefined ? [] : [[name, { name: to.name, version: to.version }] as const];
  });
  return { name: from.name, version: from.version, dependencies: new Map(dependencies) };
}

/**
 * Returns the packages of binaries. With npm, only those at the top of node_modules can be run. If several packages
 * have a binary, npm keeps the last one, Yarn the first.
 */
function binariesOf({ kind, entries }: Lockfile): ReadonlyMap<string, string> {
  const runnable = kind === 'npm' ? entries.filter(isTop) : entries.toReversed();
  return new Map(runnable.flatMap((entry) => entry.binaries.map((binary) => [binary, folderName(entry)] as const)));
}

function asksOf(lock: Lockfile, installed: readonly LockEntry[]): Asks {
  return collectAsks(
    installed.map((entry) => ({
      names: new Set([entry.name, folderName(entry), ...entry.descriptors.map((descriptor) => splitDescriptor(descriptor).name)]),
      asked: [...entry.dependencies.keys(), ...(lock.kind === 'pnpm' ? behindAliases(lock, entry) : requiredPeersOf(entry))],
    })),
  );
}

/** Returns the packages behind aliases. In pnpm's lockfile, no descriptor or folder shows them, and peers are listed as dependencies. */
function behindAliases(lock: Lockfile, from: LockEntry): readonly string[] {
  return [...from.dependencies].flatMap(([name, range]) => lock.resolve({ from, name, range })?.name ?? []);
}
