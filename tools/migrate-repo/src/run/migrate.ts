import { textAsName } from '@tributary/git/tree';
import { isToolError } from '@tributary/model/errors';
import { shortRef } from '@tributary/model/ids';
import { isInside, joinRepoPath } from '@tributary/model/paths';
import { between } from '@tributary/model/time';
import type { Services } from '@tributary/terminal/main';
import type { Progress } from '@tributary/terminal/progress';
import { describeMigration } from '../describe/describe.js';
import { findOddBlobs, type OddBlobs } from '../io/history-blobs.js';
import { readSigner, type SignerIn } from '../io/sign-commits.js';
import { type StagingArea, withStagingArea } from '../io/staging-area.js';
import { readIdentity, readTarget, type Target } from '../io/target.js';
import { requireWritable } from '../io/writable.js';
import type { Identity, LeftOutPackage } from '../plan/facts.js';
import { type MigrationPlan, planBranch } from '../plan/plan.js';
import { findUnversioned } from '../plan/plan-tags.js';
import { sourceWarnings } from '../plan/source-warnings.js';
import type { MigrateResult } from '../result/result.js';
import { namesOf } from '../text.js';
import { applyPlan } from './apply.js';
import { alignmentAsked, type BuildOrder, sourceOf } from './build-order.js';
import { planWithTags } from './confirm-tags.js';
import { type Gathered, gatherSources, readSettings, type Settings } from './gather.js';
import { allThere, leavingOut, nothingLeft } from './leave-out.js';
import { mapFew } from './map-few.js';
import type { MigrateRequest } from './migrate-request.js';
import { Moves } from './moves.js';
import { nameAll } from './name-all.js';
import { previewAlignment, previewHistories } from './preview.js';
import { openInOrder } from './put-in-order.js';
import { type Rest, withoutMigrated } from './without-migrated.js';

/**
 * Migrates packages: gather, decide, apply, prove, hand over. If there are several, those that are already migrated or
 * cannot be installed are left out. Throws a `ToolError`; the repository is then unchanged.
 */
export async function migrate(request: MigrateRequest, services: Services): Promise<MigrateResult> {
  const started = services.clock();
  const progress = services.ui.progress();
  progress.phase('Reading the monorepo');
  const repository = await openInOrder(request.into, services);
  const target = await readTarget(repository);
  if (request.extent === 'all') requireWritable(target);
  const settings = await readSettings(request, target);
  const identity = await readIdentity(target.userGit);
  const signerIn = request.extent === 'all' ? await readSigner(target, identity, services.signal) : undefined;
  const rest = await withoutMigrated(nameAll(request, settings.config), target);
  if (rest.request.packages.length === 0) throw request.packages === 'all' ? allThere(rest.leftOut) : nothingLeft(rest.leftOut);
  // Fail before fetching, which may take minutes.
  planBranch(target.facts, rest.request.packages, request.branch);
  const work = { rest, target, settings, identity, signerIn, services, progress };
  const outcome = await withStagingArea(target, (stagingArea) => migrateIn(stagingArea, work));
  progress.done();
  return describeMigration({ target, ...outcome, decided: settings.config.migrate.decided, elapsed: between(started, services.clock()) });
}

interface Migrating {
  readonly rest: Rest;
  readonly target: Target;
  readonly settings: Settings;
  readonly identity: Identity;
  readonly signerIn: SignerIn | undefined;
  readonly services: Services;
  readonly progress: Progress;
}

type Outcome = Omit<Parameters<typeof describeMigration>[0], 'target' | 'decided' | 'elapsed'>;

async function migrateIn(stagingArea: StagingArea, migrating: Migrating): Promise<Outcome> {
  const { rest, target, settings, identity, signerIn, services, progress } = migrating;
  const { request } = rest;
  const gathered = await gatherSources(stagingArea, target, { request, settings, services, progress });
  const { fetched } = gathered;
  const moves = new Moves(target, { identity, signerIn, fetched, strategy: request.strategy, services, progress });
  const leftOut = [...rest.leftOut, ...gathered.leftOut];
  const replan = async (more: LeftOutPackage): Promise<MigrationPlan> => {
    leftOut.push(more);
    return planWithout(leftOut, gathered, { ...migrating, moves });
  };
  const first = await planWithout(leftOut, gathered, { ...migrating, moves });
  // The hand-over takes the objects away.
  const odd = new Map(
    await mapFew(
      [...fetched.values()],
      async ({ facts, git }) => [facts.request.name, await findOddBlobs(git, target, facts.request.subdirectory)] as const,
    ),
  );
  const align = alignmentAsked(request, settings.config);
  const common = { identity, signerIn, align, fetched, moves, services, progress };
  const { plan, outcome } = await leavingOut({
    plan: first,
    replan,
    attempt: (plan) => carryOut(stagingArea, target, { request, work: { ...common, plan } }),
    onLeftOut: ({ name }) => services.ui.status(`${name} cannot be aligned and installed, and is left out. Continuing without it.`),
  });
  const warnings = [
    ...(await warnOfWorkTree(target, plan)),
    ...warnOfSources(plan, gathered, odd),
    ...warnOfLockfile(request, target, plan),
  ];
  return { plan, warnings, ...outcome };
}

/** Returns the plan without the packages that are left out. Throws as `planWithTags`, and if no package remains. */
async function planWithout(
  leftOut: readonly LeftOutPackage[],
  gathered: Gathered,
  { rest, target, settings, moves }: Migrating & { readonly moves: Moves },
): Promise<MigrationPlan> {
  const { branch, strategy, messages, align } = rest.request;
  const choices = { ...settings, branch, strategy, messages, dependencies: align === 'yes' ? ('align' as const) : ('leave' as const) };
  const plan = await planWithTags(target, { gathered: { ...gathered, leftOut }, choices, moves });
  if (plan.packages.length === 0) throw nothingLeft(plan.leftOut);
  return plan;
}

/** Carries out a plan, or previews it. */
async function carryOut(
  stagingArea: StagingArea,
  target: Target,
  { request, work }: { readonly request: MigrateRequest; readonly work: BuildOrder & { readonly moves: Moves } },
): Promise<Omit<Outcome, 'plan' | 'warnings'>> {
  if (request.extent === 'plan only') {
    const changes = await previewHistories(work);
    return { built: undefined, alignment: await previewAlignment(target, stagingArea, work), done: [], changes };
  }
  const { built, done } = await applyPlan(stagingArea, target, work);
  return { built, alignment: built.alignment, done, changes: done.map(({ moved }) => moved.changes) };
}

/** Returns warnings about the user's work tree, which is not touched. */
async function warnOfWorkTree(target: Target, plan: MigrationPlan): Promise<string[]> {
  if (target.workTree === undefined) return [];
  const { readWorkTreeState } = await import('@tributary/git/client');
  const state = await readWorkTreeState(target.workTree).catch(orWhyUnknown);
  // A filter of the work tree that fails, such as that of a Git LFS which is not installed, is no reason not to migrate.
  if (typeof state === 'string') return [`It is unknown whether your working tree has uncommitted changes. ${state}`];
  const files = state.uncommitted.map((file) => file.replace(/\/$/, ''));
  const conflicting = plan.packages.filter(({ path }) => files.some((file) => isInside(file, path) || isInside(path, file as typeof path)));
  const count = files.length === 1 ? 'One uncommitted change' : `${files.length} uncommitted changes`;
  return [
    ...(files.length === 0
      ? []
      : [`${count} of your working tree will not be on ${shortRef(plan.branch)}, which is based on the last commit.`]),
    ...(conflicting.length === 0
      ? []
      : [`Uncommitted files may prevent you from checking it out: ${conflicting.map(({ path }) => path).join(', ')}.`]),
  ];
}

function orWhyUnknown(error: unknown): string {
  if (isToolError(error)) return error.message;
  throw error;
}

/** Returns a warning if the lockfile will not match the branch, because nothing was asked to update it. */
function warnOfLockfile({ align, install }: MigrateRequest, { facts }: Target, { branch, packages }: MigrationPlan): readonly string[] {
  const isThere = facts.files.some(({ path }) => path === joinRepoPath(facts.root, 'yarn.lock'));
  if (!isThere || (align === 'yes' && install === 'yes')) return [];
  const names = namesOf(packages.map(({ source }) => source.request.name));
  return [
    `yarn.lock has no entries for ${names} and workspaces in it. Before you merge ${shortRef(branch)}, run "yarn install" there and commit yarn.lock: otherwise "yarn install --immutable" fails.`,
  ];
}

/** Returns warnings about problems that servers and other machines may have with the imported files. */
function warnOfSources(
  { packages }: MigrationPlan,
  gathered: Pick<BuildOrder, 'fetched'>,
  odd: ReadonlyMap<string, OddBlobs>,
): readonly string[] {
  return packages.flatMap((planned) => {
    const { faults, facts } = sourceOf(gathered, planned);
    const { name } = facts.request;
    const paths = facts.files.map((file) => `${textAsName(planned.path)}/${file.path}`);
    const unversioned = findUnversioned(facts, planned.tags);
    return sourceWarnings({
      name,
      faults,
      paths,
      unversioned,
      apart: planned.apart,
      twins: planned.twins,
      ...(odd.get(name) ?? { large: [], missingLfs: [] }),
    });
  });
}
