import type { Manifest } from '@tributary/workspaces/manifest';

/** What a manifest asks for to be installed, by name; peers do not belong to it. Where two fields have a name, the one that Yarn takes. */
export function directDependencies(manifest: Manifest): ReadonlyMap<string, string> {
  return new Map([...manifest.devDependencies, ...manifest.dependencies, ...manifest.optionalDependencies]);
}
