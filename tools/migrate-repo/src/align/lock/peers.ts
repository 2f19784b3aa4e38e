import type { LockEntry, Lockfile } from '@tributary/lockfile/lockfile';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { InstalledPeer } from '../project.js';
import { directDependencies } from './direct.js';

/** Somebody has a package as a peer, and got it. */
interface PeerAsk {
  readonly name: string;
  /** What was installed for it. */
  readonly version: string;
  /** Who asks: `ts-node@10.9.2`; of the imported package itself nothing. */
  readonly by: string | undefined;
  readonly reach: InstalledPeer['reach'];
}

/** Peers that must be there: those of `peerDependencies` that `peerDependenciesMeta` does not call optional. */
function requiredPeers({ peerDependencies, optionalPeers }: Pick<LockEntry, 'peerDependencies' | 'optionalPeers'>): readonly string[] {
  return [...peerDependencies.keys()].filter((name) => !optionalPeers.has(name));
}

/** What a package has as a dependency too (vitest its vite) it gets in any case. */
export function requiredPeersOf(entry: LockEntry): readonly string[] {
  return requiredPeers(entry).filter((name) => !entry.dependencies.has(name));
}

/**
 * The peer dependencies that npm or pnpm has installed though the manifest does not declare them. Of packages behind its dependencies
 * only those that no other dependency leads to, which npm alone writes down.
 */
export function findInstalledPeers(lock: Lockfile, manifest: Manifest): readonly InstalledPeer[] {
  if (lock.kind === 'berry' || lock.kind === 'classic') return [];
  const direct = new Set([...directDependencies(manifest)].map(([name, range]) => lock.resolve({ name, range })));
  const own = requiredPeers(manifest).map((name) => ({ name, from: undefined, by: undefined, reach: 'package' as const }));
  const others = lock.entries
    .filter(({ folder }) => folder !== '')
    .flatMap((from) => {
      const reach = direct.has(from) ? ('dependency' as const) : ('indirect' as const);
      // pnpm lists the peers that a package got among its dependencies.
      const names = lock.kind === 'pnpm' ? requiredPeers(from) : requiredPeersOf(from);
      return names.map((name) => ({ name, from, by: `${from.name}@${from.version}`, reach }));
    });
  const asks = [...own, ...others].flatMap(({ name, from, by, reach }): readonly PeerAsk[] => {
    const found = lock.resolve({ from, name, range: '' });
    const isBrought = found !== undefined && (reach !== 'indirect' || found.isOnlyPeer === true);
    return isBrought ? [{ name, version: found.version, by, reach }] : [];
  });
  return nearestPeers(asks, manifest);
}

const REACHES = ['package', 'dependency', 'indirect'] as const;

/** What nobody declares for the imported package and a package manager installed for the sake of peers, each once, for those who are nearest; in the order of names. */
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
