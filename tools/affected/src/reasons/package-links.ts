import type { LockGraph } from '@tributary/workspaces/lock/graph';
import { linksThroughPackages } from '@tributary/workspaces/lock/links';
import type { MemberGraph } from '@tributary/workspaces/members';
import type { Side } from '../side.js';
import { withLinks } from './with-links.js';

/**
 * The graph with the edges that lead through third-party packages: where such a package asks for a range that a workspace satisfies, Yarn
 * gives it the workspace, and whoever uses the package depends on the workspace.
 */
export function withPackageLinks({ graph }: Pick<Side, 'graph'>, lock: LockGraph | undefined): MemberGraph {
  return lock === undefined ? graph : withLinks(graph, linksThroughPackages(lock));
}
