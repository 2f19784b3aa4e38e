import { nameOf } from '@tributary/lockfile/descriptors';
import { plainRange } from '@tributary/lockfile/lockfile';
import { pairsOf } from '@tributary/lockfile/record';
import type { RepoPath } from '@tributary/model/paths';
import type { Workspace } from '@tributary/workspaces/discover';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import { answeredIn } from '../lock/answered.js';
import { rulesOf } from '../lock/got.js';
import { readIndex } from '../lock/root-lock.js';
import type { OldLock, Project } from '../project.js';

const LOCK = 'yarn.lock' as RepoPath;

/**
 * Those of some workspaces that packages of the registry would get in the place of the copies that they have locked, because their versions satisfy what those ask
 * for: Yarn links every range that a workspace satisfies, whoever asks, and nothing but another version or `enableTransparentWorkspaces: false` keeps it from that.
 * An entry of the lockfile does not: `--check-resolutions` and the hardened mode refuse it. `staying`: names of workspaces of which published versions stay; of the others
 * such a version is one that a lockfile had, and is gone once the workspace takes its place. Throws `LOCKFILE_INVALID`.
 */
export function wantedFromOutside(
  { files, workspaces, importedPackages }: Project,
  came: readonly Workspace[],
  staying: ReadonlySet<string> = new Set(),
): readonly Workspace[] {
  const gone = new Set<string>(workspaces.map(({ name }) => name).filter((name) => !staying.has(name)));
  const records = (readIndex(files.read(LOCK) ?? '')?.records ?? []).filter(
    ({ workspace, resolution }) => workspace === undefined && !gone.has(nameOf(resolution)),
  );
  const ofRoot = records.flatMap((record) => pairsOf(record).map(([name, range]) => `${name}@${plainRange(range)}`));
  const ofLocks = importedPackages.flatMap(({ oldLock }) => (oldLock === undefined ? [] : askedIn(oldLock, gone)));
  const asked = [...new Set([...ofRoot, ...ofLocks])];
  return came.filter(({ name, manifest: { version } }) => version !== undefined && asked.some((one) => satisfies(one, name, version)));
}

/** Whose range it is does not stand in the lockfile of an imported package as it was read, only who asks for which names. */
function askedIn({ asks, indirect }: OldLock, gone: ReadonlySet<string>): readonly string[] {
  const names = new Set([...asks].filter(([asker]) => !gone.has(asker)).flatMap(([, asked]) => [...asked]));
  return [...indirect].filter((request) => names.has(nameOf(request)));
}

function satisfies(request: string, name: string, version: string): boolean {
  return nameOf(request) === name && parseSemverRange(plainRange(request.slice(name.length + 1)))?.test(version) === true;
}

/** Whether packages of the registry get workspaces in the monorepo as it is: then its settings stay. Throws `LOCKFILE_INVALID`, `CONFIG_INVALID`. */
export function isLedFromOutside(project: Project): boolean {
  return answeredIn({ text: project.files.read(LOCK) ?? '', rules: rulesOf(project) }).length > 0;
}
