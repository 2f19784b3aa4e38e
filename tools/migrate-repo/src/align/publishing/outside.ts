import { nameOf } from '@tributary/lockfile/descriptors';
import { plainRange } from '@tributary/lockfile/lockfile';
import { pairsOf } from '@tributary/lockfile/record';
import type { RepoPath } from '@tributary/model/paths';
import type { Workspace } from '@tributary/workspaces/discover';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import { answeredIn } from '../lock/answered.js';
import { rulesOf } from '../lock/got.js';
import { readIndex } from '../lock/root-lock.js';
import type { Project } from '../project.js';

const LOCK = 'yarn.lock' as RepoPath;

/**
 * Those of some workspaces that packages of the registry would get in the place of the copies that they have locked, because their versions satisfy what those ask
 * for: Yarn links every range that a workspace satisfies, whoever asks, and nothing but another version or `enableTransparentWorkspaces: false` keeps it from that.
 * An entry of the lockfile does not: `--check-resolutions` and the hardened mode refuse it. Throws `LOCKFILE_INVALID`.
 */
export function wantedFromOutside({ files, importedPackages }: Project, came: readonly Workspace[]): readonly Workspace[] {
  const records = (readIndex(files.read(LOCK) ?? '')?.records ?? []).filter(({ workspace }) => workspace === undefined);
  const ofRoot = records.flatMap((record) => pairsOf(record).map(([name, range]) => `${name}@${plainRange(range)}`));
  const asked = [...new Set([...ofRoot, ...importedPackages.flatMap(({ oldLock }) => [...(oldLock?.indirect ?? [])])])];
  return came.filter(({ name, manifest: { version } }) => version !== undefined && asked.some((one) => satisfies(one, name, version)));
}

function satisfies(request: string, name: string, version: string): boolean {
  return nameOf(request) === name && parseSemverRange(plainRange(request.slice(name.length + 1)))?.test(version) === true;
}

/** Whether packages of the registry get workspaces in the monorepo as it is: then its settings stay. Throws `LOCKFILE_INVALID`, `CONFIG_INVALID`. */
export function isLedFromOutside(project: Project): boolean {
  return answeredIn({ text: project.files.read(LOCK) ?? '', rules: rulesOf(project) }).length > 0;
}
