import { nameOf } from '@tributary/lockfile/descriptors';
import { plainRange } from '@tributary/lockfile/lockfile';
import { pairsOf } from '@tributary/lockfile/record';
import type { RepoPath } from '@tributary/model/paths';
import type { Workspace } from '@tributary/workspaces/discover';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import { answeredIn } from '../lock/answered.js';
import { rulesOf } from '../lock/got.js';
import { readIndex } from '../lock/root-lock.js';
import type { Monorepo, OldLock } from '../project.js';

const LOCK = 'yarn.lock' as RepoPath;

/**
 * Returns workspaces that registry packages would get instead of their locked copies, because the workspaces' versions
 * satisfy their ranges. Yarn links every range that a workspace satisfies, for any dependent. Only another version or
 * `enableTransparentWorkspaces: false` prevents that. A lockfile entry does not: `--check-resolutions` and the hardened
 * mode reject it.
 *
 * `staying`: names of workspaces whose published versions remain. For the others, a locked published version disappears
 * once the workspace replaces it. Throws `LOCKFILE_INVALID`.
 */
export function wantedFromOutside(
  { files, workspaces, importedPackages }: Monorepo,
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

/** Returns requests in an imported package's lockfile. It records which package requests which names, but not with which range. */
function askedIn({ asks, indirect }: OldLock, gone: ReadonlySet<string>): readonly string[] {
  const names = new Set([...asks].filter(([asker]) => !gone.has(asker)).flatMap(([, asked]) => [...asked]));
  return [...indirect].filter((request) => names.has(nameOf(request)));
}

function satisfies(request: string, name: string, version: string): boolean {
  return nameOf(request) === name && parseSemverRange(plainRange(request.slice(name.length + 1)))?.test(version) === true;
}

/**
 * Whether registry packages already get workspaces in the monorepo; its settings are then kept. Throws
 * `LOCKFILE_INVALID`, `CONFIG_INVALID`.
 */
export function isLedFromOutside(project: Monorepo): boolean {
  return answeredIn({ text: project.files.read(LOCK) ?? '', rules: rulesOf(project) }).length > 0;
}
