import { ToolError } from '@tributary/model/errors';
import type { Services } from '@tributary/terminal/main';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { locate } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import type { ProjectFiles } from '../io/project.js';
import { readRootTexts } from '../io/reading.js';
import { mayLeadThroughPackages } from '../reasons/may-lead.js';
import type { Snapshot, UnreadableSnapshot } from '../snapshot.js';
import type { AffectedDecision } from './decide.js';
import type { AffectedInputs } from './inputs.js';
import { withManifests } from './read-manifests.js';
import { readSnapshot } from './read-snapshot.js';
import type { AffectedRequest } from './request.js';

/** The project at the head, read from its manifests, including the fields of edges. */
export interface HeadProject {
  readonly side: Snapshot;
  readonly project: ProjectFiles;
  /** With the edges that lead through packages. */
  readonly graph: DependencyGraph;
}

/** Commands without `--no-fetch` may fetch. */
export type HeadRequest = Pick<AffectedRequest, 'cwd' | 'head'> & Partial<Pick<AffectedRequest, 'fetch'>>;

/** Throws `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME`, `TARGET_NOT_A_MONOREPO`, and `CONFIG_INVALID` for unreadable settings. */
export async function readHeadProject(request: HeadRequest, { signal }: Pick<Services, 'signal'>): Promise<HeadProject> {
  const repository = await locate(request.cwd);
  const git = openGit(repository, { signal, lazyFetch: request.fetch });
  const head = request.head ?? 'HEAD';
  const texts = await readRootTexts(git, head, repository.project);
  return headProject(await readSnapshot({ git, repository, files: [] }, head, { texts, source: 'manifests' }));
}

/** Returns the same for a head that was read for an answer, and reads only the rest. `listing` is that of `listCommit`. */
export async function completeHead(
  { head }: Pick<AffectedDecision, 'head'>,
  inputs: AffectedInputs,
  { request, services, listing }: { readonly request: HeadRequest; readonly services: Services; readonly listing: Promise<string> },
): Promise<HeadProject> {
  // The working tree is compared as a separate tree, but shards check out the commit.
  if (head === undefined || inputs.headTree !== inputs.head) return readHeadProject({ ...request, head: inputs.head }, services);
  return headProject(head.project === undefined ? await withManifests(inputs, inputs.headTree, head, listing) : head);
}

async function headProject(side: Snapshot | UnreadableSnapshot): Promise<HeadProject> {
  if ('all' in side) throw new ToolError({ code: 'CONFIG_INVALID', message: side.all.reason, hint: 'Correct it, and commit.' });
  if (side.project === undefined) throw new Error('the manifests were not read');
  if (!mayLeadThroughPackages(side, side.graph.members)) return { side, project: side.project, graph: side.graph };
  const { withPackageLinks } = await import('../reasons/lock-graph.js');
  return { side, project: side.project, graph: withPackageLinks(side) };
}
