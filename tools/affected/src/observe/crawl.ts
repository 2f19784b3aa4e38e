import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { ownerPlace } from '@tributary/workspaces/dependency-graph';

/**
 * Returns a sentence if a command listed the folders of most workspaces, starting above them: a runner that indexes the project reads files
 * that its tests do not need. A project of fewer than four workspaces is too small to tell.
 */
export function describeCrawl(graph: DependencyGraph, listed: readonly { readonly path: string }[]): string | undefined {
  const folders = graph.members.filter(({ path }) => path !== '');
  const root = graph.byPath.get('' as RepoFolder);
  const owners = new Set<number>();
  let isFromAbove = false;
  for (const { path } of listed) {
    const owner = ownerPlace(graph, (path === '.' ? '' : path) as RepoPath);
    if (owner !== undefined && owner !== root) owners.add(owner);
    else isFromAbove ||= folders.some((member) => path === '.' || member.path.startsWith(`${path}/`));
  }
  if (folders.length < 4 || !isFromAbove || owners.size * 2 <= folders.length) return undefined;
  return `the folders of ${owners.size} of ${folders.length} workspaces were listed`;
}
