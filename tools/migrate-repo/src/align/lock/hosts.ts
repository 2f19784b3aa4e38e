import type { LockEntry } from '@tributary/lockfile/lockfile';
import { hostOf } from '../settings/public-address.js';
import { parseSpecifier } from '../specifier.js';

interface Asked {
  readonly name: string;
  readonly range: string;
}

/**
 * Returns the packages whose archives came from a host, by host, sorted. Excludes packages requested by an address,
 * which stays, and npm's own registry with its two names. Only hosts are returned, because the rest of a URL may
 * contain a credential.
 */
export function hostsOf(
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
