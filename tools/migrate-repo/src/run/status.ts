import { plumbing } from '@tributary/git/git';
import { isToolError } from '@tributary/model/errors';
import { shortRef } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl } from '@tributary/model/repo-url';
import type { Services } from '@tributary/terminal/main';
import { findImports, findMerges } from '../io/imports.js';
import { announceRefs, fetchRefs, type Remote } from '../io/scratch-fetch.js';
import { putInOrder, type StagingArea, withStagingArea } from '../io/staging-area.js';
import { openRepository, readStand } from '../io/target.js';
import type { SourceNews, StatusResult } from '../result.js';
import { mapFew } from './map-few.js';

/** Lists what was migrated, from where, at which commit, and what has happened there since. Throws `TARGET_NOT_FOUND` and its like. */
export async function status(request: { readonly into: AbsolutePath }, services: Services): Promise<StatusResult> {
  const target = await openRepository(request.into, services.signal);
  await putInOrder(target);
  const stand = await readStand(target.userGit);
  const found = await findImports(target.git, stand);
  const merges = await findMerges(target.git, found.imports, stand);
  const progress = services.ui.progress();
  progress.phase('Asking the sources', found.imports.length);
  const imports = await withStagingArea(target, (stagingArea) =>
    mapFew(found.imports, async ({ record, merge, branch }, at) => {
      const news =
        branch?.startsWith('refs/remotes/') === true
          ? NOT_ASKED
          : await readNews(stagingArea, record, { scratch: String(at), signal: services.signal });
      const mergedBy = merges.get(merge) ?? null;
      progress.step(record.package);
      const { path, source, sourceRef, sourceCommit, strategy } = record;
      const where = branch === undefined ? null : shortRef(branch);
      return { name: record.package, path, source, sourceRef, sourceCommit, strategy, merge, mergedBy, branch: where, news };
    }),
  );
  progress.done();
  return { schemaVersion: 1, extent: found.extent, imports, unreadable: found.unreadable };
}

/** What a stranger has pushed to a remote must not choose an address for us. */
const NOT_ASKED: SourceNews = {
  state: 'unknown',
  why: 'the import is on a branch of a remote only, so the address that it names is not asked',
};

/** A source that cannot be asked is "unknown" with its reason, never "nothing new". */
async function readNews(
  stagingArea: StagingArea,
  record: ImportRecord,
  asking: { readonly scratch: string; readonly signal: AbortSignal },
): Promise<SourceNews> {
  try {
    const url = parseRepoUrl(record.source, (path) => parseAbsolutePath(path));
    const remote: Remote = { url, scratch: stagingArea.newScratch(asking.scratch), signal: asking.signal };
    const tip = (await announceRefs(remote)).find(({ ref }) => ref === record.sourceRef)?.id;
    if (tip === undefined) return { state: 'unknown', why: `the source has no ${record.sourceRef} any more` };
    return tip === record.sourceCommit ? { state: 'none' } : await countNews(remote, record, tip);
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    return { state: 'unknown', why: error.message };
  }
}

async function countNews(remote: Remote, record: ImportRecord, tip: string): Promise<SourceNews> {
  const { subdirectory } = record;
  // Commits without their files are enough to count, unless a folder is looked for; a server that cannot leave them out sends them.
  await fetchRefs(remote, [`+${record.sourceRef}:refs/source/branch`], subdirectory === undefined ? { filter: 'tree:0' } : {});
  const git = plumbing(remote.scratch, { signal: remote.signal });
  const known = await git.attempt(['merge-base', '--is-ancestor', record.sourceCommit, tip]);
  if (known.exit !== 0) return { state: 'rewritten', tip };
  const folder = subdirectory === undefined ? [] : ['--', subdirectory];
  const count = Number(await git.text(['rev-list', '--count', `${record.sourceCommit}..${tip}`, ...folder]));
  return count === 0 ? { state: 'none' } : { state: 'commits', count, tip };
}
