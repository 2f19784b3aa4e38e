import type { Git } from '@tributary/git/git';
import { fetchMissing, findMissing } from '@tributary/git/missing-objects';
import { ToolError } from '@tributary/model/errors';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { parseTracked, type TrackedFile } from './tracked-files.js';

// In a partial clone, git fetches each missing file by itself when it is read. Here, what is known to be needed is fetched in one request before.

/** What the user can do about a file that is missing. */
export const COMPLETE_CLONE = 'Allow fetching, or complete the clone: git fetch --refetch --no-filter origin';

const MANIFESTS = /(?:^|\/)package\.json$/;

/**
 * Fetches the given files of a project's root in a commit, with all manifests if one of them is missing, because these are then missing as
 * well. Throws `GIT_FAILED` if a file stays missing.
 */
export async function fetchRootFiles(git: Git, commit: string, project: RepoFolder, names: readonly string[]): Promise<void> {
  const files = await listFiles(git, commit, project, (path) => names.includes(path) || MANIFESTS.test(path));
  const root = files.filter(({ path }) => names.includes(path));
  const missing = await findMissing(git, idsOf(root));
  if (missing.size === 0) return;
  const still = await fetchMissing(git, idsOf(files));
  const lost = root.find(({ id }) => still.has(id));
  if (lost === undefined) return;
  throw new ToolError({
    code: 'GIT_FAILED',
    message: `${lost.path} of ${commit.slice(0, 10)} is missing in this clone.`,
    hint: COMPLETE_CLONE,
  });
}

/** Fetches the manifests of a commit, and the given files of its root. Returns those that this clone lacks still. */
export async function fetchManifests(
  git: Git,
  commit: string,
  project: RepoFolder,
  names: readonly string[],
): Promise<readonly RepoPath[]> {
  const files = await listFiles(git, commit, project, (path) => names.includes(path) || MANIFESTS.test(path));
  const missing = await fetchMissing(git, idsOf(files));
  return files.filter(({ id }) => missing.has(id)).map(({ path }) => path);
}

/** Returns nothing for a commit that this clone does not have. */
async function listFiles(
  git: Git,
  commit: string,
  project: RepoFolder,
  isWanted: (path: string) => boolean,
): Promise<readonly TrackedFile[]> {
  const listing = await git.attempt(['ls-tree', '-r', '-z', '--full-tree', commit]);
  if (listing.exit !== 0) return [];
  const files = parseTracked(listing.stdout.toString('utf8'), project);
  return files.filter(({ path }) => isWanted(path) && !/(?:^|\/)node_modules\//.test(path));
}

function idsOf(files: readonly TrackedFile[]): readonly TrackedFile['id'][] {
  return files.map(({ id }) => id);
}
