import type { HistoryCommit } from '@tributary/git/history';
import { LOCKFILE_NAMES, type LockfileName } from '@tributary/lockfile/lockfile';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { MEMBER_LISTS, type MemberList } from '@tributary/workspaces/member-lists';
import type { Event, Micros } from '../model/event.js';

/** A commit of the main line. It holds only what collecting needs, because years of history are in memory. */
export interface MainCommit {
  readonly id: CommitId;
  readonly parents: readonly CommitId[];
  readonly at: Micros;
  readonly actor: Event['actor'];
  /** The first line of the message. */
  readonly subject: string;
  /** The added and changed files. */
  readonly written: readonly string[];
  /** The deleted files. */
  readonly removed: readonly string[];
  /** The changed package.json files, by folder; `undefined` if deleted. */
  readonly manifests: ReadonlyMap<RepoFolder, ObjectId | undefined>;
  /** The changed .npmignore files, by folder; `undefined` if deleted. */
  readonly npmignores: ReadonlyMap<RepoFolder, ObjectId | undefined>;
  /** The changed files, at the root of the repository, in which other tools list the packages. */
  readonly memberLists: ReadonlyMap<MemberList, ObjectId | undefined>;
  /** The changed lockfiles at the root of the repository. */
  readonly lockfiles: ReadonlyMap<LockfileName, ObjectId | undefined>;
  /** `version files`: only files that a release writes. */
  readonly touches: 'version files' | 'anything';
}

/** The files that release tools write, besides lockfiles. */
const VERSION_FILE =
  /(?:^|\/)(?:package\.json|lerna\.json|version|bower\.json|component\.json|\.release-please-manifest\.json|(?:changelog|history)(?:\.\w+)?)$|^\.changeset\//i;

function isVersionFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return VERSION_FILE.test(path) || LOCKFILE_NAMES.some((lockfile) => lockfile === name);
}

export function mainCommitOf(commit: HistoryCommit, actor: Event['actor']): MainCommit {
  const { id, parents, time, subject, changes } = commit;
  const written: string[] = [];
  const removed: string[] = [];
  const manifests = new Map<RepoFolder, ObjectId | undefined>();
  const npmignores = new Map<RepoFolder, ObjectId | undefined>();
  const memberLists = new Map<MemberList, ObjectId | undefined>();
  const lockfiles = new Map<LockfileName, ObjectId | undefined>();
  for (const { path, newMode, newId } of changes) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/'))) as RepoFolder;
    const content = newMode.startsWith('100') ? (newId as ObjectId) : undefined;
    (newMode === GONE ? removed : written).push(path);
    if (path === '.npmignore' || path.endsWith('/.npmignore')) npmignores.set(folder, content);
    if (isManifest(path)) manifests.set(folder, content);
    const lockfile = LOCKFILE_NAMES.find((name) => name === path);
    if (lockfile !== undefined) lockfiles.set(lockfile, content);
    const list = MEMBER_LISTS.find((name) => name === path);
    if (list !== undefined) memberLists.set(list, content);
  }
  const touches = changes.every(({ path }) => isVersionFile(path)) ? 'version files' : 'anything';
  const at = (time * 1e6) as Micros;
  return { id, parents, at, actor, subject, written, removed, manifests, npmignores, memberLists, lockfiles, touches };
}

/** The mode of a deleted file. */
const GONE = '000000';

/** Excludes manifests of installed packages that were committed. */
function isManifest(path: string): boolean {
  return (path === 'package.json' || path.endsWith('/package.json')) && !/(?:^|\/)node_modules\//.test(path);
}
