import type { RemoteRef } from '@tributary/git/parse';
import { branchRef } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl, type RepoUrl } from '@tributary/model/repo-url';
import type { Services } from '@tributary/terminal/main';
import { digestTags } from '../history/tag-marks.js';
import { refuseLocalTrouble } from '../io/local-source.js';
import { announceRefs } from '../io/scratch-fetch.js';
import type { StagingArea } from '../io/staging-area.js';
import type { LocalRepository } from '../io/target.js';
import type { SyncRequest } from './sync-request.js';

/** Returns the current address of a source. */
export function addressOf(record: ImportRecord, { from }: Pick<SyncRequest, 'from'>): RepoUrl {
  return from ?? parseRepoUrl(record.source, (path) => parseAbsolutePath(path));
}

/**
 * Returns the number of the source's tags, if it announces exactly the branch and the tags of the last import. Returns
 * `undefined` if it has something else, or if the record does not show which tags it had: only a fetch tells. Throws
 * `SOURCE_UNREACHABLE`, `SOURCE_IS_TARGET`, `SOURCE_PARTIAL`.
 */
export async function countUnchangedTags(
  { stagingArea, target }: { readonly stagingArea: StagingArea; readonly target: LocalRepository },
  record: ImportRecord,
  { request, services }: { readonly request: SyncRequest; readonly services: Services },
): Promise<number | undefined> {
  const wantsTags = record.tags !== undefined && request.tags === 'recorded';
  if (wantsTags && record.sourceTags === undefined) return undefined;
  if (request.sourceBranch !== undefined && branchRef(request.sourceBranch) !== record.sourceRef) return undefined;
  const url = addressOf(record, request);
  await refuseLocalTrouble(target, url);
  const announced = await announceRefs({ url, scratch: stagingArea.newScratch('asked'), signal: services.signal });
  const tags = announced.flatMap(({ ref, id }) => (ref.startsWith(TAGS) ? [{ name: ref.slice(TAGS.length), id }] : []));
  const isSame = hasTip(announced, record) && (!wantsTags || digestTags(tags) === record.sourceTags);
  return isSame ? tags.length : undefined;
}

const TAGS = 'refs/tags/';

/** Whether the recorded ref still leads to the imported commit. A `HEAD` that was detached must still be. */
function hasTip(announced: readonly RemoteRef[], { sourceRef, sourceCommit }: ImportRecord): boolean {
  const found = announced.find(({ ref }) => ref === sourceRef);
  return found?.id === sourceCommit && found.target === undefined;
}
