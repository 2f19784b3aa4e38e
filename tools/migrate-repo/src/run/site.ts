import { join } from 'node:path';
import { type Git, plumbing } from '@tributary/git/git';
import type { ImportRecord } from '@tributary/model/import-record';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { type Arrived, BranchBuilder, type LandingCommits } from '../history/branch.js';
import type { MovedHistory } from '../history/move.js';
import type { CommitMap } from '../history/rewrite.js';
import { markTags } from '../history/tag-marks.js';
import { readReleased } from '../io/released.js';
import type { StagingArea } from '../io/staging-area.js';
import type { Target } from '../io/target.js';
import type { Plan } from '../plan/plan.js';
import type { Alignment, InstallationOrder } from './align.js';
import { type Applying, sourceOf } from './applying.js';

/** Where a branch is built: in scratch repositories, on top of the monorepo's commit. */
export interface Site {
  readonly target: Target;
  /** Reads the objects of the monorepo, of all arrivals and of the new commits. */
  readonly view: Git;
  readonly builder: BranchBuilder;
  /** One for each package, in the order of the plan; then the additional ones; then the one of the branch itself. */
  readonly scratches: readonly AbsolutePath[];
}

/** Opens a site. `beside`: additional scratch repositories whose objects it reads. */
export function openSite(target: Target, stagingArea: StagingArea, work: Applying, beside: readonly AbsolutePath[] = []): Site {
  const { signal } = work.services;
  const own = stagingArea.newScratch('branch');
  const scratches = [...work.plan.packages.map((planned) => sourceOf(work, planned).scratch), ...beside, own];
  const view = plumbing(target.gitDir, { signal, alternates: scratches.map(objectsOf) });
  const sign = work.signerIn?.(objectsOf(own), [target.gitDir, ...scratches].map(objectsOf));
  const builder = new BranchBuilder({ view, out: plumbing(own, { signal }) }, target.facts, work.identity, sign);
  return { target, view, builder, scratches };
}

/** Lands histories on the branch, in order, and stores the new commits. */
export async function landAll({ builder }: Site, arrivals: readonly ArrivedWithTags[], plan: Plan): Promise<readonly LandingCommits[]> {
  const landings: LandingCommits[] = [];
  for (const moved of arrivals) landings.push(await builder.land({ moved, record: recordOf(moved, plan) }));
  await builder.store();
  return landings;
}

/**
 * Aligns the landed packages, if requested. `maps`: the new ids of each package's commits, in the order of the plan.
 * Throws as `alignBranch`.
 */
export async function alignLanded(
  { builder, view, target }: Site,
  work: Applying & { readonly landings: readonly LandingCommits[]; readonly maps: readonly (CommitMap | undefined)[] },
  installation: InstallationOrder,
): Promise<Alignment | undefined> {
  if (work.align === undefined) return undefined;
  const { alignBranch } = await import('./align.js');
  const packages = work.plan.packages.map(({ source, path, cleanUp }, at) => {
    const merge = work.landings[at]?.merge ?? builder.tip;
    return { name: source.request.name, path, cameIn: merge, cleanedUp: cleanUp.map((removal) => removal.path), map: work.maps[at] };
  });
  const { choices, scripts } = work.align;
  const released = await readReleased(target, work);
  return alignBranch(builder, {
    view,
    root: target.facts.root,
    packages,
    released,
    choices,
    installation,
    scripts,
    progress: work.progress,
    askVersions: async (name) => {
      const { askVersions } = await import('../io/registry.js');
      return askVersions(name, folderOf(target), work.services.signal);
    },
  });
}

/** Returns the folder of the monorepo's root package.json; for a bare repository, its git directory. */
function folderOf({ workTree, gitDir, facts }: Target): AbsolutePath {
  return workTree === undefined ? gitDir : parseAbsolutePath(join(workTree, facts.root));
}

/** Returns the folder of a repository's objects. */
export function objectsOf(gitDir: AbsolutePath): AbsolutePath {
  return parseAbsolutePath(join(gitDir, 'objects'));
}

type ArrivedWithTags = Arrived & Pick<MovedHistory, 'tags'>;

/** Returns the import record for the merge commit. */
export function recordOf(moved: ArrivedWithTags, plan: Pick<Plan, 'strategy'>): ImportRecord {
  const { planned } = moved;
  const { request, ref, tip } = planned.source;
  const pattern = planned.tagPattern;
  return {
    package: request.name,
    path: planned.path,
    source: request.url.toString(),
    sourceRef: ref,
    sourceCommit: tip,
    subdirectory: request.subdirectory,
    strategy: plan.strategy,
    messages: planned.messages,
    signatures: planned.messages === 'exact' ? 'keep' : 'moved',
    tags: pattern === undefined ? undefined : { count: moved.tags.length, marks: markTags(moved.tags), pattern },
    importedTip: moved.tip,
  };
}
