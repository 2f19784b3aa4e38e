import type { WorkspaceName } from '@tributary/model/ids';
import { isInside, parseAbsolutePath, type RepoFolder } from '@tributary/model/paths';
import type { Progress } from '@tributary/terminal/progress';
import type { AlignChoices } from '../align/choices.js';
import { alignInternal, type InternalFinding } from '../align/internal.js';
import { type StepId, stepMessage } from '../align/messages.js';
import { declarePhantoms } from '../align/phantoms/declare-phantoms.js';
import type { PhantomFinding } from '../align/phantoms/phantom.js';
import type { Edits, Files, Newcomer, StepOutcome } from '../align/project.js';
import type { SettingFinding } from '../align/settings/scene.js';
import { carrySettings } from '../align/settings.js';
import { alignVersions, type VersionFinding } from '../align/versions.js';
import { carryOver } from '../carry-over/carry-over.js';
import type { CarryOverFinding } from '../carry-over/rule.js';
import type { BranchBuilder } from '../history/branch.js';
import type { PackedPackage } from './compare-packed.js';
import type { LockOutcome, LockWork } from './keep-locked.js';
import { type Landed, openWorkbench, ROOT_LOCK } from './open-workbench.js';
import type { StepCommit, Workbench } from './workbench.js';

/** What came of the alignment. */
export interface Alignment {
  readonly steps: readonly AlignedStep[];
  readonly internal: readonly InternalFinding[];
  readonly phantoms: readonly PhantomFinding[];
  readonly versions: readonly VersionFinding[];
  readonly settings: readonly SettingFinding[];
  readonly carryOver: readonly CarryOverFinding[];
  /** What npm would publish; empty where nothing was installed. */
  readonly packed: readonly PackedPackage[];
  /** `undefined`: nothing was installed, for it was not asked for, or the monorepo has no lockfile of Yarn 2 or later. */
  readonly lock: LockOutcome | undefined;
  /** Those that brought a lockfile. */
  readonly lockedAlone: readonly WorkspaceName[];
  /** Where the project lies in its repository. */
  readonly root: RepoFolder;
}

/** A step that changed something. */
export interface AlignedStep extends StepCommit {
  readonly step: StepId;
}

export interface AlignWork extends Landed {
  readonly choices: AlignChoices;
  /** `undefined`: without an installation. */
  readonly installing: Omit<LockWork, 'commit' | 'root' | 'progress'> | undefined;
  readonly progress: Progress;
}

/**
 * Aligns what has landed on a branch with the monorepo: each step a commit of its own on top, in an order in which no step undoes another
 * (an edit of a range after the lockfile was seeded would lose its version). What is not sure is left, and said. Throws
 * as `openWorkbench` and `keepLocked`.
 */
export async function alignBranch(builder: BranchBuilder, work: AlignWork): Promise<Alignment> {
  work.progress.phase('Aligning dependencies');
  await builder.store();
  const bench = await openWorkbench(builder, work);
  const came = bench.filesNow();
  const steps: AlignedStep[] = [];
  const take = async (step: StepId, edits: Edits): Promise<void> => {
    const names = work.packages.map(({ name }) => name);
    const commit = await bench.apply(edits, stepMessage(step, names));
    if (commit !== undefined) steps.push({ step, ...commit });
  };
  const internal = alignInternal(bench.project, work.choices.internal);
  await take('internal', internal.edits);
  const phantoms = declarePhantoms(bench.project, work.choices.internal);
  await take('phantoms', phantoms.edits);
  const versions = alignVersions(bench.project, work.choices.versions);
  await take('versions', versions.edits);
  const settings = carrySettings(bench.project);
  await take('settings', settings.edits);
  // What GitHub reads lies at the root of the repository, which the steps do not see from a project in a folder of it.
  const carried = work.root === '' ? carryOver(bench.project) : NOTHING_CARRIED;
  await take('carry-over', carried.edits);
  await builder.store();
  const lock = await install(builder, bench, work);
  if (lock !== undefined) await take('lockfile', new Map([[ROOT_LOCK, lock.installation.lock]]));
  await builder.store();
  const packed = await compareWhatIsPublished(bench, came, work);
  return {
    ...{ root: work.root, lockedAlone: bench.project.newcomers.filter(({ oldLock }) => oldLock !== undefined).map(({ name }) => name) },
    ...{ packed, steps, lock, internal: internal.findings, phantoms: phantoms.findings, versions: versions.findings },
    ...{ settings: settings.findings, carryOver: carried.findings.filter((finding) => !isToldAlready(finding, bench)) },
  };
}

const NOTHING_CARRIED: StepOutcome<CarryOverFinding> = { edits: new Map(), findings: [] };

/** What the clean-up has taken away it has told itself. */
function isToldAlready({ newcomer, file, decision }: CarryOverFinding, bench: Workbench): boolean {
  const path = bench.project.newcomers.find(({ name }) => name === newcomer)?.path;
  return decision === undefined && path !== undefined && bench.wasCleanedUp(`${path}/${file}`);
}

async function compareWhatIsPublished(bench: Workbench, before: Files, { installing }: AlignWork): Promise<readonly PackedPackage[]> {
  const { newcomers } = bench.project;
  const after = bench.filesNow();
  if (installing === undefined || !mayBePackedOtherwise(before, after, newcomers)) return [];
  const { comparePacked } = await import('./compare-packed.js');
  const folder = parseAbsolutePath(`${installing.folder}/packed`);
  return comparePacked({ newcomers, before, after, folder, signal: installing.signal });
}

/** npm is slow to ask. It goes by what lies in a package, and by the ignore files of the folders above. */
function mayBePackedOtherwise(before: Files, after: Files, newcomers: readonly Newcomer[]): boolean {
  const isOwn = (path: string): boolean => newcomers.some((newcomer) => isInside(path, newcomer.path));
  const namesOf = ({ paths }: Files): string => paths.filter(isOwn).join('\0');
  return namesOf(before) !== namesOf(after) || after.paths.some((path) => /(?:^|\/)\.(?:git|npm)ignore$/.test(path) && !isOwn(path));
}

async function install(builder: BranchBuilder, { project }: Workbench, work: AlignWork): Promise<LockOutcome | undefined> {
  const rootLock = project.files.read(ROOT_LOCK);
  if (work.installing === undefined || rootLock === undefined || project.rootLock === undefined) return undefined;
  const { keepLocked } = await import('./keep-locked.js');
  return keepLocked(project, rootLock, { ...work.installing, commit: builder.tip, root: work.root, progress: work.progress });
}
