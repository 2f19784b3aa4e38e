import { packageExtensions } from '@yarnpkg/extensions';
import { buildExtension, type PackageExtensions } from './package-extensions.js';

/**
 * Returns Yarn's own package extensions, only those with dependencies. They are from one release of Yarn; another release may have more or
 * fewer.
 */
export function builtinExtensions(): PackageExtensions {
  return packageExtensions
    .filter(([, { dependencies }]) => dependencies !== undefined)
    .map(([key, extension]) => buildExtension(key, extension));
}

/** Returns the names of the peers that Yarn itself adds to packages, by package, whatever its version. */
export function builtinPeers(): ReadonlyMap<string, readonly string[]> {
  return peersByName;
}

const peersByName = new Map<string, readonly string[]>();
for (const [key, extension] of packageExtensions) {
  const { name, peers } = buildExtension(key, extension);
  if (peers.length > 0) peersByName.set(name, [...(peersByName.get(name) ?? []), ...peers]);
}
