import type { RepoPath } from '@tributary/model/paths';
import { ownerPlace } from '@tributary/workspaces/dependency-graph';
import type { Observation } from '../observe/observation.js';
import { COMPARED } from '../observe/observed-edges.js';
import type { HashedFiles } from '../plan/hashed-files.js';
import type { ObservedInputs } from './finding.js';
import { folderAt, nameAt, type Project } from './project.js';

/** What turborepo hashes for a task. */
export interface HashedTask {
  readonly hashed: HashedFiles;
  /** Whether turborepo hashes a file for every task. */
  readonly isGlobal: (path: RepoPath) => boolean;
  /** Whether a file of a workspace that its inputs leave out does not select it. */
  readonly turboInputs: 'respect' | 'ignore';
}

/**
 * Holds what pieces read against what turborepo hashes for them. A file that was read and is not hashed lets turborepo replay an old result. A
 * file of the workspace that is hashed and that no run read runs the tests for nothing; that is said only of complete observations. Where
 * only turborepo can tell, nothing is said.
 */
export function findObservedInputs(
  project: Project,
  observations: readonly Observation[],
  taskOf: (task: string) => HashedTask,
): readonly ObservedInputs[] {
  const pieces = new Map<string, [Observation, ...Observation[]]>();
  for (const one of observations) {
    if (one.task === undefined || !project.byName.has(one.workspace) || one.gaps.some(({ gap }) => gap === 'crawl')) continue;
    const key = `${one.task} ${one.workspace}`;
    pieces.set(key, [one, ...(pieces.get(key) ?? [])]);
  }
  return [...pieces.values()].flatMap((runs) => {
    const [{ workspace, task = '' }] = runs;
    const scene = { project, from: project.byName.get(workspace) ?? 0, task, known: taskOf(task) };
    return [...unhashed(scene, runs), ...unread(scene, runs)];
  });
}

interface Scene {
  readonly project: Project;
  /** The place of the workspace. */
  readonly from: number;
  readonly task: string;
  readonly known: HashedTask;
}

/** One for each file of the root and of the own workspace, one for all files of another workspace. */
function unhashed({ project, from, task, known }: Scene, runs: readonly Observation[]): readonly ObservedInputs[] {
  const workspace = nameAt(project, from);
  const read = new Set(runs.flatMap(({ files }) => files));
  const isOpen = (path: RepoPath): boolean =>
    read.has(path) && !isOfTurbo(path) && !known.isGlobal(path) && known.hashed.hashes(workspace, path) === 'not-hashed';
  const open = project.tracked.filter(isOpen).sort();
  const groups = new Map<string, [RepoPath, ...RepoPath[]]>();
  for (const path of [...open.filter((one) => !isManifest(one)), ...open.filter(isManifest)]) {
    const owner = ownerPlace(project.graph, path) ?? 0;
    const isAlone = owner === 0 || owner === from;
    const key = isAlone ? path : folderAt(project, owner);
    // Yarn reads all manifests on the way to a script: one by itself tells nothing.
    if (isAlone || groups.has(key) || !isManifest(path)) groups.set(key, [...(groups.get(key) ?? []), path] as [RepoPath, ...RepoPath[]]);
  }
  return [...groups].map(([key, [path, ...others]]) => {
    const isOwn = (ownerPlace(project.graph, path) ?? 0) === from;
    const add = isOwn
      ? `"${path.slice(folderAt(project, from).length + 1)}"`
      : `"$TURBO_ROOT$/${others.length === 0 ? path : `${key}/**`}"`;
    const severity = isOwn && known.turboInputs === 'respect' ? 'hole' : 'note';
    return { kind: 'observed-inputs', severity, workspace, task, what: 'not-hashed', path, files: others.length + 1, add };
  });
}

function isManifest(path: string): boolean {
  return path.endsWith('/package.json');
}

/** turborepo reads them itself, and hashes them or their parts. */
function isOfTurbo(path: string): boolean {
  return COMPARED.has(path) || /(^|\/)turbo\.jsonc?$/.test(path);
}

function unread({ project, from, task, known }: Scene, runs: readonly Observation[]): readonly ObservedInputs[] {
  const workspace = nameAt(project, from);
  if (from === 0 || runs.some(({ complete, part }) => !complete || part !== undefined)) return [];
  const seen = new Set(runs.flatMap(({ files, found, apart }) => [...files, ...found, ...apart.tools]));
  const isUnread = (path: RepoPath): boolean =>
    (ownerPlace(project.graph, path) ?? 0) === from &&
    !seen.has(path) &&
    !isOfTurbo(path) &&
    known.hashed.hashes(workspace, path) === 'hashed';
  const [path, ...others] = project.tracked.filter(isUnread);
  if (path === undefined) return [];
  const add = `"!${path.slice(folderAt(project, from).length + 1)}"`;
  return [{ kind: 'observed-inputs', severity: 'note', workspace, task, what: 'not-read', path, files: others.length + 1, add }];
}
