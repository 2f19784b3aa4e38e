import type { AllReason, ChangedFile } from '@tributary/model/changeset';
import { ToolError } from '@tributary/model/errors';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { readLockMembers } from '@tributary/workspaces/lock/members';
import { unlistedFolders } from '@tributary/workspaces/unlisted';
import { COMPLETE_CLONE, fetchManifests } from '../io/partial-clone.js';
import { ROOT_FILES, type RootTexts } from '../io/reading.js';
import type { AffectedInputs } from './inputs.js';
import { listOf } from './missing-sources.js';

/**
 * Fetches the manifests of the head in one request. If some stay missing, returns why every workspace is selected, and the workspaces of the
 * lockfile. Throws `GIT_FAILED` if the lockfile may not have all of them.
 */
export async function readMissingHead(
  inputs: AffectedInputs,
): Promise<{ readonly all: AllReason; readonly graph: DependencyGraph } | undefined> {
  const { git, headTree, repository, texts } = inputs;
  const missing = await fetchManifests(git, headTree, repository.project, []);
  const all = whyMissing(missing);
  if (all === undefined) return undefined;
  const lock = readLockMembers(texts['yarn.lock'] ?? '');
  if (lock.kind === 'berry' && areListed(missing, lock.graph, texts)) return { all: inputs.all ?? all, graph: lock.graph };
  throw new ToolError({ code: 'GIT_FAILED', message: all.reason, hint: COMPLETE_CLONE });
}

/** Tells whether each missing manifest that belongs to a workspace belongs to one of the lockfile. */
function areListed(missing: readonly RepoPath[], graph: DependencyGraph, texts: RootTexts): boolean {
  const files = missing.map((path): ChangedFile => ({ path, status: 'modified', kind: 'file' }));
  return unlistedFolders(files, [{ path: '' as RepoFolder, text: texts['package.json'] ?? '' }], graph).length === 0;
}

/**
 * Fetches the manifests and root files of the base in one request. Returns why every workspace is selected if some stay missing. `texts`
 * are being read.
 */
export async function whyManifestsMissing(
  { git, repository }: Pick<AffectedInputs, 'git' | 'repository'>,
  commit: string,
  texts: Promise<RootTexts>,
): Promise<AllReason | undefined> {
  // Reading them may fetch the manifests too.
  await texts.catch(() => undefined);
  return whyMissing(await fetchManifests(git, commit, repository.project, ROOT_FILES));
}

function whyMissing(files: readonly RepoPath[]): AllReason | undefined {
  const [subject] = files;
  if (subject === undefined) return undefined;
  return {
    code: 'SOURCES_MISSING',
    reason: `Files are missing in this clone that define workspaces and their dependencies: ${listOf(files)}.`,
    subject,
  };
}
