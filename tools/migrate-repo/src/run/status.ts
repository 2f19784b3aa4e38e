import { plumbing } from '@tributary/git/git';
import { isToolError } from '@tributary/model/errors';
import { shortRef } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl } from '@tributary/model/repo-url';
import type { Services } from '@tributary/terminal/main';
import { announceRefs, fetchRefs, type Remote } from '../io/scratch-fetch.js';
import { type StagingArea, withStagingArea } from '../io/staging-area.js';
import { type SurveyedImport, surveyImports } from '../io/survey.js';
import { readHeadState } from '../io/target.js';
import { recordedRef } from '../plan/recorded-ref.js';
import type { ImportStatus, SourceNews, StatusResult } from '../result/import-result.js';
import { mapFew } from './map-few.js';
import { listOpenSyncs } from './open-sync.js';
import { openInOrder } from './put-in-order.js';

/** Lists each import with its source, its commit and the new commits there. Throws `TARGET_NOT_FOUND` and other errors about the target. */
export async function status(request: { readonly into: AbsolutePath }, services: Services): Promise<StatusResult> {
  const target = await openInOrder(request.into, services);
  const survey = await surveyImports(target.git, await readHeadState(target.userGit));
  const progress = services.ui.progress();
  // An import that a sync continues is listed with that sync.
  const newest = survey.imports.filter(({ state }) => state.kind !== 'synced');
  progress.phase('Asking the sources', newest.length);
  const imports = await withStagingArea(target, (stagingArea) =>
    mapFew(newest, async (one, at) => {
      const isRemote = one.branch?.startsWith('refs/remotes/') === true;
      const asked = isRemote ? NOT_ASKED : await readNews(stagingArea, one.record, { scratch: String(at), signal: services.signal });
      progress.step(one.record.package);
      return describeImport(one, asked);
    }),
  );
  progress.done();
  const orphans = survey.orphans.map((one) => ({ name: one.package, commit: one.commit }));
  const unreadable = survey.unreadable.map(({ merge, problem }) => ({ merge, problem }));
  return { schemaVersion: 1, extent: survey.extent, imports, openSyncs: await listOpenSyncs(target), orphans, unreadable };
}

type AskedSource = Pick<ImportStatus, 'news' | 'askedRef'>;

function describeImport({ record, merge, mergedBy, branch, state }: SurveyedImport, asked: AskedSource): ImportStatus {
  const { path, source, sourceRef, sourceCommit, strategy } = record;
  return {
    name: record.package,
    ...{ path, source, sourceRef, sourceCommit, strategy, merge },
    mergedBy: mergedBy ?? null,
    branch: branch === undefined ? null : shortRef(branch),
    state: state.kind !== 'held' && state.kind !== 'synced' ? state.kind : branch === undefined ? 'merged' : 'waiting',
    by: state.kind === 'held' || state.kind === 'waiting' ? null : state.by,
    movedTo: state.kind === 'held' ? (state.to ?? null) : null,
    ...asked,
  };
}

/** The source of an import on a remote branch is not asked: what others have pushed must not choose an address to contact. */
const NOT_ASKED: AskedSource = {
  news: { state: 'unknown', why: 'the import is only on a remote branch, so its source was not contacted' },
  askedRef: null,
};

interface Asking {
  readonly scratch: string;
  readonly signal: AbortSignal;
}

/** Returns the source's new commits. If the source cannot be asked, they are `unknown` with a reason, never `none`. */
async function readNews(stagingArea: StagingArea, record: ImportRecord, asking: Asking): Promise<AskedSource> {
  const unknown = (why: string): AskedSource => ({ news: { state: 'unknown', why }, askedRef: null });
  try {
    const url = parseRepoUrl(record.source, (path) => parseAbsolutePath(path));
    const remote: Remote = { url, scratch: stagingArea.newScratch(asking.scratch), signal: asking.signal };
    const announced = await announceRefs(remote);
    const found = recordedRef(record, announced);
    const tip = announced.find(({ ref }) => ref === found?.ref)?.id;
    if (found === undefined || tip === undefined) return unknown(`the source no longer has ${record.sourceRef}, and has no default branch`);
    const news: SourceNews = tip === record.sourceCommit ? { state: 'none' } : await countNews(remote, record, { tip, ref: found.ref });
    if (found.state === 'recorded') return { news, askedRef: null };
    if (news.state !== 'rewritten') return { news, askedRef: found.ref };
    return unknown(`the source no longer has ${record.sourceRef}, and ${found.ref}, its default branch, does not contain that commit`);
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    return unknown(error.message);
  }
}

async function countNews(
  remote: Remote,
  record: ImportRecord,
  { tip, ref }: { readonly tip: string; readonly ref: string },
): Promise<SourceNews> {
  const { subdirectory } = record;
  // Commits without files are enough to count, unless a folder is needed. A server that cannot omit files sends them.
  await fetchRefs(remote, [`+${ref}:refs/source/branch`], subdirectory === undefined ? { filter: 'tree:0' } : {});
  const git = plumbing(remote.scratch, { signal: remote.signal });
  const known = await git.attempt(['merge-base', '--is-ancestor', record.sourceCommit, tip]);
  if (known.exit !== 0) return { state: 'rewritten', tip };
  const folder = subdirectory === undefined ? [] : ['--', subdirectory];
  const count = Number(await git.text(['rev-list', '--count', `${record.sourceCommit}..${tip}`, ...folder]));
  return count === 0 ? { state: 'none' } : { state: 'commits', count, tip };
}
