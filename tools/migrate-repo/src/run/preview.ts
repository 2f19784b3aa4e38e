import { resolveNames } from '@tributary/git/objects';
import type { HistoryChanges } from '../history/changes.js';
import { HistoryCounter } from '../history/counts.js';
import { previewChanges } from '../history/move.js';
import type { StagingArea } from '../io/staging-area.js';
import type { Target } from '../io/target.js';
import type { PlannedPackage } from '../plan/plan.js';
import type { Alignment } from './align.js';
import { type Applying, sourceOf } from './applying.js';
import { mapFew } from './map-few.js';
import { alignLanded, landAll, openSite } from './site.js';

/**
 * Returns what the alignment would do; `undefined` if it is not requested. In the staging area, the last commit of each
 * source lands without moving its history, and the steps of a migration run on that. Nothing is installed. Throws as
 * `alignBranch`.
 */
export async function previewAlignment(target: Target, stagingArea: StagingArea, work: Applying): Promise<Alignment | undefined> {
  if (work.align === undefined) return undefined;
  const site = openSite(target, stagingArea, work);
  const arrivals = [];
  for (const planned of work.plan.packages) arrivals.push(await asItIs(work, planned));
  const landings = await landAll(site, arrivals, work.plan);
  return alignLanded(site, { ...work, landings, maps: [] }, work.align.install === 'yes' ? 'later' : 'never');
}

/** Returns the planned changes of messages and signatures, in the order of the plan. Throws as `previewChanges`. */
export async function previewHistories({ facts }: Target, work: Applying): Promise<readonly HistoryChanges[]> {
  const { packages, strategy } = work.plan;
  work.progress.phase('Reading messages', packages.length);
  return mapFew(packages, async (planned) => {
    const changes = await previewChanges(sourceOf(work, planned).git, { planned, format: facts.format, strategy });
    work.progress.step(planned.source.request.name);
    return changes;
  });
}

async function asItIs(work: Applying, planned: PlannedPackage): Promise<Parameters<typeof landAll>[1][number]> {
  const { tip, request } = planned.source;
  const { git } = sourceOf(work, planned);
  const [tree] = await resolveNames(git, [request.subdirectory === undefined ? `${tip}^{tree}` : `${tip}:${request.subdirectory}`]);
  if (tree === undefined) throw new Error(`${tip} has no tree`);
  return { planned, tip, tree: tree.id, tags: [], counts: new HistoryCounter().result() };
}
