import type { Workspace } from '@tributary/workspaces/discover';
import type { Project } from '../project.js';

/** Whether a release puts a real version in the place of this one: `0.0.0`, `0.0.0-development`. */
export function isPlaceholder(version: string | undefined): version is string {
  return version !== undefined && /^0\.0\.0(?:-|$)/.test(version);
}

/** The version by which requests for a workspace are judged: of one with a placeholder, that of its newest release, where it has one. */
export function linkVersion(
  { released }: Pick<Project, 'released'>,
  { path, manifest }: Pick<Workspace, 'path' | 'manifest'>,
): string | undefined {
  return isPlaceholder(manifest.version) ? (released.get(path) ?? manifest.version) : manifest.version;
}
