import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Git, plumbing } from '@tributary/git/git';
import { splitNul } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';
import { ToolError } from '@tributary/model/errors';
import { type CommitId, tagRef } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { type AbsolutePath, isInside, joinRepoPath, parseAbsolutePath, type RepoPath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { Progress } from '@tributary/terminal/progress';
import type { AlignChoices } from '../align/choices.js';
import { BranchBuilder, type Landing } from '../history/branch.js';
import { type MovedHistory, moveHistory } from '../history/move.js';
import { type DonePackage, proveMove } from '../history/prove.js';
import { markTags } from '../history/tag-marks.js';
import { handOver } from '../io/hand-over.js';
import type { FetchedSource } from '../io/source.js';
import type { Target } from '../io/target.js';
import type { Workshop } from '../io/workshop.js';
import type { Identity } from '../plan/facts.js';
import type { Plan, PlannedPackage } from '../plan/plan.js';
import type { Alignment, AlignWork } from './align.js';
import { mapFew } from './map-few.js';

/** What is needed to carry out a plan. */
export interface Applying {
  readonly identity: Identity;
  readonly plan: Plan;
  /** `undefined`: dependencies stay as they came. */
  readonly align: { readonly choices: AlignChoices; readonly install: 'yes' | 'no' } | undefined;
  readonly fetched: ReadonlyMap<string, FetchedSource>;
  readonly services: Services;
  readonly progress: Progress;
}

export interface BuiltBranch {
  readonly tip: CommitId;
  /** In the order of the packages. */
  readonly landings: readonly Landing[];
  /** `undefined`: it was not asked for. */
  readonly alignment: Alignment | undefined;
}

export interface Applied {
  readonly built: BuiltBranch;
  /** In the order of the plan. */
  readonly done: readonly DonePackage[];
}

// One works while the git of the other does.
const MOVES_AT_ONCE = 2;

/**
 * Carries out a plan in the workshop, proves what came of it, and only then hands it to the repository. Throws `PROOF_FAILED`,
 * `YARN_DISAGREES`, `REFS_NOT_MOVED`, `TARGET_IDENTITY_MISSING`, `DISK_FULL`, `INTERRUPTED`; the repository is then as it was.
 */
export async function applyPlan(workshop: Workshop, target: Target, work: Applying): Promise<Applied> {
  const { packages } = work.plan;
  work.progress.phase('Rewriting and proving', packages.length);
  const done = await mapFew(packages, (planned) => moveAndProve(target, planned, work), MOVES_AT_ONCE);
  work.progress.phase('Building the branch');
  const scratches = [...packages.map((planned) => sourceOf(work, planned).scratch), workshop.newScratch('branch')];
  const built = await build(target, { ...work, done, scratches, newTemporary: workshop.newTemporary });
  work.services.signal.throwIfAborted();
  const tags = done.flatMap(({ moved }) => moved.tags.map((tag) => ({ ref: tagRef(tag.name), value: tag.id })));
  const message = `migrate-repo: ${packages.map(({ source }) => source.request.name).join(', ')}`;
  await handOver(target, workshop, { scratches, refs: [...tags, { ref: work.plan.branch, value: built.tip }], message });
  return { built, done };
}

async function moveAndProve(target: Target, planned: PlannedPackage, work: Applying): Promise<DonePackage> {
  const { git } = sourceOf(work, planned);
  const { format } = target.facts;
  const onCommits = (count: number): void => {
    work.services.signal.throwIfAborted();
    work.progress.step(`${planned.source.request.name}: ${count} commits`, 0);
  };
  const moved = await moveHistory(git, { planned, format, strategy: work.plan.strategy, identity: work.identity, onCommits });
  const proof = await proveMove(git, moved, { format, onCommits });
  work.progress.step(planned.source.request.name);
  return { moved, proof };
}

interface Building extends Applying {
  readonly done: readonly DonePackage[];
  /** One for each package, then the one for the branch itself. */
  readonly scratches: readonly string[];
  readonly newTemporary: Workshop['newTemporary'];
}

async function build(target: Target, work: Building): Promise<BuiltBranch> {
  const { signal } = work.services;
  // The monorepo's objects together with all that arrives.
  const view = plumbing(target.gitDir, {
    signal,
    alternates: work.scratches.map((scratch) => parseAbsolutePath(join(scratch, 'objects'))),
  });
  const out = plumbing(parseAbsolutePath(work.scratches.at(-1) ?? ''), { signal });
  const builder = new BranchBuilder({ view, out }, target.facts, work.identity);
  const landings: Landing[] = [];
  for (const { moved } of work.done) landings.push(await builder.land({ moved, record: recordOf(moved, work.plan) }));
  await builder.store();
  const temporary = work.newTemporary();
  const alignment = await align(builder, view, { ...work, target, landings, temporary });
  const built = { tip: builder.tip, landings, alignment };
  await proveConnected(view, { tip: built.tip, base: target.facts.head, done: work.done });
  const aligned = alignment?.steps.flatMap(({ files }) => files) ?? [];
  await proveNothingElse(view, target, { tip: built.tip, plan: work.plan, aligned });
  const scratch = parseAbsolutePath(join(temporary, 'check'));
  mkdirSync(scratch);
  const { checkWorkspaces } = await import('../io/check-workspaces.js');
  await checkWorkspaces(view, built.tip, { root: target.facts.root, packages: work.plan.packages, scratch });
  return built;
}

interface Aligning extends Building {
  readonly target: Target;
  readonly landings: readonly Landing[];
  readonly temporary: AbsolutePath;
}

async function align(builder: BranchBuilder, view: Git, work: Aligning): Promise<Alignment | undefined> {
  if (work.align === undefined) return undefined;
  const { alignBranch } = await import('./align.js');
  const packages = work.plan.packages.map(({ source, path, cleanUp }, at) => {
    const merge = work.landings[at]?.merge ?? builder.tip;
    return { name: source.request.name, path, merge, cleanedUp: cleanUp.map((removal) => removal.path) };
  });
  return alignBranch(builder, {
    view,
    root: work.target.facts.root,
    packages,
    ...work.align,
    installing: installing(work),
    progress: work.progress,
  });
}

function installing({ align: asked, target, scratches, temporary, services }: Aligning): AlignWork['installing'] {
  const gitDir = scratches.at(-1);
  if (asked?.install !== 'yes' || gitDir === undefined) return undefined;
  const folder = parseAbsolutePath(join(temporary, 'install'));
  mkdirSync(folder);
  const alternates = [target.gitDir, ...scratches].map((repository) => parseAbsolutePath(join(repository, 'objects')));
  return { gitDir: parseAbsolutePath(gitDir), alternates, folder, signal: services.signal };
}

/**
 * Everything that the new commits reach exists. What the imported histories reach was checked by git when they were fetched, and the proof has
 * tied each new commit to a fetched one.
 */
async function proveConnected(
  view: Git,
  branch: { readonly tip: CommitId; readonly base: CommitId; readonly done: readonly DonePackage[] },
): Promise<void> {
  const known = [branch.base, ...branch.done.map(({ moved }) => moved.tip)].map((id) => `^${id}\n`);
  await view.bytes(['rev-list', '--objects', '--quiet', '--stdin'], { input: `${branch.tip}\n${known.join('')}` });
}

/**
 * The branch differs from the monorepo's commit in the new folders, in what the alignment says it has changed, and, where packages were
 * registered, in the root package.json only.
 */
async function proveNothingElse(
  view: Git,
  target: Target,
  branch: { readonly tip: CommitId; readonly plan: Plan; readonly aligned: readonly RepoPath[] },
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
    message: `The branch would change ${odd}, which belongs to no package that is migrated. Nothing was handed over.`,
    hint: 'This is a defect of migrate-repo; please report it.',
    data: { file: odd },
  });
}

function sourceOf(work: Applying, planned: PlannedPackage): FetchedSource {
  const source = work.fetched.get(planned.source.request.name);
  if (source === undefined) throw new Error(`${planned.source.request.name} was planned and not fetched`);
  return source;
}

function recordOf(moved: MovedHistory, plan: Plan): ImportRecord {
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
    messages: 'exact',
    signatures: 'keep',
    tags: pattern === undefined ? undefined : { count: moved.tags.length, marks: markTags(moved.tags), pattern },
    importedTip: moved.tip,
  };
}
