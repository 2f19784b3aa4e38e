import { streamObjects } from '@tributary/git/objects';
import { LOCKFILE_NAMES, type LockfileName } from '@tributary/lockfile/lockfile';
import type { ObjectId } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import type { ResolvedVersion } from '../collect/adoptions.js';
import { lockedVersions } from '../collect/lock-versions.js';
import type { MainLine } from '../collect/main-line.js';
import { highest, pinnedVersions } from '../collect/pins.js';
import type { UnreadableCommit } from '../collect/unreadable.js';
import type { Micros } from '../model/event.js';
import type { Clone } from './open-clone.js';

interface ReadResolutions {
  /** By name of the package: from which commit of the main line on it was which version. */
  readonly byPackage: ReadonlyMap<string, readonly ResolvedVersion[]>;
  /** Commits that came with a lockfile that is none; what it said before goes on there. */
  readonly unreadable: readonly UnreadableCommit[];
}

/** What the lockfile at the root of a repository has resolved packages to; while there was none, what its manifests have pinned. */
export async function readResolutions(git: Clone['git'], main: MainLine, wanted: ReadonlySet<string>): Promise<ReadResolutions> {
  const states = wanted.size === 0 ? [] : installStates(main);
  const lockfiles = new Map(states.flatMap(({ lockfile }) => (lockfile === undefined ? [] : [[lockfile.id, lockfile.name]])));
  const locked = await readEach(git, [...lockfiles.keys()], (text, id) =>
    lockedVersions({ name: lockfiles.get(id) ?? 'yarn.lock', text }, wanted),
  );
  const pinned = await readEach(
    git,
    states.flatMap(({ manifests }) => manifests),
    (text) => pinnedVersions(text, wanted),
  );
  const found = new Map<string, ResolvedVersion[]>();
  const unreadable: UnreadableCommit[] = [];
  for (const { at, place, lockfile, manifests } of states) {
    const read = lockfile === undefined ? highest(manifests.flatMap((id) => pinned.get(id) ?? [])) : locked.get(lockfile.id);
    const commit = main.steps[place]?.commit.id;
    if (read !== undefined && 'problem' in read && commit !== undefined)
      unreadable.push({ commit, code: 'LOCKFILE_INVALID', reason: read.problem });
    const versions = read === undefined || 'problem' in read ? [] : read;
    for (const [name, version] of versions) {
      const own = found.get(name) ?? [];
      if (own.at(-1)?.version !== version) own.push({ at, place, version });
      found.set(name, own);
    }
  }
  return { byPackage: found, unreadable };
}

async function readEach<T>(
  git: Clone['git'],
  ids: readonly ObjectId[],
  read: (text: string, id: ObjectId) => T,
): Promise<ReadonlyMap<ObjectId, T>> {
  const found = new Map<ObjectId, T>();
  for await (const group of streamObjects(git, [...new Set(ids)]))
    for (const { id, content } of group) found.set(id, read(content.toString('utf8'), id));
  return found;
}

/** What says which versions are installed, from a commit on. */
interface InstallState {
  readonly at: Micros;
  readonly place: number;
  /** Where there are several at once, the first of `LOCKFILE_NAMES`. */
  readonly lockfile: { readonly name: LockfileName; readonly id: ObjectId } | undefined;
  /** Those of the packages, where there is no lockfile. */
  readonly manifests: readonly ObjectId[];
}

function installStates({ steps }: MainLine): readonly InstallState[] {
  const present = new Map<LockfileName, ObjectId>();
  const manifests = new Map<RepoFolder, ObjectId>();
  return steps.flatMap(({ commit, layout }, place): InstallState[] => {
    apply(commit.lockfiles, present);
    apply(commit.manifests, manifests);
    const name = LOCKFILE_NAMES.find((lockfile) => present.has(lockfile));
    const id = name === undefined ? undefined : present.get(name);
    const state = { at: commit.at, place };
    if (name !== undefined && id !== undefined)
      return commit.lockfiles.size === 0 ? [] : [{ ...state, lockfile: { name, id }, manifests: [] }];
    if (commit.lockfiles.size === 0 && commit.manifests.size === 0) return [];
    return [{ ...state, lockfile: undefined, manifests: [...layout.keys()].flatMap((folder) => manifests.get(folder) ?? []) }];
  });
}

function apply<Key>(changes: ReadonlyMap<Key, ObjectId | undefined>, to: Map<Key, ObjectId>): void {
  for (const [key, id] of changes) {
    if (id === undefined) to.delete(key);
    else to.set(key, id);
  }
}
