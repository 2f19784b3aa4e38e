import { join } from 'node:path';
import { type Git, plumbing } from '@tributary/git/git';
import { resolveNames } from '@tributary/git/objects';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { type AbsolutePath, joinRepoPath, type RepoPath } from '@tributary/model/paths';
import type { Alignment } from '../alignment.js';
import { type MergedPackage, mergePackage } from '../history/merge-package.js';
import type { MovedHistory } from '../history/move.js';
import type { StagingArea } from '../io/staging-area.js';
import { readTarget, type Target } from '../io/target.js';
import { besideMessage, syncMessage } from '../plan/messages.js';
import { alignAndProve } from './apply.js';
import type { BuildOrder } from './build-order.js';
import { objectsOf, openScratchBranch, type ScratchBranch } from './scratch-branch.js';
import type { ImportChain } from './sync-chain.js';
import { importAt, importedBefore } from './sync-sides.js';

/** The input for building a sync. */
export interface SyncWork {
  readonly stagingArea: StagingArea;
  readonly target: Target;
  readonly chain: ImportChain;
  readonly moved: MovedHistory;
  readonly record: ImportRecord;
  readonly commits: number;
  readonly applying: BuildOrder;
}

/** A merge that is ready to commit, and the scratch repositories with its objects. */
export interface PreparedMerge {
  readonly merged: MergedPackage;
  readonly scratches: readonly AbsolutePath[];
  /** The alignment of the last import, computed again. Its decisions are not asked again. */
  readonly asked: Alignment | undefined;
  /** Workflows of the package that the source has changed. GitHub does not run them there. */
  readonly workflows: readonly RepoPath[];
}

/** Merges the source's changes, in the form of an import, with the files of the monorepo. Throws as `importAt` and `mergePackage`. */
export async function prepareMerge({ stagingArea, target, chain, moved, applying }: SyncWork): Promise<PreparedMerge> {
  const [newest] = chain;
  const first = chain.at(-1) ?? newest;
  const [before] = await resolveNames(target.git, [`${first.merge}^1`]);
  if (before === undefined) throw new Error(`${first.merge} is no merge`);
  const place = { before: await readTarget(target, before.id), stagingArea };
  const base = await importAt(place, await importedBefore(target, newest.record, moved.planned), applying);
  const theirs = await importAt(place, moved, applying);
  const scratch = stagingArea.newScratch('merge');
  const { format, headTree } = target.facts;
  const sources = [...applying.fetched.values()].map((source) => source.scratch);
  const alternates = [target.gitDir, ...sources, base.scratch, theirs.scratch].map(objectsOf);
  const { signal } = applying.services;
  const sides = { base: base.tree, ours: headTree, theirs: theirs.tree, path: moved.planned.path };
  const merged = await mergePackage({ scratch, alternates, format, signal }, sides);
  const view = plumbing(target.gitDir, { signal, alternates });
  const folder = joinRepoPath(moved.planned.path, '.github/workflows');
  const workflows = await view.bytes(['diff-tree', '-r', '-z', '--name-only', base.tree, theirs.tree, '--', folder]);
  return {
    merged,
    scratches: [base.scratch, theirs.scratch, scratch],
    asked: base.alignment,
    workflows: workflows
      .toString('utf8')
      .split('\0')
      .filter((path) => path !== '') as RepoPath[],
  };
}

/** The branch of a sync. */
export interface SyncedBranch {
  readonly scratchBranch: ScratchBranch;
  readonly merge: CommitId;
  readonly tip: CommitId;
  readonly alignment: Alignment | undefined;
}

/**
 * Builds the branch: the merge commit, the changes outside the package, and the alignment. Throws as `alignBranch`,
 * `PROOF_FAILED`, `YARN_DISAGREES`.
 */
export async function buildSync(work: SyncWork, { merged, scratches }: PreparedMerge, extent: 'all' | 'plan only'): Promise<SyncedBranch> {
  const { stagingArea, target, moved, record, commits, applying } = work;
  const { name } = moved.planned.source.request;
  const scratchBranch = openScratchBranch(target, stagingArea, applying, scratches);
  const { builder } = scratchBranch;
  const message = syncMessage(record, commits);
  const merge = await builder.join({ name, path: moved.planned.path, tree: merged.folder, tip: moved.tip, message });
  if (merged.outside.size > 0) await builder.change(merged.outside, besideMessage(name));
  await builder.store();
  const beside = [...merged.outside.keys()];
  return { scratchBranch, merge, ...(await alignSync(scratchBranch, { ...work, beside }, extent)) };
}

/** Aligns the merged package with the steps of a migration, installs it, and proves that nothing else changed. Throws as `buildSync`. */
export function alignSync(
  scratchBranch: ScratchBranch,
  {
    stagingArea,
    moved,
    applying,
    beside,
  }: Pick<SyncWork, 'stagingArea' | 'applying'> & {
    readonly moved: Pick<MovedHistory, 'tip' | 'map'>;
    readonly beside: readonly RepoPath[];
  },
  extent: 'all' | 'plan only',
): Promise<Pick<SyncedBranch, 'tip' | 'alignment'>> {
  // The imported tip has the package's original files: its lockfile and the package.json that matches it.
  const histories = { merges: [moved.tip], maps: [moved.map], tips: [moved.tip] };
  return alignAndProve(scratchBranch, { ...applying, ...histories, beside, extent }, stagingArea.newTemporary());
}

/**
 * Packs the objects that `wanted` reaches and `known` does not into one scratch repository. Intermediate objects are
 * discarded. Throws `GIT_FAILED`, `DISK_FULL`.
 */
export async function packNew(
  view: Git,
  scratch: AbsolutePath,
  { wanted, known }: { readonly wanted: readonly ObjectId[]; readonly known: readonly ObjectId[] },
): Promise<void> {
  const input = [...wanted, ...known.map((id) => `^${id}`)].map((line) => `${line}\n`).join('');
  await view.bytes(['pack-objects', '--revs', '--quiet', join(objectsOf(scratch), 'pack', 'pack')], { input });
}
