import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { InstalledPeer } from '../project.js';
import { directDependencies } from './direct.js';

/** Somebody has a package as a peer, and got it. */
export interface PeerAsk {
  readonly name: string;
  /** What was installed for it. */
  readonly version: string;
  /** Who asks: `ts-node@10.9.2`; of the imported package itself nothing. */
  readonly by: string | undefined;
  readonly reach: InstalledPeer['reach'];
}

/** Peers that must be there: those of `peerDependencies` that `peerDependenciesMeta` does not call optional. */
export function requiredPeers({ peerDependencies, optionalPeers }: Manifest): readonly string[] {
  return [...peerDependencies.keys()].filter((name) => !optionalPeers.has(name));
}

/** The same for a package in a lockfile, which may be read as texts alone. What it asks for itself too (vitest its vite) it has in any case. */
export function requiredPeersIn(node: Readonly<Record<string, unknown>>): readonly string[] {
  const { dependencies, peerDependencies, peerDependenciesMeta } = node;
  const meta = isPlainObject(peerDependenciesMeta) ? peerDependenciesMeta : {};
  const isOptional = (name: string): boolean => {
    const own = meta[name];
    return isPlainObject(own) && String(own['optional']) === 'true';
  };
  const own = isPlainObject(dependencies) ? dependencies : {};
  return Object.keys(isPlainObject(peerDependencies) ? peerDependencies : {}).filter(
    (name) => !isOptional(name) && !Object.hasOwn(own, name),
  );
}

const REACHES = ['package', 'dependency', 'indirect'] as const;

/** What nobody declares for the imported package and a package manager installed for the sake of peers, each once, for those who are nearest; in the order of names. */
export function installedPeers(asks: readonly PeerAsk[], manifest: Manifest): readonly InstalledPeer[] {
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
