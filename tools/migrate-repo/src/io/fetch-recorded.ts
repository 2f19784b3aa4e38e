import type { Git } from '@tributary/git/git';
import type { ObjectId } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { type RefOfSource, refToFetch } from '../plan/recorded-ref.js';
import { listRefs } from './refs.js';
import { resolveCommits } from './resolve-commits.js';
import { announceRefs, fetchRefs, type Remote } from './scratch-fetch.js';

/** Its ref in the scratch repository. */
export const FETCHED_BRANCH = 'refs/source/branch';

const TAGS = 'refs/source/tags/';

/**
 * Fetches the tags of a source, and one branch: the one an import came from, the one that replaced it, or the requested
 * one. Throws `SOURCE_BRANCH_MISSING`, and as `fetchRefs`.
 */
export async function fetchRecorded(remote: Remote, record: ImportRecord, branch: string | undefined): Promise<RefOfSource> {
  const found = refToFetch(record, { url: remote.url, announced: await announceRefs(remote) }, branch);
  await fetchRefs(remote, [`+${found.ref}:${FETCHED_BRANCH}`, `+refs/tags/*:${TAGS}*`]);
  return found;
}

/** Returns the commits of the fetched tags. Throws `GIT_FAILED`. */
export async function fetchedTags(git: Git): Promise<readonly ObjectId[]> {
  return resolveCommits(
    git,
    (await listRefs(git, [TAGS])).map(({ id }) => id),
  );
}
