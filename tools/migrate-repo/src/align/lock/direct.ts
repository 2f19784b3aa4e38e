import type { Manifest } from '@tributary/workspaces/manifest';

/** Returns the dependencies that a manifest installs, by name, without peers. If two fields have a name, Yarn's choice applies. */
export function directDependencies(manifest: Manifest): ReadonlyMap<string, string> {
  return new Map([...manifest.devDependencies, ...manifest.dependencies, ...manifest.optionalDependencies]);
}
