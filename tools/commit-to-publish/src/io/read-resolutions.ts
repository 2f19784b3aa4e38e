import { streamObjects } from '@tributary/git/objects';
import { LOCKFILE_NAMES, type LockfileName } from '@tributary/lockfile/lockfile';
import type { ObjectId } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import type { ResolvedVersion } from '../collect/adoptions.js';
import type { Layout } from '../collect/layout.js';
import { lockedVersions } from '../collect/lock-versions.js';
import type { MainLine } from '../collect/main-line.js';
import { highest, pinnedVersions } from '../collect/pins.js';
import type { NameNow } from '../collect/renames.js';
import type { UnreadableContent } from '../collect/unreadable.js';
import type { WorkspaceTime } from '../collect/upgrades.js';
import type { Micros } from '../model/event.js';
import type { Clone } from './open-clone.js';
import type { KnownNames } from './read-imports.js';

/** The versions of a package that a consumer had. */
interface PackageResolutions {
  /** The versions from commit to commit of the main line, while the package was not a workspace there. */
  readonly versions: readonly ResolvedVersion[];
  readonly asWorkspace: readonly WorkspaceTime[];
}

interface ReadResolutions {
  /** By package name, without packages that it never had. */
  readonly byPackage: ReadonlyMap<string, PackageResolutions>;
  /** Commits with an invalid lockfile, for which the previous one stays in effect. */
  readonly unreadable: readonly UnreadableContent[];
}

/**
 * Reads the versions to which the root lockfile resolves packages, and those that manifests pin; the higher one counts.
 * A pinned version is the one installed, even if a lockfile does not cover these packages, as when lerna installs each separately. Whether
 * a package is a workspace is decided at each commit: a registry copy next to the workspace is not an upgrade.
 */
export async function readResolutions(
  git: Clone['git'],
  main: MainLine,
  { wanted: names, nameNow, formerNames }: WantedNames,
): Promise<ReadResolutions> {
  const wanted = new Set([...names, ...formerNames.filter((name) => names.has(nameNow(name)))]);
  const own = workspaceTimes(main, names);
  const left = new Set([...own.values()].flatMap((times) => times.map(({ until }) => until)));
  const states = wanted.size === 0 ? [] : installStates(main, left);
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
  const unreadable: UnreadableContent[] = [];
  for (const { at, position, lockfile, manifests } of states) {
    const read = lockfile === undefined ? new Map<string, string>() : locked.get(lockfile.id);
    const commit = main.steps[position]?.commit;
    if (read !== undefined && 'problem' in read && commit !== undefined && commit.lockfiles.size > 0)
      unreadable.push({ commit: commit.id, code: 'LOCKFILE_INVALID', reason: read.problem });
    const isRead = read !== undefined && !('problem' in read);
    const versions = isRead ? highest([read, ...manifests.flatMap((id) => pinned.get(id) ?? [])]) : [];
    const layout = main.steps[position]?.layout ?? new Map();
    const workspaces = new Set([...layout.values()].map(({ name }) => name));
    for (const [name, version] of byNameNow(versions, names, nameNow)) {
      if (workspaces.has(name)) continue;
      const known = found.get(name) ?? [];
      const last = known.at(-1);
      const isBack = last !== undefined && (own.get(name) ?? []).some((time) => last.position < time.position && time.position <= position);
      if (last?.version !== version || isBack)
        known.push({ at, position, version, how: last === undefined || isBack ? 'came in' : 'upgrade' });
      found.set(name, known);
    }
  }
  const byPackage = new Map([...found].map(([name, versions]) => [name, { versions, asWorkspace: own.get(name) ?? [] }]));
  return { byPackage, unreadable };
}

/** Returns the periods in which packages were workspaces, in the order of the main line. */
function workspaceTimes({ steps }: MainLine, wanted: ReadonlySet<string>): ReadonlyMap<string, readonly WorkspaceTime[]> {
  const found = new Map<string, WorkspaceTime[]>();
  let before: Layout | undefined;
  let inside = new Set<string>();
  for (const [position, { commit, layout }] of steps.entries()) {
    if (layout === before) continue;
    before = layout;
    const now = new Set([...layout.values()].flatMap(({ name }) => (wanted.has(name) ? [name] : [])));
    for (const name of now)
      if (!inside.has(name)) found.set(name, [...(found.get(name) ?? []), { since: commit.at, position, until: undefined }]);
    for (const name of inside) {
      const times = found.get(name) ?? [];
      if (!now.has(name))
        found.set(
          name,
          times.map((time) => ({ ...time, until: time.until ?? commit.at })),
        );
    }
    inside = now;
  }
  return found;
}

interface WantedNames extends KnownNames {
  readonly wanted: ReadonlySet<string>;
}

/** Maps packages to their current names; of two versions of one package, the higher counts. */
function byNameNow(
  versions: Iterable<readonly [string, string]>,
  names: ReadonlySet<string>,
  nameNow: NameNow,
): ReadonlyMap<string, string> {
  return highest([...versions].map(([name, version]) => new Map([[names.has(name) ? name : nameNow(name), version]])));
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

/** The files that determine the installed versions, from a commit on. */
interface InstallState {
  readonly at: Micros;
  readonly position: number;
  /** If there are several, the first of `LOCKFILE_NAMES`. */
  readonly lockfile: { readonly name: LockfileName; readonly id: ObjectId } | undefined;
  /** The manifests of the packages. */
  readonly manifests: readonly ObjectId[];
}

/**
 * Returns the states of a main line. `left`: when packages stopped being workspaces, which begins a new state even if none of these files
 * changed.
 */
function installStates({ steps }: MainLine, left: ReadonlySet<Micros | undefined>): readonly InstallState[] {
  const present = new Map<LockfileName, ObjectId>();
  const manifests = new Map<RepoFolder, ObjectId>();
  return steps.flatMap(({ commit, layout }, position): InstallState[] => {
    apply(commit.lockfiles, present);
    apply(commit.manifests, manifests);
    const name = LOCKFILE_NAMES.find((lockfile) => present.has(lockfile));
    const id = name === undefined ? undefined : present.get(name);
    if (commit.lockfiles.size === 0 && commit.manifests.size === 0 && !left.has(commit.at)) return [];
    const lockfile = name === undefined || id === undefined ? undefined : { name, id };
    return [{ at: commit.at, position, lockfile, manifests: [...layout.keys()].flatMap((folder) => manifests.get(folder) ?? []) }];
  });
}

function apply<Key>(changes: ReadonlyMap<Key, ObjectId | undefined>, to: Map<Key, ObjectId>): void {
  for (const [key, id] of changes) {
    if (id === undefined) to.delete(key);
    else to.set(key, id);
  }
}
