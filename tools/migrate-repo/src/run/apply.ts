import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '@tributary/git/git';
import { splitNul } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';
import { ToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import { type AbsolutePath, isInside, joinRepoPath, parseAbsolutePath, type RepoPath } from '@tributary/model/paths';
import type { Alignment } from '../alignment.js';
import type { ImportCommits } from '../history/branch.js';
import type { DonePackage } from '../history/prove.js';
import type { CommitMap } from '../history/rewrite.js';
import { handOver } from '../io/hand-over.js';
import { missingTags } from '../io/refs.js';
import type { StagingArea } from '../io/staging-area.js';
import type { Target } from '../io/target.js';
import type { MigrationPlan, PlannedPackage } from '../plan/plan.js';
import type { BuildOrder } from './build-order.js';
import { mapFew } from './map-few.js';
import type { Moves } from './moves.js';
import { alignImported, importAll, openScratchBranch, placeToInstall, type ScratchBranch } from './scratch-branch.js';

export interface BuiltBranch {
  readonly tip: CommitId;
  /** In the order of the packages. */
  readonly imports: readonly ImportCommits[];
  /** `undefined` if it was not requested. */
  readonly alignment: Alignment | undefined;
}

export interface Applied {
  readonly built: BuiltBranch;
  /** In the order of the plan. */
  readonly done: readonly DonePackage[];
}

// Two at once: one computes while git works for the other.
const MOVES_AT_ONCE = 2;

/**
 * Carries out a plan in the staging area, proves the result, and only then hands it over to the repository. Throws
 * `PROOF_FAILED`, `YARN_DISAGREES`, `SIGNING_FAILED`, `REFS_NOT_MOVED`, `TARGET_IDENTITY_MISSING`, `DISK_FULL`,
 * `INTERRUPTED`; the repository is then unchanged.
 */
export async function applyPlan(stagingArea: StagingArea, target: Target, work: BuildOrder & { readonly moves: Moves }): Promise<Applied> {
  const { packages } = work.plan;
  work.progress.phase('Rewriting and proving', packages.length);
  const prove = async (planned: PlannedPackage): Promise<DonePackage> => {
    const proven = await work.moves.prove(planned);
    work.progress.step(planned.source.request.name);
    return proven;
  };
  const done = await mapFew(packages, prove, MOVES_AT_ONCE);
  work.progress.phase('Building the branch');
  const scratchBranch = openScratchBranch(target, stagingArea, work);
  const built = await build(scratchBranch, { ...work, done }, stagingArea.newTemporary());
  work.services.signal.throwIfAborted();
  const tags = await missingTags(
    target.git,
    done.flatMap(({ moved }) => moved.tags),
  );
  const message = `migrate-repo: ${packages.map(({ source }) => source.request.name).join(', ')}`;
  await handOver(target, { scratches: scratchBranch.scratches, refs: [...tags, { ref: work.plan.branch, value: built.tip }], message });
  return { built, done };
}

async function build(
  scratchBranch: ScratchBranch,
  work: BuildOrder & { readonly done: readonly DonePackage[] },
  temporary: AbsolutePath,
): Promise<BuiltBranch> {
  const moved = work.done.map((one) => one.moved);
  const imports = await importAll(scratchBranch, moved, work.plan);
  const histories = { merges: imports.map(({ merge }) => merge), maps: moved.map(({ map }) => map), tips: moved.map(({ tip }) => tip) };
  return { imports, ...(await alignAndProve(scratchBranch, { ...work, ...histories, beside: [], extent: 'all' }, temporary)) };
}

/** What is aligned on a branch. `maps` and `tips` are those of the imported histories, in the order of the plan. */
interface AlignmentOrder extends BuildOrder {
  readonly merges: readonly CommitId[];
  readonly maps: readonly (CommitMap | undefined)[];
  readonly tips: readonly CommitId[];
  /** Files outside the packages that the branch changes on purpose. */
  readonly beside: readonly RepoPath[];
  readonly extent: 'all' | 'plan only';
}

/**
 * Aligns the imported packages, if requested, and proves that the branch is complete, changes nothing else, and is what
 * Yarn sees. Throws as `alignBranch`, `PROOF_FAILED`, `YARN_DISAGREES`.
 */
export async function alignAndProve(
  scratchBranch: ScratchBranch,
  work: AlignmentOrder,
  temporary: AbsolutePath,
): Promise<Pick<BuiltBranch, 'tip' | 'alignment'>> {
  const { target, view, builder } = scratchBranch;
  const extent = work.extent === 'all' ? 'install' : 'resolve';
  const alignment = await alignImported(scratchBranch, work, placeToInstall(scratchBranch, { work, temporary, extent }));
  const { tip } = builder;
  await proveConnected(view, { tip, base: target.facts.head, tips: work.tips });
  const aligned = [...work.beside, ...(alignment?.steps.flatMap(({ files }) => files) ?? [])];
  await proveNothingElse(view, target, { tip, plan: work.plan, aligned });
  const scratch = parseAbsolutePath(join(temporary, 'check'));
  mkdirSync(scratch);
  const { checkWorkspaces } = await import('../io/check-workspaces.js');
  await checkWorkspaces(view, tip, { root: target.facts.root, packages: work.plan.packages, scratch });
  return { tip, alignment };
}

/**
 * Proves that every object that the new commits reach exists. git checked the objects of the imported histories when
 * they were fetched, and the proof has tied each new commit to a fetched one. Throws `GIT_FAILED`.
 */
async function proveConnected(
  view: Git,
  branch: { readonly tip: CommitId; readonly base: CommitId; readonly tips: readonly CommitId[] },
): Promise<void> {
  const known = [branch.base, ...branch.tips].map((id) => `^${id}\n`);
  await view.bytes(['rev-list', '--objects', '--quiet', '--stdin'], { input: `${branch.tip}\n${known.join('')}` });
}

/**
 * Proves that the branch changes only three things in the monorepo: the new folders, the files that the alignment
 * reports, and the root package.json if packages were registered.
 */
async function proveNothingElse(
  view: Git,
  target: Target,
  branch: { readonly tip: CommitId; readonly plan: Pick<MigrationPlan, 'packages'>; readonly aligned: readonly RepoPath[] },
): Promise<void> {
  const output = await view.bytes(['diff-tree', '-r', '-z', '--name-only', '--no-renames', target.facts.head, branch.tip]);
  const registers = branch.plan.packages.some(({ rootManifestText }) => rootManifestText !== undefined);
  const manifest = joinRepoPath(target.facts.root, 'package.json');
  const allowed = [...branch.plan.packages.map(({ path }) => path), ...(registers ? [manifest] : [])];
  const aligned = new Set<string>(branch.aligned);
  const odd = splitNul(output.toString('latin1'))
    .map(nameAsText)
    .find((file) => !aligned.has(file) && !allowed.some((path) => isInside(file, path)));
  if (odd === undefined) return;
  throw new ToolError({
    code: 'PROOF_FAILED',
    message: `The branch would change ${odd}, which is not part of a migrated package. The monorepo was not changed.`,
    hint: 'This is a bug in migrate-repo; please report it.',
    data: { file: odd },
  });
}
