import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Git, plumbing } from '@tributary/git/git';
import type { CommitId } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import type { Alignment } from '../alignment.js';
import { BranchBuilder, type HistoryToMerge, type ImportCommits } from '../history/branch.js';
import type { MovedHistory } from '../history/move.js';
import type { CommitMap } from '../history/rewrite.js';
import { digestTags, markTags } from '../history/tag-marks.js';
import { readReleased } from '../io/released.js';
import type { StagingArea } from '../io/staging-area.js';
import type { Target } from '../io/target.js';
import type { MigrationPlan } from '../plan/plan.js';
import type { InstallationOrder } from './align.js';
import type { BuildOrder } from './build-order.js';
import { readFormerRoot } from './former-root.js';
import type { WorkbenchPackage } from './open-workbench.js';

/** Where a branch is built: in scratch repositories, on top of the monorepo's commit. */
export interface ScratchBranch {
  readonly target: Target;
  /** Reads the objects of the monorepo, of all histories and of the new commits. */
  readonly view: Git;
  readonly builder: BranchBuilder;
  /** Those of the sources, in the order of the plan; then the additional ones; then the one of the branch itself. */
  readonly scratches: readonly AbsolutePath[];
}

/** Opens a branch on the monorepo's commit. `beside`: additional scratch repositories whose objects it reads. */
export function openScratchBranch(
  target: Target,
  stagingArea: StagingArea,
  work: BuildOrder,
  beside: readonly AbsolutePath[] = [],
): ScratchBranch {
  const { signal } = work.services;
  const own = stagingArea.newScratch('branch');
  const sources = work.plan.packages.flatMap(({ source }) => work.fetched.get(source.request.name)?.scratch ?? []);
  const scratches = [...sources, ...beside, own];
  const view = plumbing(target.gitDir, { signal, alternates: scratches.map(objectsOf) });
  const sign = work.signerIn?.(objectsOf(own), [target.gitDir, ...scratches].map(objectsOf));
  const builder = new BranchBuilder({ view, out: plumbing(own, { signal }) }, target.facts, work.identity, sign);
  return { target, view, builder, scratches };
}

/** Imports histories on the branch, in order, and stores the new commits. */
export async function importAll(
  { builder }: ScratchBranch,
  histories: readonly (HistoryToMerge & Partial<Pick<MovedHistory, 'tags' | 'counts'>>)[],
  plan: MigrationPlan,
): Promise<readonly ImportCommits[]> {
  const imports: ImportCommits[] = [];
  for (const history of histories)
    imports.push(await builder.import({ history, record: recordOf(history, plan, history.tags ?? []), commits: history.counts?.commits }));
  await builder.store();
  return imports;
}

/**
 * Aligns the imported packages, if requested. `merges`: the commit that brought each package; `maps`: the new ids of each package's commits, in the order of the plan.
 * Throws as `alignBranch`.
 */
export async function alignImported(
  { builder, view, target }: ScratchBranch,
  work: BuildOrder & { readonly merges: readonly CommitId[]; readonly maps: readonly (CommitMap | undefined)[] },
  installation: InstallationOrder,
): Promise<Alignment | undefined> {
  if (work.align === undefined) return undefined;
  const { alignBranch } = await import('./align.js');
  const packages: WorkbenchPackage[] = [];
  for (const [at, { source, path, cleanUp }] of work.plan.packages.entries()) {
    const { name, url, subdirectory } = source.request;
    const git = work.fetched.get(name)?.git;
    const former = subdirectory === undefined || git === undefined ? undefined : await readFormerRoot(git, source.tip, subdirectory);
    const cleanedUp = cleanUp.map((removal) => removal.path);
    packages.push({ name, path, cameIn: work.merges[at] ?? builder.tip, cleanedUp, map: work.maps[at], source: url, former });
  }
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

/** Returns where to install a branch, in a folder of a temporary one; `never` if that is not requested. */
export function placeToInstall(
  { target, scratches }: ScratchBranch,
  { work, temporary, extent }: { readonly work: BuildOrder; readonly temporary: AbsolutePath; readonly extent: 'install' | 'resolve' },
): InstallationOrder {
  if (work.align?.install !== 'yes') return 'never';
  const gitDir = scratches.at(-1);
  if (gitDir === undefined) throw new Error('a scratch branch has a scratch repository of its own');
  const folder = parseAbsolutePath(join(temporary, 'install'));
  mkdirSync(folder);
  const alternates = [target.gitDir, ...scratches].map(objectsOf);
  return { gitDir, alternates, base: target.facts.head, folder, extent, signal: work.services.signal };
}

/** Returns the folder of the monorepo's root package.json; for a bare repository, its git directory. */
function folderOf({ workTree, gitDir, facts }: Target): AbsolutePath {
  return workTree === undefined ? gitDir : parseAbsolutePath(join(workTree, facts.root));
}

/** Returns the folder of a repository's objects. */
export function objectsOf(gitDir: AbsolutePath): AbsolutePath {
  return parseAbsolutePath(join(gitDir, 'objects'));
}

/** Returns the import record for the merge commit. */
export function recordOf(
  { planned, tip: importedTip }: HistoryToMerge,
  plan: Pick<MigrationPlan, 'strategy'>,
  made: MovedHistory['tags'],
): ImportRecord {
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
    tags: pattern === undefined ? undefined : { count: made.length, marks: markTags(made), pattern },
    sourceTags: pattern === undefined ? undefined : digestTags(planned.source.tags),
    importedTip,
  };
}
