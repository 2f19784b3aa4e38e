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
  /** Of the head; built when it is asked for. */
  readonly lockGraph: () => LockGraph | undefined;
}

export interface LockReasons {
  readonly found: readonly FoundReason[];
  /** What concerns the root, which is weighed apart. */
  readonly root: readonly LockChange[];
  /** Patch files whose packages were found, and what Yarn makes out of the lockfile. */
  readonly answered: readonly string[];
  /** `unknown`: there is no lockfile that says what packages resolve to. */
  readonly resolutions: 'known' | 'unknown';
  readonly all: AllReason | undefined;
}

/** Which workspaces get other packages than before, and which have one that is patched by a changed file. */
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
 * `undefined` unless both are lockfiles of Yarn 1, whose manifests have been read. Not where `resolutions` changed either: whom one concerns
 * does not stand in such a lockfile.
 */
function diffClassic(base: Snapshot, head: Snapshot): LockDiff | undefined {
  if (base.lock?.kind !== 'classic' || head.lock?.kind !== 'classic' || base.project === undefined || head.project === undefined)
    return undefined;
  if (!isSameValue(base.rootManifest.raw['resolutions'], head.rootManifest.raw['resolutions'], 'counts')) return undefined;
  const sideOf = ({ texts }: Snapshot, { workspaces }: ProjectFiles) => ({ text: texts['yarn.lock'] ?? '', workspaces });
  return diffClassicLocks(sideOf(base, base.project), sideOf(head, head.project));
}

/** What can resolve differently: the lockfile, or one of the settings that are laid over it. */
function sameLock(base: Snapshot, head: Snapshot): boolean {
  return (
    base.texts['yarn.lock'] === head.texts['yarn.lock'] &&
    base.texts['.yarnrc.yml'] === head.texts['.yarnrc.yml'] &&
    base.texts['package.json'] === head.texts['package.json']
  );
}

function lockReasons({ joined }: LockQuestion, folder: RepoFolder, changes: readonly LockChange[]): readonly FoundReason[] {
  const place = joined.graph.byPath.get(folder);
  // The root's are weighed apart.
  if (place === undefined || folder === '') return [];
  // Also under the policy `dev: "terminal"`: a compiler is a dev dependency as a rule, and what it builds is what the dependents get.
  return changes.map(({ dependency, entry, from, to }) => ({
    place,
    reach: 'dependents',
    reason: { kind: 'lockfile', dependency, entry, from, to },
  }));
}

/** With the lockfile Yarn rewrites these, in repositories that keep them; alone they must not change. */
function madeOfLock(files: readonly ChangedFile[]): readonly string[] {
  if (!files.some(({ path }) => path === 'yarn.lock')) return [];
  return files.map(({ path }) => path).filter((path) => /^\.pnp\.|^\.yarn\/(cache|unplugged)\//.test(path));
}

/** A patch that nobody uses affects nobody; one in a workspace is a file of that workspace all the same. */
function patchReasons({ joined, lockGraph }: LockQuestion, path: RepoPath): { found: readonly FoundReason[]; answered: readonly string[] } {
  const graph = lockGraph();
  const folders = graph === undefined ? 'not used' : workspacesByPatch(graph, path);
  if (folders === 'not used') return { found: [], answered: path.startsWith('.yarn/patches/') ? [path] : [] };
  const found = folders.flatMap((folder): readonly FoundReason[] => {
    const place = joined.graph.byPath.get(folder);
    return place === undefined ? [] : [{ place, reach: 'dependents', reason: { kind: 'setting', file: path, key: 'patch' } }];
  });
  return { found, answered: [path] };
}
