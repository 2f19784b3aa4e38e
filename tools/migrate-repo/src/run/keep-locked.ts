import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFilesOf } from '@tributary/git/write-files';
import { nameOf } from '@tributary/lockfile/descriptors';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { CommitId, WorkspaceName } from '@tributary/model/ids';
import { type AbsolutePath, joinRepoPath, parseAbsolutePath, type RepoFolder, type RepoPath } from '@tributary/model/paths';
import type { Progress } from '@tributary/terminal/progress';
import { asLocation } from '../align/declared.js';
import { newlyAnswered } from '../align/lock/answered.js';
import { metadataBlock } from '../align/lock/blocks.js';
import { driftedLock, otherFormat } from '../align/lock/broken.js';
import { suspectDrift } from '../align/lock/drift.js';
import { readGot, rulesOf } from '../align/lock/got.js';
import type { DroppedPin, Pin } from '../align/lock/pins.js';
import { type LockedRequestOutcome, requestOutcomes } from '../align/lock/request-outcomes.js';
import { readIndex } from '../align/lock/root-lock.js';
import { seedLock } from '../align/lock/seed.js';
import { differingIn, resolutionsIn } from '../align/lock/survival.js';
import { withoutAnswered } from '../align/lock/without-answered.js';
import { withManifests } from '../align/manifest-edits.js';
import { findModulePaths } from '../align/module-paths.js';
import type { Edits, Monorepo } from '../align/project.js';
import { spareNamesakes } from '../align/publishing/links.js';
import { isTransparent } from '../align/transparent.js';
import { diffVersions } from '../align/version-change.js';
import type { LockOutcome, RedirectedRequest } from '../alignment.js';
import { convertLocks } from '../io/convert-lock.js';
import { explainPeers } from '../io/explain-peers.js';
import { findUnbuilt } from '../io/find-unbuilt.js';
import { findUnresolved } from '../io/find-unresolved.js';
import { findYarn } from '../io/find-yarn.js';
import { type Installation, installMonorepo, resolveMonorepo } from '../io/install.js';
import { type InstalledProject, installFailure } from '../io/install-failure.js';
import { warningsOf } from '../io/install-warnings.js';
import { runYarn, type YarnContext } from '../io/yarn.js';
import { yarnOnProgress } from '../io/yarn-progress.js';
import { askersIn, importedPackagesOf, installScriptsIn } from './askers.js';

/** A hidden place to write and install the files of the branch. */
export interface LockWork {
  /** A scratch repository that reads the branch through `alternates`. */
  readonly gitDir: AbsolutePath;
  readonly alternates: readonly AbsolutePath[];
  readonly commit: CommitId;
  /** The commit of the monorepo that the branch is built on, and the project at that commit, with the imported packages added. */
  readonly base: CommitId;
  readonly before: Monorepo;
  readonly root: RepoFolder;
  /** An empty folder. */
  readonly folder: AbsolutePath;
  /** `resolve`: a dry run. */
  readonly extent: 'install' | 'resolve';
  readonly scripts: 'run' | 'refuse';
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/**
 * Adds the locked versions of the imported packages to the monorepo's lockfile. Then installs everything with the
 * monorepo's own Yarn in a separate folder, which shows that the branch can be installed. `rootLock` is the text of its
 * yarn.lock. Throws `INSTALL_FAILED`, `INSTALL_MOVES_VERSIONS`, `INSTALL_RUNS_CODE`, `LOCKFILE_MISMATCH`,
 * `REGISTRY_UNREACHABLE`, `REGISTRY_REFUSED`, `YARN_MISSING`.
 */
export function keepLocked(project: Monorepo, rootLock: string, work: LockWork): Promise<LockOutcome> {
  return withFiles(project, { rootLock, work }, (setup) => lockAndInstall(project, setup));
}

/**
 * Does the same until Yarn has updated the lockfile, and drops the result: what a dry run can find out without an
 * installation. Throws as `keepLocked`.
 */
export function tryToLock(project: Monorepo, rootLock: string, work: LockWork): Promise<void> {
  return withFiles(project, { rootLock, work }, async (setup) => {
    await writeSeeded(project, setup);
    const { lock } = await resolveMonorepo(setup.context, { folder: setup.folder, before: rootLock, askers: askersIn(project) });
    requireSameFormat(rootLock, lock);
  });
}

/** Writes the files of the branch, and names the imported package at fault if an action on them fails. */
async function withFiles<Result>(
  project: Monorepo,
  { rootLock, work }: Pick<LockSetup, 'rootLock' | 'work'>,
  act: (setup: LockSetup) => Promise<Result>,
): Promise<Result> {
  const { gitDir, commit, alternates, signal } = work;
  const files = below(work.folder, 'files');
  await writeFilesOf(gitDir, commit, { folder: files, alternates, signal });
  const folder = below(files, work.root);
  try {
    const scripts = work.scripts === 'run' ? ('run' as const) : undefined;
    const context = { yarn: await findYarn(folder, signal), root: folder, scripts, signal, ...yarnOnProgress(work.progress) };
    const setup = { context, folder, rootLock, work };
    return await act(setup).catch(async (error: unknown) => {
      throw await withCulprit(error, project, setup);
    });
  } catch (error) {
    throw orWithoutInstallation(error);
  }
}

const ROOT_MANIFEST = 'package.json' as RepoPath;

interface LockSetup {
  readonly context: YarnContext;
  /** The root of the monorepo, with the imported packages. */
  readonly folder: AbsolutePath;
  readonly rootLock: string;
  readonly work: LockWork;
}

async function lockAndInstall(project: Monorepo, setup: LockSetup): Promise<LockOutcome> {
  const { context, folder, rootLock, work } = setup;
  const { spared, ...seeded } = await writeSeeded(project, setup);
  const installation = await installMonorepo(context, { folder, before: rootLock, askers: askersIn(project) });
  requireSameFormat(rootLock, installation.lock);
  const shown = await tellInstalled(project, installation, { context, folder });
  const manifests = rewrittenManifests(project, folder);
  const now = { ...project, workspaces: withManifests(project.workspaces, manifests) };
  const answered = newlyAnswered({ text: rootLock, rules: rulesOf(work.before) }, { text: installation.lock, rules: rulesOf(now) });
  return {
    yarn: context.yarn,
    installation,
    manifests,
    spared,
    answered,
    ...shown,
    scripts: installScriptsIn(askersIn(now)),
    ...tellLocked(now, { ...seeded, before: rootLock, after: installation.lock }),
  };
}

/** Writes the seeded lockfile, and the root's manifest with what it needs. Throws as `keepLocked`. */
async function writeSeeded(
  project: Monorepo,
  { context, folder, rootLock, work }: LockSetup,
): Promise<Seeded & Pick<LockOutcome, 'spared'>> {
  await requireUpToDate(context, rootLock, work);
  const room = withoutAnswered(rootLock, isTransparent(project) ? importedPackagesOf(project) : []);
  const seeded = await seed(project, room, { context, folder: below(work.folder, 'convert') });
  writeFileSync(join(folder, 'yarn.lock'), seeded.text);
  const { text, spared } = spareNamesakes(project.files.read(ROOT_MANIFEST) ?? '', seeded.text);
  writeFileSync(join(folder, ROOT_MANIFEST), text);
  return { ...seeded, spared };
}

/**
 * Adds the imported package at fault to an error. The missing package may be an indirect dependency, and Yarn does not
 * name its dependent.
 */
async function withCulprit(error: unknown, project: Monorepo, { context, rootLock, work }: LockSetup): Promise<unknown> {
  const importedPackages = importedPackagesOf(project);
  if (!isToolError(error) || error.code !== 'INSTALL_FAILED' || error.data['workspace'] !== undefined) return error;
  const missing = typeof error.data['package'] === 'string' ? nameOf(error.data['package']) : undefined;
  if (missing === undefined || importedPackages.length < 2) return error;
  const workspaces = isTransparent(project) ? project.workspaces : [];
  const resolutions = project.workspaces[0]?.manifest.resolutions ?? new Map<string, string>();
  const place = { folder: below(work.folder, 'alone'), importedPackages, rootLock, workspaces, resolutions };
  const culprit = await findUnresolved(context, { ...place, missing });
  if (culprit === undefined) return error;
  const { code, message, hint = '', data } = error;
  const workspace = asLocation(culprit);
  return new ToolError({
    code,
    message: `${message} ${culprit.name} needs it.`,
    hint,
    data: { ...data, workspace },
    cause: error,
  });
}

/** Returns manifests that Yarn rewrote. Otherwise every installation would leave them modified in everybody's work tree. */
function rewrittenManifests({ importedPackages, files }: Monorepo, folder: AbsolutePath): Edits {
  const paths = [ROOT_MANIFEST, ...importedPackages.map(({ path }) => joinRepoPath(path, 'package.json'))];
  const texts = paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const);
  return new Map(texts.filter(([path, text]) => text !== files.read(path)));
}

/** Requires an up-to-date lockfile. Asks Yarn only if something looks wrong: it takes a second, or more in a large monorepo. */
async function requireUpToDate(context: YarnContext, rootLock: string, work: LockWork): Promise<void> {
  if (suspectDrift(rootLock, work.before).length === 0) return;
  const { gitDir, alternates, signal, before } = work;
  const came = importedPackagesOf(before);
  const own = { ...before, workspaces: before.workspaces.filter((workspace) => !came.includes(workspace)), importedPackages: [] };
  const files = below(work.folder, 'base');
  await writeFilesOf(gitDir, work.base, { folder: files, alternates, signal });
  const root = below(files, work.root);
  await requireOwnLock({ ...context, root }, { folder: root, workspaces: askersIn(own) });
}

async function tellInstalled(
  project: Monorepo,
  { warnings, lock }: Installation,
  { context, folder }: { readonly context: YarnContext; readonly folder: AbsolutePath },
): Promise<Pick<LockOutcome, 'warnings' | 'builds' | 'misplaced'>> {
  const folders = new Set<string>(project.importedPackages.map(({ path }) => path));
  const importedPackages = askersIn(project).filter(({ member }) => folders.has(member.path));
  // Only if needed: Yarn takes a second.
  const peerOwners = warnings.some(({ code }) => code === 'YN0060') ? await explainPeers(context, folder) : new Map<string, RepoFolder>();
  const paths = project.workspaces.map(({ path }) => path).filter((path) => path !== '');
  const unbuilt = context.scripts === 'run' ? [] : await findUnbuilt(context, folder, paths);
  return {
    warnings: warningsOf([...warnings, ...(unbuilt ?? [])], { importedPackages, lock: readIndex(lock), peerOwners }),
    builds: unbuilt === undefined ? 'unknown' : 'shown',
    misplaced: findModulePaths(project).filter((one) => !existsSync(join(folder, one.path, 'node_modules', one.package))),
  };
}

interface Pinned {
  readonly pins: ReadonlyMap<string, Pin>;
  readonly dropped: readonly DroppedPin[];
}

function tellLocked(
  project: Monorepo,
  locks: Pinned & { readonly before: string; readonly after: string },
): Pick<LockOutcome, 'outcomes' | 'toWorkspaces'> {
  const { workspaces } = project;
  const versions = new Map<string, string | undefined>(workspaces.map(({ name, manifest }) => [name, manifest.version]));
  const now = resolutionsIn(locks.after);
  const toWorkspaces = [...resolutionsIn(locks.before)].flatMap(([descriptor, { version, isWorkspace }]): readonly RedirectedRequest[] => {
    const to = now.get(descriptor);
    if (isWorkspace || to?.isWorkspace !== true) return [];
    return [{ descriptor, change: diffVersions(version, versions.get(nameOf(to.resolution))) }];
  });
  const outcomes = requestOutcomes({
    ...locks,
    workspaces,
    importedPackages: importedPackagesOf(project),
    got: readGot(locks.after, project),
  });
  // The lockfile of a whole monorepo has requests that the package itself never made.
  const shared = new Set<WorkspaceName>(
    project.importedPackages.flatMap(({ name, oldLock }) => (oldLock?.isShared === true ? [name] : [])),
  );
  const isForeign = ({ outcome, by }: LockedRequestOutcome): boolean =>
    outcome === 'no longer asked for' && by.every((name) => shared.has(name));
  return { outcomes: outcomes.filter((one) => !isForeign(one)), toWorkspaces };
}

interface Seeded extends Pinned {
  readonly text: string;
}

async function seed(
  project: Monorepo,
  rootLock: string,
  place: Pick<LockWork, 'folder'> & { readonly context: YarnContext },
): Promise<Seeded> {
  const importedPackages = project.importedPackages.flatMap(({ name, path, manifest: before, oldLock }) => {
    const manifest = project.workspaces.find((workspace) => workspace.path === path)?.manifest;
    return oldLock === undefined || manifest === undefined ? [] : [{ name, before, manifest, oldLock }];
  });
  if (importedPackages.length === 0) return { text: rootLock, pins: new Map(), dropped: [] };
  const workspaces = isTransparent(project) ? project.workspaces : [];
  mkdirSync(place.folder);
  const { lock, pins, dropped } = await convertLocks(place.context, {
    folder: place.folder,
    importedPackages,
    rootLock,
    workspaces,
    resolutions: project.workspaces[0]?.manifest.resolutions ?? new Map(),
  });
  return { text: seedLock({ rootLock, converted: lock, workspaces }).text, pins, dropped };
}

function below(folder: AbsolutePath, name: string): AbsolutePath {
  return parseAbsolutePath(join(folder, name));
}

function orWithoutInstallation(error: unknown): unknown {
  if (!isToolError(error) || error.code === 'INTERRUPTED') return error;
  const { code, message, data, hint = '' } = error;
  return new ToolError({
    code,
    message,
    data,
    hint: `${hint} Or import it with --no-install, and install it yourself on the new branch.`.trim(),
    cause: error,
  });
}

/**
 * Checks that Yarn would not change the monorepo's lockfile before the import, so that later changes are due to the
 * imported packages. `folder`: its files, outside any repository of the user. Throws `LOCKFILE_MISMATCH` if it would
 * change, and as `installMonorepo`.
 */
async function requireOwnLock(context: YarnContext, { folder, workspaces }: InstalledProject): Promise<void> {
  const file = join(folder, 'yarn.lock');
  const before = readFileSync(file, 'utf8');
  context.onPhase?.('Checking yarn.lock');
  const { succeeded, messages } = await runYarn(context, ['install', '--mode=update-lockfile'], folder);
  if (!succeeded) {
    const failure = installFailure(messages, { folder, workspaces });
    // Locked packages are not resolved again. If a git repository is needed, its package is not locked.
    throw failure.code === 'INSTALL_RUNS_CODE' ? driftedLock([String(failure.data['package'])]) : failure;
  }
  const changed = differingIn(before, readFileSync(file, 'utf8'));
  if (changed.length > 0) throw driftedLock(changed);
}

/** Throws `LOCKFILE_MISMATCH` if the format changes: Yarn rewrites a whole lockfile that has another format than its own. */
function requireSameFormat(before: string, after: string): void {
  if (metadataBlock(before) !== metadataBlock(after)) throw otherFormat();
}
