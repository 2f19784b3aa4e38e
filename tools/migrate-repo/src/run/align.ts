import { isToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import { isInside, parseAbsolutePath, type RepoPath } from '@tributary/model/paths';
import type { Progress } from '@tributary/terminal/progress';
import { findFormerBuilds, ranBuildScripts } from '../align/build-scripts.js';
import type { AlignChoices } from '../align/choices.js';
import { consequencesOf } from '../align/consequences.js';
import { alignInternal } from '../align/internal.js';
import { readRecords } from '../align/lock/got.js';
import { examplesMessage, stepMessage } from '../align/messages.js';
import { findModulePaths } from '../align/module-paths.js';
import { declarePhantoms } from '../align/phantoms/declare-phantoms.js';
import type { Edits, ImportedPackage, Monorepo, TreeFiles } from '../align/project.js';
import { type PublishedPackages, type PublishedVersions, unlockedNames } from '../align/published-versions.js';
import { comparePublished } from '../align/publishing/published-manifest.js';
import { createReleases } from '../align/publishing/release.js';
import { findCodeRunners, refuseCode } from '../align/runs-code.js';
import { carrySettings } from '../align/settings.js';
import { settleLinks } from '../align/settle-links.js';
import { findUnresolvable, refuseUnresolvable } from '../align/unresolvable.js';
import { alignVersions, declaredIn } from '../align/versions.js';
import type { AlignedStep, Alignment, InstallationState, LockOutcome, PackedPackage } from '../alignment.js';
import { carryOver, withoutDropped } from '../carry-over/carry-over.js';
import { exampleFinding } from '../carry-over/examples.js';
import type { PackerName } from '../carry-over/packed-files.js';
import type { CarryOverFinding } from '../carry-over/rule.js';
import type { BranchBuilder } from '../history/branch.js';
import type { Yarn } from '../io/find-yarn.js';
import type { StepId } from '../result/result.js';
import { askersIn } from './askers.js';
import type { LockWork } from './keep-locked.js';
import { mapFew } from './map-few.js';
import { dissolveExamples, findExamples, refuseNestedRoots } from './nested-roots.js';
import { openWorkbench, ROOT_LOCK, type WorkbenchOrder } from './open-workbench.js';
import type { Workbench } from './workbench.js';

export interface AlignWork extends WorkbenchOrder {
  readonly choices: AlignChoices;
  readonly installation: InstallationOrder;
  readonly scripts: LockWork['scripts'];
  readonly progress: Progress;
  readonly askVersions: (name: string) => Promise<PublishedVersions>;
}

/** Where to install. `never`: not requested. */
export type InstallationOrder = Omit<LockWork, 'commit' | 'before' | 'root' | 'scripts' | 'progress'> | 'never';

/**
 * Aligns the imported packages on a branch with the monorepo. Each step is a commit. Their order prevents one step from
 * undoing another: editing a range after the lockfile was seeded would lose its version. Uncertain changes are not
 * made, but reported. Throws `DEPENDENCY_UNRESOLVABLE`, `INSTALL_RUNS_CODE`, `SOURCE_HAS_WORKSPACES`, and as `openWorkbench` and `keepLocked`.
 */
export async function alignBranch(builder: BranchBuilder, work: AlignWork): Promise<Alignment> {
  work.progress.phase('Aligning dependencies');
  await builder.store();
  const bench = await openWorkbench(builder, work);
  const examples = findExamples(bench.project);
  const names = work.packages.map(({ name }) => name);
  await bench.apply(dissolveExamples(bench.project), examplesMessage([...examples.keys()]));
  refuseNestedRoots(bench.project);
  const [came, before] = [bench.filesNow(), bench.project];
  const steps: AlignedStep[] = [];
  const take = async (step: StepId, edits: Edits, paths: 'project' | 'repository' = 'project'): Promise<void> => {
    const message = stepMessage(step, names);
    const commit = await (paths === 'project' ? bench.apply(edits, message) : bench.applyToRepository(edits, message));
    if (commit !== undefined) steps.push({ step, ...commit });
  };
  const published = await askForUnlocked(bench.project, work);
  const internal = alignInternal(bench.project, work.choices.internal, work.scripts, published);
  await take('internal', internal.edits);
  // What only a file uses that goes is not needed.
  const staying = withoutDropped(bench.project.files, bench.project.importedPackages);
  const phantoms = declarePhantoms({ ...bench.project, files: staying }, work.choices.internal);
  await take('phantoms', phantoms.edits);
  const declared = declaredIn(bench.project, work.choices.internal.packer);
  const versions = alignVersions(bench.project, work.choices.versions, work.choices.internal.packer);
  await take('versions', versions.edits);
  const settings = carrySettings(bench.project);
  await take('settings', settings.edits);
  const carried = carryOver(bench.repository());
  await take('carry-over', carried.edits, 'repository');
  await builder.store();
  const tell = (shown: Shown): Told => {
    const { lock } = shown;
    const links =
      lock === undefined ? internal.findings : settleLinks(internal.findings, readRecords(lock.installation.lock, bench.project));
    const findings = { internal: links, phantoms: phantoms.findings, versions: versions.findings };
    const locked = lock === undefined ? undefined : { ...lock, text: lock.installation.lock };
    return {
      ...shown,
      ...findings,
      scriptsOff: withoutScripts(before),
      oldLocks: oldLocksOf(bench.project),
      consequences: consequencesOf(bench.project, { ...findings, declared, choices: work.choices, lock: locked }),
      packed: comparePublished(bench.project, work.choices.internal.packer),
      settings: settings.findings,
      carryOver: [...[...examples].map(exampleFinding), ...carried.findings.map((finding) => withoutRepetition(finding, bench, work))],
    };
  };
  const foreseen = foresee(bench, { ...work, before });
  const { lock, unasked } = await install(builder, bench, { ...work, before });
  const planned = lock === undefined ? undefined : tell(foreseen);
  if (lock !== undefined) await take('lockfile', new Map([...lock.manifests, [ROOT_LOCK, lock.installation.lock]]));
  await builder.store();
  const fresh = lock === undefined ? undefined : await installAgain(builder, bench.project, { lock, work: { ...work, before } });
  const told = tell(lock === undefined ? { ...foreseen, unasked } : { ...foreseen, ...shownBy({ ...lock, ...fresh }, foreseen) });
  const packed = await compareWhatIsPublished(bench, came, { ...work, yarn: lock?.yarn });
  return { ...told, packed: [...packed, ...told.packed], steps, planned };
}

/** The findings of an alignment, without its commits. */
type Told = Omit<Alignment, 'steps' | 'planned'>;

/** What an installation shows, or is expected to show. */
type Shown = Pick<Alignment, 'installation' | 'unresolvable' | 'lock' | 'unasked' | 'formerBuilds' | 'modulePaths'>;

/** Returns the registry's versions of packages that no lockfile has. The registry is not asked if nothing is installed. */
async function askForUnlocked(project: Monorepo, work: AlignWork): Promise<PublishedPackages> {
  const names = unlockedNames(project, work.choices.internal, work.scripts);
  const state = stateOf(project, work);
  const isAsked = state === 'done' || state === 'planned';
  const answers = await mapFew(names, async (name): Promise<PublishedVersions> => (isAsked ? work.askVersions(name) : NOT_ASKED));
  return new Map(names.flatMap((name, at) => (answers[at] === undefined ? [] : [[name, answers[at]] as const])));
}

const NOT_ASKED: PublishedVersions = { why: 'nothing is installed, so Yarn did not check' };

/**
 * Returns the imported packages that had build scripts disabled. Needs the project before the alignment, because a step
 * removes those settings.
 */
function withoutScripts({ importedPackages, files }: Monorepo): ReadonlySet<WorkspaceName> {
  return new Set(
    importedPackages.filter((importedPackage) => ranBuildScripts(importedPackage, files) === 'switched off').map(({ name }) => name),
  );
}

/** Returns what is known before an installation. If one was requested, throws for what it would reject. */
function foresee(bench: Workbench, work: AlignWork & Pick<LockWork, 'before'>): Shown {
  const { project } = bench;
  const now = { ...project, files: bench.filesNow() };
  const installation = stateOf(project, work);
  const unresolvable = findUnresolvable(now, work.root);
  if (installation === 'done' || installation === 'planned') {
    refuseUnresolvable(unresolvable);
    if (work.scripts === 'refuse') refuseCode(findCodeRunners(project, work.before));
  }
  const formerBuilds = findFormerBuilds(now, work.before);
  return { installation, unresolvable, lock: undefined, unasked: undefined, formerBuilds, modulePaths: findModulePaths(now) };
}

function shownBy(lock: LockOutcome, { formerBuilds }: Shown): Pick<Shown, 'lock' | 'formerBuilds' | 'modulePaths'> {
  return { lock, modulePaths: lock.misplaced, formerBuilds: lock.builds === 'shown' ? [] : formerBuilds };
}

/** Drops the message about a removed file if the clean-up has already reported it. */
function withoutRepetition(finding: CarryOverFinding, bench: Workbench, { packages }: AlignWork): CarryOverFinding {
  const path = packages.find(({ name }) => name === finding.importedPackage)?.path;
  if (finding.action !== 'drop') return finding;
  return path !== undefined && bench.wasCleanedUp(`${path}/${finding.file}`) ? { ...finding, done: undefined } : finding;
}

function oldLocksOf({ importedPackages }: Monorepo): Alignment['oldLocks'] {
  return new Map(importedPackages.flatMap(({ name, oldLock }) => (oldLock === undefined ? [] : [[name, oldLock] as const])));
}

async function compareWhatIsPublished(
  bench: Workbench,
  before: TreeFiles,
  { installation, choices, yarn }: AlignWork & { readonly yarn: Yarn | undefined },
): Promise<readonly PackedPackage[]> {
  const { importedPackages } = bench.project;
  const after = bench.filesNow();
  if (!isReal(installation) || !mayBePackedOtherwise(before, after, importedPackages)) return [];
  const { comparePacked } = await import('./compare-packed.js');
  const folder = parseAbsolutePath(`${installation.folder}/packed`);
  const releaseOf = createReleases(bench.project, choices.internal.packer);
  const releases = new Map(bench.project.workspaces.map((workspace) => [workspace.path as string, releaseOf(workspace)]));
  const packerOf = (path: RepoPath): PackerName => (releases.get(path)?.packer === 'yarn' ? 'Yarn' : 'npm');
  // What a build puts into another folder is not known.
  const packed = importedPackages.filter(({ path }) => releases.get(path)?.folder === undefined);
  return comparePacked({ importedPackages: packed, packerOf, yarn, before, after, folder, signal: installation.signal });
}

/**
 * Whether the packed files may differ. Asking npm and Yarn is slow. They depend on the names in a package and on the
 * ignore files of the folders above.
 */
function mayBePackedOtherwise(before: TreeFiles, after: TreeFiles, importedPackages: readonly ImportedPackage[]): boolean {
  const isOwn = (path: string): boolean => importedPackages.some((importedPackage) => isInside(path, importedPackage.path));
  const namesOf = ({ paths }: TreeFiles): string => paths.filter(isOwn).join('\0');
  return namesOf(before) !== namesOf(after) || after.paths.some((path) => /(?:^|\/)\.(?:git|npm)ignore$/.test(path) && !isOwn(path));
}

function stateOf({ rootLock }: Monorepo, { installation }: AlignWork): InstallationState {
  if (installation === 'never') return 'not asked for';
  if (rootLock === undefined) return 'no lockfile';
  return installation.extent === 'resolve' ? 'planned' : 'done';
}

async function install(
  builder: BranchBuilder,
  { project }: Workbench,
  work: AlignWork & Pick<LockWork, 'before'>,
): Promise<Partial<Pick<Shown, 'lock' | 'unasked'>>> {
  const { installation, before, root, scripts, progress } = work;
  const rootLock = project.files.read(ROOT_LOCK);
  if (installation === 'never' || rootLock === undefined) return {};
  const { keepLocked, tryToLock } = await import('./keep-locked.js');
  const order = { ...installation, commit: builder.tip, before, root, scripts, progress };
  if (isReal(installation)) return { lock: await keepLocked(project, rootLock, order) };
  try {
    await tryToLock(project, rootLock, order);
    return {};
  } catch (error) {
    if (!isToolError(error) || error.code !== 'REGISTRY_UNREACHABLE') throw error;
    return { unasked: error.message };
  }
}

function isReal(installation: InstallationOrder): installation is Exclude<InstallationOrder, 'never'> {
  return installation !== 'never' && installation.extent === 'install';
}

/** Installs the finished branch again, with all scripts, if they may run. Throws as `installFresh`. */
async function installAgain(
  builder: BranchBuilder,
  project: Monorepo,
  { lock, work }: { readonly lock: LockOutcome; readonly work: AlignWork & Pick<LockWork, 'before'> },
): Promise<Pick<LockOutcome, 'fresh'>> {
  const { installation, before, root, scripts, progress } = work;
  if (installation === 'never' || scripts === 'refuse') return {};
  const { installFresh } = await import('./install-fresh.js');
  const order = { ...installation, commit: builder.tip, before, root, scripts, progress };
  return { fresh: await installFresh(order, { yarn: lock.yarn, askers: askersIn(project) }) };
}
