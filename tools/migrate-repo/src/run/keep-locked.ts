import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFilesOf } from '@tributary/git/write-files';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath, type RepoFolder } from '@tributary/model/paths';
import type { Progress } from '@tributary/terminal/progress';
import type { Workspace } from '@tributary/workspaces/discover';
import { makeRoom } from '../align/lock/make-room.js';
import type { DroppedPin, Pin } from '../align/lock/pins.js';
import { type SeedConflict, seedLock } from '../align/lock/seed.js';
import type { Project } from '../align/project.js';
import { convertLocks } from '../io/convert-lock.js';
import { findYarn } from '../io/find-yarn.js';
import { type Installation, installMonorepo } from '../io/install.js';
import type { YarnContext } from '../io/yarn.js';

/** What became of the versions that were locked, and the lockfile that holds them. */
export interface LockOutcome {
  readonly installation: Installation;
  /** How many versions the newcomers had locked, as far as their final manifests ask for them. */
  readonly pinned: number;
  readonly conflicts: readonly SeedConflict[];
  readonly dropped: readonly DroppedPin[];
}

/** Where the files of the branch can be written to and installed, out of everybody's sight. */
export interface LockWork {
  /** A scratch repository that reads the branch with `alternates`. */
  readonly gitDir: AbsolutePath;
  readonly alternates: readonly AbsolutePath[];
  readonly commit: CommitId;
  readonly root: RepoFolder;
  /** Empty. */
  readonly folder: AbsolutePath;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/**
 * Brings what the newcomers had locked into the lockfile of the monorepo, and installs it all with the monorepo's own Yarn, in a folder
 * apart: then it is known that the branch can be installed. `rootLock`: the text of its yarn.lock. Throws `INSTALL_FAILED`,
 * `INSTALL_MOVES_VERSIONS`, `REGISTRY_UNREACHABLE`, `REGISTRY_REFUSED`, `YARN_MISSING`.
 */
export async function keepLocked(project: Project, rootLock: string, work: LockWork): Promise<LockOutcome> {
  const { gitDir, commit, alternates, signal } = work;
  const files = below(work.folder, 'files');
  await writeFilesOf(gitDir, commit, { folder: files, alternates, signal });
  const folder = below(files, work.root);
  try {
    work.progress.phase('Installing');
    const onMessage: YarnContext['onMessage'] = ({ step, text }) => work.progress.step(`${step}: ${text}`, 0);
    const context = { yarn: await findYarn(folder, signal), root: folder, signal, onMessage };
    const room = makeRoom(rootLock, newcomersOf(project));
    const seeded = await seed(project, room, { context, folder: below(work.folder, 'convert') });
    writeFileSync(join(folder, 'yarn.lock'), seeded.text);
    const installation = await installMonorepo(context, { folder, before: rootLock, pins: seeded.pins });
    return { installation, pinned: seeded.pins.size, conflicts: seeded.conflicts, dropped: seeded.dropped };
  } catch (error) {
    throw orWithoutInstallation(error);
  }
}

function newcomersOf({ newcomers, workspaces }: Project): readonly Workspace[] {
  const folders = new Set<string>(newcomers.map(({ path }) => path));
  return workspaces.filter(({ path }) => folders.has(path));
}

interface Seeded {
  readonly text: string;
  readonly pins: ReadonlyMap<string, Pin>;
  readonly conflicts: readonly SeedConflict[];
  readonly dropped: readonly DroppedPin[];
}

async function seed(project: Project, rootLock: string, place: { context: YarnContext; folder: AbsolutePath }): Promise<Seeded> {
  const { workspaces } = project;
  const newcomers = project.newcomers.flatMap(({ name, path, manifest: before, oldLock }) => {
    const manifest = workspaces.find((workspace) => workspace.path === path)?.manifest;
    return oldLock === undefined || manifest === undefined ? [] : [{ name, before, manifest, oldLock }];
  });
  if (newcomers.length === 0) return { text: rootLock, pins: new Map(), conflicts: [], dropped: [] };
  mkdirSync(place.folder);
  const { lock, pins, dropped } = await convertLocks(place.context, { folder: place.folder, newcomers, rootLock, workspaces });
  const names = new Set(newcomers.map(({ name }) => name));
  const merged = seedLock({ rootLock, converted: lock, pins, workspaces, newcomers: names });
  return { text: merged.text, pins, conflicts: merged.conflicts, dropped: [...dropped, ...merged.dropped] };
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
    hint: `${hint.replace(/\.?$/, '.')} Or leave the installation to you, with --no-install.`.replace(/^\. /, ''),
    cause: error,
  });
}
