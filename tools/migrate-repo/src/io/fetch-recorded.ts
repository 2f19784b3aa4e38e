import type { ImportRecord } from '@tributary/model/import-record';
import { type RefOfSource, refToFetch } from '../plan/recorded-ref.js';
import { announceRefs, fetchRefs, type Remote } from './scratch-fetch.js';

/**
 * Fetches the branch of a source that an import came from, or the one that has taken its place, or the one that a person names. Throws `SOURCE_BRANCH_MISSING`, and as
 * `fetchRefs`.
 */
export async function fetchRecorded(remote: Remote, record: ImportRecord, branch: string | undefined): Promise<RefOfSource> {
  const found = refToFetch(record, { url: remote.url, announced: await announceRefs(remote) }, branch);
  await fetchRefs(remote, [`+${found.ref}:refs/source/branch`]);
  return found;
}
