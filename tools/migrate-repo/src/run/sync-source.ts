import { type Git, plumbing } from '@tributary/git/git';
import { isToolError, ToolError } from '@tributary/model/errors';
import { branchRef, type ObjectId } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import type { RepoPath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { Progress } from '@tributary/terminal/progress';
import type { MovedHistory } from '../history/move.js';
import { listHistory } from '../history/source-history.js';
import { traceFolder } from '../io/folder-trace.js';
import { orDiskFull } from '../io/full-disk.js';
import { type FetchedSource, fetchSource } from '../io/source.js';
import type { StagingArea } from '../io/staging-area.js';
import type { Target } from '../io/target.js';
import { addressOf } from './nothing-new.js';
import type { SyncRequest } from './sync-request.js';

/** A source that was fetched again. */
export interface FetchedAgain extends FetchedSource {
  /** `other`: another branch than the recorded one. */
  readonly line: 'same' | 'other';
  /** Warnings for the user. */
  readonly warnings: readonly string[];
}

/** Fetches the source of an import: its recorded branch, the branch that replaced it, or the requested one. Throws as `fetchSource`. */
export async function fetchAgain(
  { stagingArea, target }: { readonly stagingArea: StagingArea; readonly target: Target },
  record: ImportRecord,
  work: { readonly request: SyncRequest; readonly services: Services; readonly progress: Progress },
): Promise<FetchedAgain> {
  const { request, progress } = work;
  const { signal } = work.services;
  const url = addressOf(record, request);
  progress.phase('Fetching', 1);
  const scratch = stagingArea.newScratch('0');
  const choices = {
    tags: record.tags === undefined || request.tags === 'none' ? ('leave' as const) : ('bring' as const),
    lfsPointers: request.lfsPointers,
    allowedFaults: request.allowedFaults,
    onFetch: (stage: string, percent: number) => progress.step(`${request.name}: ${stage.toLowerCase()} ${percent} %`, 0),
    signal,
  };
  const { subdirectory } = record;
  const fetchBranch = (branch: string | undefined): Promise<FetchedSource> =>
    fetchSource(target, { request: { name: request.name, url, branch, subdirectory, path: undefined }, scratch }, choices).catch(
      async (error: unknown) => {
        throw orDiskFull(await withChange(error, plumbing(scratch, { signal })), stagingArea.folder);
      },
    );
  const recorded = record.sourceRef === 'HEAD' ? undefined : record.sourceRef.replace(/^refs\/heads\//, '');
  const asked = request.sourceBranch;
  if (asked !== undefined)
    return { ...(await fetchBranch(asked)), line: branchRef(asked) === record.sourceRef ? 'same' : 'other', warnings: [] };
  try {
    return { ...(await fetchBranch(recorded)), line: 'same', warnings: [] };
  } catch (error) {
    if (!isToolError(error) || error.code !== 'SOURCE_BRANCH_MISSING' || recorded === undefined) throw error;
    const fetched = await fetchBranch(undefined);
    const warning = `The source no longer has ${recorded}; its default branch ${fetched.facts.ref.replace(/^refs\/heads\//, '')} was used.`;
    return { ...fetched, line: 'same', warnings: [warning] };
  }
}

const OF_NAME =
  'A sync follows the name that was imported. Rename the package back in the source, or name a branch that still has the name with --source-branch.';

/** Adds what a sync needs to the error about another name, and to that about a missing subdirectory where the source has moved it. */
async function withChange(error: unknown, git: Git): Promise<unknown> {
  if (isToolError(error) && error.code === 'SOURCE_NAME_MISMATCH')
    return new ToolError({ code: error.code, message: error.message, hint: OF_NAME, data: error.data, cause: error });
  if (!isToolError(error) || error.code !== 'SOURCE_SUBDIRECTORY_MISSING') return error;
  const { subdirectory: path, tip } = error.data as { readonly subdirectory: RepoPath; readonly tip: string };
  const trace = await traceFolder(git, tip, { path, landings: new Set(), since: undefined });
  const by = 'by' in trace ? trace.by.slice(0, 10) : undefined;
  const change = trace.state === 'moved' ? `: ${by} moved it to ${trace.to}` : by === undefined ? '' : `: ${by} removed it`;
  return new ToolError({
    code: 'SOURCE_SUBDIRECTORY_MISSING',
    message: `${error.message.replace(/\.$/, '')}${change}.`,
    hint:
      trace.state === 'moved'
        ? `A sync follows the folder that was imported. Move it back in the source, or import ${trace.to} as a package of its own with --subdirectory.`
        : 'A sync follows the folder that was imported. Name a branch that still has it with --source-branch.',
    data: { ...error.data, movedTo: trace.state === 'moved' ? trace.to : null },
    cause: error,
  });
}

/**
 * Whether the fetched branch of the source still contains the imported commit. Throws `SOURCE_REWRITTEN` for another
 * branch without a common commit.
 */
export async function isContinued({ git, facts, line }: FetchedAgain, record: ImportRecord): Promise<boolean> {
  if (line === 'same') return (await git.attempt(['merge-base', '--is-ancestor', record.sourceCommit, facts.tip])).exit === 0;
  const related = await git.attempt(['merge-base', record.sourceCommit, facts.tip]);
  if (related.exit === 0) return true;
  throw new ToolError({
    code: 'SOURCE_REWRITTEN',
    message: `${facts.ref.replace(/^refs\/heads\//, '')} of ${facts.request.url} has no commit in common with the imported ${record.sourceCommit.slice(0, 10)}.`,
    hint: 'Choose a branch with --source-branch that shares the imported history.',
    data: { name: record.package, recorded: record.sourceCommit, tip: facts.tip, vanished: [] },
  });
}

/** Returns the error for a force-pushed source, with the imported commits that it lost. `git` reads the monorepo's objects. */
export async function rewritten(
  git: Git,
  record: ImportRecord,
  { git: source, facts }: FetchedAgain,
  moved: MovedHistory,
): Promise<ToolError> {
  const imported = await listHistory(git, [record.strategy === 'merge' ? record.sourceCommit : record.importedTip]);
  // Commits that only tags reach do not count.
  const onBranch = await listHistory(source, [facts.tip]);
  const images = new Set<ObjectId | undefined>(onBranch.map((id) => (moved.map === undefined ? id : moved.map.get(id))));
  const vanished = imported.filter((id) => !images.has(id)).toReversed();
  const lines =
    vanished.length === 0
      ? []
      : (await git.text(['log', '--no-walk=unsorted', '--encoding=UTF-8', '--format=%h %s', ...vanished.slice(0, SHOWN)])).split('\n');
  const more = vanished.length > SHOWN ? [`… and ${vanished.length - SHOWN} more`] : [];
  const told = [...lines.map((line) => line.slice(0, 90)), ...more].map((line) => `\n  ${line}`).join('');
  const count = vanished.length === 1 ? '1 imported commit has' : `${vanished.length} imported commits have`;
  return new ToolError({
    code: 'SOURCE_REWRITTEN',
    message: `${facts.ref.replace(/^refs\/heads\//, '')} of ${facts.request.url} was rewritten: it no longer contains ${record.sourceCommit.slice(0, 10)}. ${count} vanished from it (shown with their ids in the monorepo):${told}`,
    hint: 'Restore those commits in the source, for example with a merge. Or name the branch that still has them with --source-branch.',
    data: { name: record.package, recorded: record.sourceCommit, tip: facts.tip, vanished },
  });
}

const SHOWN = 10;
