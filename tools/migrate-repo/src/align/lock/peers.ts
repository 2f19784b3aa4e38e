import type { LockEntry, Lockfile } from '@tributary/lockfile/lockfile';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { InstalledPeer } from '../project.js';
import { directDependencies } from './direct.js';

/** A package's request for a peer that was installed. */
interface PeerAsk {
  readonly name: string;
  /** The installed version. */
  readonly version: string;
  /** The dependent: `ts-node@10.9.2`; `undefined` for the imported package itself. */
  readonly by: string | undefined;
  readonly reach: InstalledPeer['reach'];
}

/** Returns the required peers: those of `peerDependencies` that `peerDependenciesMeta` does not mark as optional. */
function requiredPeers({ peerDependencies, optionalPeers }: Pick<LockEntry, 'peerDependencies' | 'optionalPeers'>): readonly string[] {
  return [...peerDependencies.keys()].filter((name) => !optionalPeers.has(name));
}

/** Returns the required peers that are not also dependencies. A package gets those in any case, as vitest does vite. */
export function requiredPeersOf(entry: LockEntry): readonly string[] {
  return requiredPeers(entry).filter((name) => !entry.dependencies.has(name));
}

/**
 * Returns the peers that npm or pnpm installed although the manifest does not declare them. For indirect packages, only
 * peers that no other dependency needs are included; only npm's lockfile records this.
 */
export function findInstalledPeers(lock: Lockfile, manifest: Manifest): readonly InstalledPeer[] {
  if (lock.kind === 'berry' || lock.kind === 'classic') return [];
  const direct = new Set([...directDependencies(manifest)].map(([name, range]) => lock.resolve({ name, range })));
  const own = requiredPeers(manifest).map((name) => ({ name, from: undefined, by: undefined, reach: 'package' as const }));
  const others = lock.entries
    .filter(({ folder }) => folder !== '')
    .flatMap((from) => {
      const reach = direct.has(from) ? ('dependency' as const) : ('indirect' as const);
      // pnpm lists installed peers among a package's dependencies.
      const names = lock.kind === 'pnpm' ? requiredPeers(from) : requiredPeersOf(from);
      return names.map((name) => ({ name, from, by: `${from.name}@${from.version}`, reach }));
    });
  const asks = [...own, ...others].flatMap(({ name, from, by, reach }): readonly PeerAsk[] => {
    const found = lock.resolve({ from, name, range: '' });
    const isBrought = found !== undefined && (reach !== 'indirect' || (found.isOnlyPeer === true && !isProvided(lock, from, name)));
    return isBrought ? [{ name, version: found.version, by, reach }] : [];
  });
  return nearestPeers(asks, manifest);
}

/**
 * Whether all packages that request another one have its peer themselves, so that Yarn provides it. A package that came
 * only as a peer does not count: Yarn does not install it.
 */
function isProvided(lock: Lockfile, asker: LockEntry | undefined, peer: string): boolean {
  if (asker === undefined) return false;
  const dependents = lock.entries.filter(
    (from) =>
      from.isOnlyPeer !== true && from.dependencies.has(asker.name) && lock.resolve({ from, name: asker.name, range: '' }) === asker,
  );
  return dependents.every(({ dependencies }) => dependencies.has(peer));
}

const REACHES = ['package', 'dependency', 'indirect'] as const;

/** Returns peers that nobody declares and a package manager installed, each once, with the nearest dependents; ordered by name. */
function nearestPeers(asks: readonly PeerAsk[], manifest: Manifest): readonly InstalledPeer[] {
  const declared = directDependencies(manifest);
  const names = [...new Set(asks.map(({ name }) => name))].filter((name) => !declared.has(name)).sort();
  return names.flatMap((name): readonly InstalledPeer[] => {
    const own = asks.filter((ask) => ask.name === name);
    const reach = REACHES.find((one) => own.some((ask) => ask.reach === one));
    const nearest = own.filter((ask) => ask.reach === reach);
    const version = nearest[0]?.version;
    if (reach === undefined || version === undefined) return [];
    return [{ name, version, reach, of: [...new Set(nearest.flatMap(({ by }) => by ?? []))].sort() }];
  });
}
