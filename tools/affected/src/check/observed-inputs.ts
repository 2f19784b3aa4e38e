import type { RepoPath } from '@tributary/model/paths';
import { ownerPlace } from '@tributary/workspaces/dependency-graph';
import type { Observation } from '../observe/observation.js';
import { COMPARED } from '../observe/observed-edges.js';
import type { HashedFiles } from '../plan/hashed-files.js';
import type { DeclaredInputs } from '../plan/task-inputs.js';
import type { ObservedInputs } from './finding.js';
import { folderAt, nameAt, type Project } from './project.js';

/** What turborepo hashes for a task. */
export interface HashedTask {
  readonly hashed: HashedFiles;
  /** The entries of `inputs`, of a workspace by name. */
  readonly inputsOf: (workspace: string) => DeclaredInputs;
  /** Whether turborepo hashes a file for every task. */
  readonly isGlobal: (path: RepoPath) => boolean;
  /** Whether it hashes an environment variable for the task of a workspace, or for a task before it. */
  readonly hashesVariable: (workspace: string, name: string) => boolean;
  /** Whether a file of a workspace that its inputs leave out does not select it. */
  readonly turboInputs: 'respect' | 'ignore';
}

/**
 * Holds what pieces read against what turborepo hashes for them. A file that was read and is not hashed lets turborepo replay an old result. A
 * file of the workspace that is hashed and that no run read runs the tests for nothing; that is said only of complete observations, and
 * only if the last one is of the checked commit, because code that came later may read the file. Where only turborepo can tell, nothing is
 * said.
 */
export function findObservedInputs(
  project: Project,
  observations: readonly Observation[],
  { head, taskOf }: { readonly head: string; readonly taskOf: (task: string) => Omit<HashedTask, 'hashesVariable'> },
): readonly ObservedInputs[] {
  const pieces = new Map<string, [Observation, ...Observation[]]>();
  for (const one of observations) {
    if (one.task === undefined || !project.byName.has(one.workspace) || one.gaps.some(({ gap }) => gap === 'crawl')) continue;
    const key = `${one.task} ${one.workspace}`;
    pieces.set(key, [one, ...(pieces.get(key) ?? [])]);
  }
  return [...pieces.values()].flatMap((runs) => {
    const [{ workspace, task = '', commit }] = runs; // the last one
    const scene = { project, from: project.byName.get(workspace) ?? 0, task, known: taskOf(task) };
    return [...unhashed(scene, runs), ...(commit === head ? unread(scene, runs) : [])];
  });
}

interface Scene {
  readonly project: Project;
  /** The place of the workspace. */
  readonly from: number;
  readonly task: string;
  readonly known: Omit<HashedTask, 'hashesVariable'>;
}

/** One for each file of the root and of the own workspace, one for all files of another workspace. */
function unhashed({ project, from, task, known }: Scene, runs: readonly Observation[]): readonly ObservedInputs[] {
  const workspace = nameAt(project, from);
  const read = new Set(runs.flatMap(({ files }) => files));
  const isOpen = (path: RepoPath): boolean =>
    read.has(path) && !isOfTurbo(path) && !known.isGlobal(path) && known.hashed.hashes(workspace, path) === 'not-hashed';
  const open = project.tracked.filter((path) => isOpen(path) && isNoGlob(path)).sort();
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
    const entry = isOwn ? path.slice(folderAt(project, from).length + 1) : `$TURBO_ROOT$/${others.length === 0 ? path : `${key}/**`}`;
    const add = asInputs(known.inputsOf(workspace), entry);
    const severity = isOwn && known.turboInputs === 'respect' ? 'hole' : 'note';
    return { kind: 'observed-inputs', severity, workspace, task, what: 'not-hashed', path, files: others.length + 1, add };
  });
}

/** The entries that `inputs` lacks. Without one that includes files, they would replace the default of turborepo: all files. */
function asInputs(declared: DeclaredInputs, entry: string): string {
  const isDefault = declared !== 'unknown' && declared.every((one) => one.startsWith('!'));
  return `${isDefault ? '"$TURBO_DEFAULT$", ' : ''}"${entry}"`;
}

/** As an entry of `inputs`, any other path is a pattern that may not match it. */
function isNoGlob(path: string): boolean {
  return !/[[\]{}()*?!\\]/.test(path);
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
  // Hooks in Node may miss a read.
  const isProof = ({ complete, part, tracer }: Observation): boolean =>
    complete && part === undefined && tracer?.startsWith('strace') === true;
  if (from === 0 || !runs.every(isProof)) return [];
  const seen = new Set(runs.flatMap(({ files, found, apart }) => [...files, ...found, ...apart.tools]));
  const listed = new Set(runs.flatMap((run) => [...run.listed.map(({ path }) => path), ...run.apart.toolLists]));
  const isUnread = (path: RepoPath): boolean =>
    (ownerPlace(project.graph, path) ?? 0) === from &&
    !seen.has(path) &&
    !listed.has(path.slice(0, path.lastIndexOf('/'))) &&
    isNoGlob(path) &&
    !isManifest(path) &&
    !isOfTurbo(path) &&
    known.hashed.hashes(workspace, path) === 'hashed';
  const [path, ...others] = project.tracked.filter(isUnread);
  if (path === undefined) return [];
  const add = asInputs(known.inputsOf(workspace), `!${path.slice(folderAt(project, from).length + 1)}`);
  return [{ kind: 'observed-inputs', severity: 'note', workspace, task, what: 'not-read', path, files: others.length + 1, add }];
}
