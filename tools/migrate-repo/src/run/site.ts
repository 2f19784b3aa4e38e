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

/** Where a branch is built: in scratch repositories, upon the monorepo's commit. */
export interface Site {
  readonly target: Target;
  /** Sees the monorepo's objects, and all that arrives and is made. */
  readonly view: Git;
  readonly builder: BranchBuilder;
  /** One for each package, in the order of the plan, then those that were asked for beside, then the one for the branch itself. */
  readonly scratches: readonly AbsolutePath[];
}

/** `beside`: more scratch repositories whose objects are seen. */
export function openSite(target: Target, stagingArea: StagingArea, work: Applying, beside: readonly AbsolutePath[] = []): Site {
  const { signal } = work.services;
  const own = stagingArea.newScratch('branch');
  const scratches = [...work.plan.packages.map((planned) => sourceOf(work, planned).scratch), ...beside, own];
  const view = plumbing(target.gitDir, { signal, alternates: scratches.map(objectsOf) });
  const sign = work.signerIn?.(objectsOf(own), [target.gitDir, ...scratches].map(objectsOf));
  const builder = new BranchBuilder({ view, out: plumbing(own, { signal }) }, target.facts, work.identity, sign);
  return { target, view, builder, scratches };
}

/** Lets histories land on the branch, in their order, and stores what that made. */
export async function landAll({ builder }: Site, arrivals: readonly ArrivedWithTags[], plan: Plan): Promise<readonly LandingCommits[]> {
  const landings: LandingCommits[] = [];
  for (const moved of arrivals) landings.push(await builder.land({ moved, record: recordOf(moved, plan) }));
  await builder.store();
  return landings;
}

/** Aligns what has landed, if that was asked for; `maps`: the new ids of the commits of each package, in the order of the plan. Throws as `alignBranch`. */
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

/** Where the root package.json of the monorepo lies; of a bare one, the repository. */
function folderOf({ workTree, gitDir, facts }: Target): AbsolutePath {
  return workTree === undefined ? gitDir : parseAbsolutePath(join(workTree, facts.root));
}

/** Where the objects of a repository are. */
export function objectsOf(gitDir: AbsolutePath): AbsolutePath {
  return parseAbsolutePath(join(gitDir, 'objects'));
}

type ArrivedWithTags = Arrived & Pick<MovedHistory, 'tags'>;

/** What the merge commit says of an import. */
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
