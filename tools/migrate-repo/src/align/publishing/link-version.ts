import type { Workspace } from '@tributary/workspaces/discover';
import type { Monorepo } from '../project.js';

/** Whether a release replaces this version with a real one: `0.0.0`, `0.0.0-development`. */
export function isPlaceholder(version: string | undefined): version is string {
  return version !== undefined && /^0\.0\.0(?:-|$)/.test(version);
}

/**
 * Returns the version that requests for a workspace are compared with. For a placeholder, it is that of the newest
 * release, if there is one.
 */
export function linkVersion(
  { released }: Pick<Monorepo, 'released'>,
  { path, manifest }: Pick<Workspace, 'path' | 'manifest'>,
): string | undefined {
  return isPlaceholder(manifest.version) ? (released.get(path) ?? manifest.version) : manifest.version;
}
