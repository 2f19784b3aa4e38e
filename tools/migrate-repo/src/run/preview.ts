import { resolveNames } from '@tributary/git/objects';
import type { Alignment } from '../alignment.js';
import type { HistoryToMerge } from '../history/branch.js';
import type { HistoryChanges } from '../history/changes.js';
import type { StagingArea } from '../io/staging-area.js';
import type { Target } from '../io/target.js';
import type { PlannedPackage } from '../plan/plan.js';
import { type BuildOrder, sourceOf } from './build-order.js';
import { mapFew } from './map-few.js';
import type { Moves } from './moves.js';
import { alignImported, importAll, openScratchBranch, placeToInstall } from './scratch-branch.js';

/**
 * Returns what the alignment would do; `undefined` if it is not requested. In the staging area, the last commit of each
 * source lands without moving its history, and the steps of a migration run on that. Yarn resolves the dependencies, and installs nothing. Throws as
 * `alignBranch`.
 */
export async function previewAlignment(target: Target, stagingArea: StagingArea, work: BuildOrder): Promise<Alignment | undefined> {
  if (work.align === undefined) return undefined;
  const scratchBranch = openScratchBranch(target, stagingArea, work);
  const histories = [];
  for (const planned of work.plan.packages) histories.push(await unmoved(work, planned));
  const imports = await importAll(scratchBranch, histories, work.plan);
  return alignImported(
    scratchBranch,
    { ...work, merges: imports.map(({ merge }) => merge), maps: [] },
    placeToInstall(scratchBranch, { work, temporary: stagingArea.newTemporary(), extent: 'resolve' }),
  );
}

/** Returns the planned changes of messages and signatures, in the order of the plan. Throws as `Moves.preview`. */
export async function previewHistories(work: BuildOrder & { readonly moves: Moves }): Promise<readonly HistoryChanges[]> {
  const { packages } = work.plan;
  work.progress.phase('Reading messages', packages.length);
  return mapFew(packages, async (planned) => {
    const changes = await work.moves.preview(planned);
    work.progress.step(planned.source.request.name);
    return changes;
  });
}

/** Returns the last commit of a source without moving its history. */
async function unmoved(work: BuildOrder, planned: PlannedPackage): Promise<HistoryToMerge> {
  const { tip, request } = planned.source;
  const { git } = sourceOf(work, planned);
  const [tree] = await resolveNames(git, [request.subdirectory === undefined ? `${tip}^{tree}` : `${tip}:${request.subdirectory}`]);
  if (tree === undefined) throw new Error(`${tip} has no tree`);
  return { planned, tip, tree: tree.id };
}
