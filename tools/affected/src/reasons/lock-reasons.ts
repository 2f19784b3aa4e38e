import type { AllReason, ChangedFile } from '@tributary/model/changeset';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { FoundReason } from '@tributary/workspaces/affected';
import type { ChangedGraph } from '@tributary/workspaces/join-graphs';
import { diffLocks, type LockChange, type LockDiff } from '@tributary/workspaces/lock/diff';
import { diffClassicLocks } from '@tributary/workspaces/lock/diff-classic';
import type { LockGraph } from '@tributary/workspaces/lock/graph';
import { workspacesByPatch } from '@tributary/workspaces/lock/patches';
import { isSameValue } from '@tributary/workspaces/same-value';
import { isPatch } from '../changed-files.js';
import type { ProjectFiles } from '../io/project.js';
import type { Snapshot } from '../snapshot.js';
import { lockSideOf } from './lock-graph.js';

interface LockQuestion {
  readonly base: Snapshot;
  readonly head: Snapshot;
  readonly joined: ChangedGraph;
  readonly files: readonly ChangedFile[];
  /** The lock graph of the head, built on demand. */
  readonly lockGraph: () => LockGraph | undefined;
}

export interface LockReasons {
  readonly found: readonly FoundReason[];
  /** Changes for the root, which are weighed separately. */
  readonly root: readonly LockChange[];
  /** Patch files whose packages were found, and files that Yarn generates from the lockfile. */
  readonly answered: readonly string[];
  /** `unknown`: there is no lockfile with resolutions. */
  readonly resolutions: 'known' | 'unknown';
  readonly all: AllReason | undefined;
}

/** Finds the workspaces with changed resolutions, and those with a package that a changed file patches. */
export function findLockReasons(question: LockQuestion): LockReasons {
  const { base, head, files } = question;
  const [before, after] = [lockSideOf(base), lockSideOf(head)];
  if (before === undefined && after === undefined) return NOTHING;
  if (before === undefined || after === undefined)
    return { ...NOTHING, all: { code: 'LOCKFILE_MISSING', reason: 'yarn.lock was added or removed.' } };
  const diff = sameLock(base, head) ? NO_CHANGE : (diffClassic(base, head) ?? diffLocks(before, after, question.lockGraph()));
  if (diff.kind === 'unknown') return { ...NOTHING, all: { code: diff.code, reason: `${diff.reason}.` } };
  const patches = files.filter(({ path }) => isPatch(path)).map(({ path }) => patchReasons(question, path));
  return {
    found: [
      ...[...diff.changed].flatMap(([folder, changes]) => lockReasons(question, folder, changes)),
      ...patches.flatMap(({ found }) => found),
    ],
    root: diff.changed.get('') ?? [],
    answered: [...patches.flatMap(({ answered }) => answered), ...madeOfLock(files)],
    resolutions: 'known',
    all: undefined,
  };
}

const NOTHING: LockReasons = { found: [], root: [], answered: [], resolutions: 'unknown', all: undefined };
const NO_CHANGE = { kind: 'compared', changed: new Map<RepoFolder, readonly LockChange[]>() } as const;

/**
 * Returns `undefined` unless both are lockfiles of Yarn 1 with manifests that were read. Also if `resolutions` changed, because such a
 * lockfile does not say which workspaces they concern.
 */
function diffClassic(base: Snapshot, head: Snapshot): LockDiff | undefined {
  if (base.lock?.kind !== 'classic' || head.lock?.kind !== 'classic' || base.project === undefined || head.project === undefined)
    return undefined;
  if (!isSameValue(base.rootManifest.raw['resolutions'], head.rootManifest.raw['resolutions'], 'counts')) return undefined;
  const sideOf = ({ texts }: Snapshot, { workspaces }: ProjectFiles) => ({ text: texts['yarn.lock'] ?? '', workspaces });
  return diffClassicLocks(sideOf(base, base.project), sideOf(head, head.project));
}

/** Tells whether nothing changed that can alter resolutions: neither the lockfile nor the settings that apply to it. */
function sameLock(base: Snapshot, head: Snapshot): boolean {
  return (
    base.texts['yarn.lock'] === head.texts['yarn.lock'] &&
    base.texts['.yarnrc.yml'] === head.texts['.yarnrc.yml'] &&
    base.texts['package.json'] === head.texts['package.json']
  );
}

function lockReasons({ joined }: LockQuestion, folder: RepoFolder, changes: readonly LockChange[]): readonly FoundReason[] {
  const member = joined.graph.byPath.get(folder);
  // The root is weighed separately.
  if (member === undefined || folder === '') return [];
  return changes.map(({ dependency, entry, from, to }) => ({
    member,
    reach: 'dependents',
    reason: { kind: 'lockfile', dependency, entry, from, to },
  }));
}

/** Returns the files that Yarn rewrites with the lockfile, in repositories that commit them. They must not change without it. */
function madeOfLock(files: readonly ChangedFile[]): readonly string[] {
  if (!files.some(({ path }) => path === 'yarn.lock')) return [];
  return files.map(({ path }) => path).filter((path) => /^\.pnp\.|^\.yarn\/(cache|unplugged)\//.test(path));
}

/** Finds the users of a patch. An unused patch affects nobody; one inside a workspace still counts as a file of that workspace. */
function patchReasons({ joined, lockGraph }: LockQuestion, path: RepoPath): { found: readonly FoundReason[]; answered: readonly string[] } {
  const graph = lockGraph();
  const folders = graph === undefined ? 'not used' : workspacesByPatch(graph, path);
  if (folders === 'not used') return { found: [], answered: path.startsWith('.yarn/patches/') ? [path] : [] };
  const found = folders.flatMap((folder): readonly FoundReason[] => {
    const member = joined.graph.byPath.get(folder);
    return member === undefined ? [] : [{ member, reach: 'dependents', reason: { kind: 'setting', file: path, key: 'patch' } }];
  });
  return { found, answered: [path] };
}
