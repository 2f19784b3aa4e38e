import type { RepoFolder } from '@tributary/model/paths';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { orderWorkspaces } from '@tributary/workspaces/order';

/** For each workspace, the folders that must be built for it. */
export interface WorkspaceClosures {
  /**
   * Returns the folders, dependencies first, the workspace itself last, without the root. Only the workspace's own
   * order is kept inside a cycle. Throws an `Error` for an unknown name.
   */
  readonly of: (name: string) => readonly RepoFolder[];
}

/** Returns the closures over all dependencies between workspaces, of any kind. */
export function workspaceClosures(graph: DependencyGraph): WorkspaceClosures {
  const order = orderWorkspaces(graph).order;
  const asks = new Map<string, string[]>();
  for (const { from, to } of graph.edges) {
    const [asker, asked] = [graph.members[from]?.name, graph.members[to]?.name];
    if (asker !== undefined && asked !== undefined) asks.set(asker, [...(asks.get(asker) ?? []), asked]);
  }
  return {
    of: (name) => {
      const own = graph.members.find((member) => member.name === name);
      if (own === undefined) throw new Error(`${name} is not a workspace of the branch`);
      const needed = reach(name, asks);
      return [
        ...order.filter((member) => needed.has(member.name) && member !== own && member.path !== '').map(({ path }) => path),
        own.path,
      ];
    },
  };
}

function reach(start: string, asks: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set([start]);
  for (const name of seen) for (const asked of asks.get(name) ?? []) seen.add(asked);
  return seen;
}
