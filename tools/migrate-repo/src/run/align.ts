import type { Git } from '@tributary/git/git';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { CommitId, WorkspaceName } from '@tributary/model/ids';
import { isInside, joinRepoPath, type RepoFolder, type RepoPath, seenFrom } from '@tributary/model/paths';
import type { Progress } from '@tributary/terminal/progress';
import { parseManifest } from '@tributary/workspaces/manifest';
import { isManifest, manifestIn, type ProjectParts } from '../align/build-project.js';
import type { AlignChoices } from '../align/choices.js';
import { alignInternal, type InternalFinding } from '../align/internal.js';
import { LOCK_NAMES, readOldLock } from '../align/lock/old-lock.js';
import { readRootLock } from '../align/lock/root-lock.js';
import { type StepId, stepMessage } from '../align/messages.js';
import { declarePhantoms } from '../align/phantoms/declare-phantoms.js';
import type { PhantomFinding } from '../align/phantoms/phantom.js';
import type { Edits, Newcomer } from '../align/project.js';
import type { SettingFinding } from '../align/settings/scene.js';
import { carrySettings } from '../align/settings.js';
import { alignVersions, type VersionFinding } from '../align/versions.js';
import { carryOver } from '../carry-over/carry-over.js';
import type { CarryOverFinding } from '../carry-over/rule.js';
import type { BranchBuilder } from '../history/branch.js';
import { type ProjectFiles, readProjectFiles } from '../io/project-files.js';
import type { LockOutcome, LockWork } from './keep-locked.js';
import { type StepCommit, Workbench } from './workbench.js';

/** A package whose history has been merged, before it was cleaned up. */
export interface LandedPackage {
  readonly name: WorkspaceName;
  /** From the root of the repository. */
  readonly path: RepoPath;
  readonly merge: CommitId;
  /** From the package's folder: what the clean-up has taken away, files and folders. */
  readonly cleanedUp: readonly string[];
}

/** What came of the alignment. */
export interface Alignment {
  readonly steps: readonly AlignedStep[];
  readonly internal: readonly InternalFinding[];
  readonly phantoms: readonly PhantomFinding[];
  readonly versions: readonly VersionFinding[];
  readonly settings: readonly SettingFinding[];
  readonly carryOver: readonly CarryOverFinding[];
  /** `undefined`: nothing was installed, for it was not asked for, or the monorepo has no lockfile of Yarn 2 or later. */
  readonly lock: LockOutcome | undefined;
}

/** A step that changed something. */
export interface AlignedStep extends StepCommit {
  readonly step: StepId;
}

export interface AlignWork {
  /** Sees the monorepo's objects, all that has arrived, and what the builder stores. */
  readonly view: Git;
  readonly root: RepoFolder;
  readonly packages: readonly LandedPackage[];
  readonly choices: AlignChoices;
  /** `undefined`: without an installation. */
  readonly installing: Omit<LockWork, 'commit' | 'root' | 'progress'> | undefined;
  readonly progress: Progress;
}

/**
 * Aligns what has landed on a branch with the monorepo: each step a commit of its own on top, in an order in which no step undoes another
 * (an edit of a range after the lockfile was seeded would lose its version). What is not sure is left, and said. Throws
 * `LOCKFILE_INVALID`, `LOCKFILE_MISMATCH`, `MANIFEST_INVALID`, and as `keepLocked`.
 */
export async function alignBranch(builder: BranchBuilder, work: AlignWork): Promise<Alignment> {
  work.progress.phase('Aligning dependencies');
  await builder.store();
  const bench = await openWorkbench(builder, work);
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
  const carried = carryOver(bench.project);
  await take('carry-over', carried.edits);
  await builder.store();
  const lock = await install(builder, bench, work);
  if (lock !== undefined) await take('lockfile', new Map([[ROOT_LOCK, lock.installation.lock]]));
  await builder.store();
  return {
    ...{ steps, lock, internal: internal.findings, phantoms: phantoms.findings, versions: versions.findings },
    ...{ settings: settings.findings, carryOver: carried.findings.filter((finding) => !isToldAlready(finding, bench)) },
  };
}

/** What the clean-up has taken away it has told itself. */
function isToldAlready({ newcomer, file, decision }: CarryOverFinding, bench: Workbench): boolean {
  const path = bench.project.newcomers.find(({ name }) => name === newcomer)?.path;
  return decision === undefined && path !== undefined && bench.wasCleanedUp(`${path}/${file}`);
}

const ROOT_LOCK = 'yarn.lock' as RepoPath;

async function install(builder: BranchBuilder, { project }: Workbench, work: AlignWork): Promise<LockOutcome | undefined> {
  const rootLock = project.files.read(ROOT_LOCK);
  if (work.installing === undefined || rootLock === undefined || project.rootLock === undefined) return undefined;
  const { keepLocked } = await import('./keep-locked.js');
  return keepLocked(project, rootLock, { ...work.installing, commit: builder.tip, root: work.root, progress: work.progress });
}

async function openWorkbench(builder: BranchBuilder, { view, root, packages }: AlignWork): Promise<Workbench> {
  const own = packages.map((one) => ({ ...one, below: seenFrom(root, one.path) as RepoPath }));
  const isWanted = (path: RepoPath): boolean => isOfRoot(path) || isManifest(path) || own.some(({ below }) => isInside(path, below));
  const now = await readProjectFiles(view, { commit: builder.tip, root }, isWanted);
  const came: ProjectFiles[] = [];
  for (const { merge, below, cleanedUp } of own) {
    const isCleanedUp = (path: RepoPath): boolean =>
      isInside(path, below) && cleanedUp.some((away) => isInside(path, joinRepoPath(below, away)));
    const files = await readProjectFiles(view, { commit: merge, root }, isCleanedUp);
    came.push({ modes: new Map([...files.modes].filter(([path]) => isCleanedUp(path))), texts: files.texts });
  }
  const gone = new Set(came.flatMap(({ modes }) => [...modes.keys()]));
  const texts = new Map([...now.texts, ...came.flatMap((files) => [...files.texts])]);
  const parts: ProjectParts = {
    paths: new Set([...now.modes.keys(), ...gone]),
    texts,
    newcomers: own.map(({ name, below }) => newcomerAt(name, below, texts)),
    rootLock: readRootLock(texts.get(ROOT_LOCK) ?? ''),
  };
  return new Workbench(builder, parts, { root, modes: now.modes, gone });
}

/** What lies at the root itself, and in the folders where tools look for what is of the whole repository. */
function isOfRoot(path: RepoPath): boolean {
  return !path.includes('/') || /^(?:\.github|\.gitlab|\.changeset|\.yarn\/patches|docs\/CODEOWNERS$)/.test(path);
}

function newcomerAt(name: WorkspaceName, path: RepoPath, texts: ReadonlyMap<RepoPath, string>): Newcomer {
  const manifest = parseManifest(texts.get(manifestIn(path)) ?? '', manifestIn(path));
  const locks = LOCK_NAMES.flatMap((file) => {
    const text = texts.get(joinRepoPath(path, file)) ?? '';
    return isEmpty(text) ? [] : [{ name: file, text }];
  });
  return { name, path, manifest, oldLock: readLockOf(name, () => readOldLock(locks, manifest)) };
}

/** Nothing but comments: somebody wanted Yarn to take the folder for a project of its own. */
function isEmpty(lock: string): boolean {
  return lock.replace(/^#.*$/gm, '').trim() === '';
}

/** With the package that it is about. */
function readLockOf<Lock>(name: WorkspaceName, read: () => Lock): Lock {
  try {
    return read();
  } catch (error) {
    if (!isToolError(error)) throw error;
    const { code, data, hint = '' } = error;
    const message = `The lockfile of ${name} is of no use: ${error.message}`;
    throw new ToolError({ code, message, hint: `${hint} Or bring the history alone, with --no-align.`.trim(), data, cause: error });
  }
}
