import type { Git } from '@tributary/git/git';
import { isToolError } from '@tributary/model/errors';
import { isInside, type RepoFolder } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import type { Workspace } from '@tributary/workspaces/discover';
import { parentFolder } from '@tributary/workspaces/folders';
import type { RepoLocation } from '../io/locate.js';
import { type ProjectFiles, readProject } from '../io/project.js';
import { listCommit, readRootTexts, turboText } from '../io/reading.js';
import { streamTexts } from '../io/tracked-files.js';
import type { BaseSide, TaskSide } from '../plan/lost-tasks.js';
import { MAY_BE_TESTS } from '../plan/runner.js';
import type { AffectedResult } from '../result.js';
import type { HeadProject } from './head-project.js';
import type { AffectedProject } from './select-with-head.js';
import { readTaskSide } from './task-side.js';

interface Here {
  readonly git: Git;
  readonly repository: RepoLocation;
}

/** The project at the head with its tasks, and whether the merge base has the same tasks. */
interface Head extends HeadProject {
  readonly tasks: TaskSide;
  readonly tasksAtBase: AffectedProject['tasksAtBase'];
}

/** Reads which workspaces had which tasks at the merge base, or returns why that is unknown. Throws only `INTERRUPTED`. */
export async function readBaseSide(
  here: Here,
  { mergeBase, head, all }: Pick<AffectedResult, 'mergeBase' | 'head' | 'all'>,
  headProject: Head,
): Promise<BaseSide> {
  if (mergeBase === null) return { unknown: all?.reason ?? 'Only the names of changed files were given, and no base.' };
  if (mergeBase === head) return { unknown: 'The head has no commits beyond the base, so there is nothing to compare.' };
  if (headProject.tasksAtBase === 'same') return { ...headProject.tasks, leftBehind: new Map() };
  try {
    return await readAt(here, mergeBase, headProject);
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    return { unknown: `The base cannot be read: ${error.message}` };
  }
}

async function readAt({ git, repository }: Here, commit: string, { project, side }: HeadProject): Promise<BaseSide> {
  const [texts, listing] = await Promise.all([readRootTexts(git, commit, repository.project), listCommit(git, commit)]);
  const base = await readProject(git, repository.project, { listing, other: project });
  // No workspace had a task there.
  if (turboText(texts) === undefined) return { workspaces: [], turboTasks: new Map(), leftBehind: new Map() };
  const known = await readTaskSide(git, { texts, project: base });
  const testFiles = base.tracked(MAY_BE_TESTS).map(({ path }) => path);
  return { ...known, testFiles, ...(await findLeftBehind(git, { base, head: project, graph: side.graph })) };
}

type LeftBehind = Pick<Extract<BaseSide, TaskSide>, 'leftBehind' | 'movedTo'>;

interface BothProjects {
  readonly base: ProjectFiles;
  readonly head: ProjectFiles;
  /** The graph of the head. */
  readonly graph: HeadProject['graph'];
}

/** By folder, the workspaces of the base that are none at the head, and whose files somebody kept there or moved. */
async function findLeftBehind(git: Git, { base, head, graph }: BothProjects): Promise<LeftBehind> {
  const paths = new Set(head.workspaces.map(({ path }) => path));
  const gone = base.workspaces.filter(({ path }) => !paths.has(path));
  if (gone.length === 0) return { leftBehind: new Map() };
  const moved = await findMoved(git, { base, head });
  const rest = restOf(gone, { head, graph });
  const owners = ownersNow(gone, { base, head, graph });
  const leftBehind = gone.flatMap(({ name, path }): readonly [string, string][] => {
    if (rest.has(path)) return [[path, `Its folder ${path} still exists, but is no longer a workspace.`]];
    const place = moved.get(name);
    if (place !== undefined) return [[path, `It is now in ${place}, and is not a workspace there.`]];
    return owners.get(path) === '' ? [[path, 'Most of its files are in another folder now, which belongs to no workspace.']] : [];
  });
  return { leftBehind: new Map(leftBehind), movedTo: new Map([...owners].filter(([, owner]) => owner !== '')) };
}

/** By folder, who owns half of the files of a workspace that is gone, or more, by their contents: it may have another name, too. `` for the root. */
function ownersNow(gone: readonly Workspace[], { base, head, graph }: BothProjects): ReadonlyMap<string, string> {
  const before = new Set<string>(base.tracked().map(({ path }) => path));
  const added = new Map(head.tracked().flatMap(({ path, id }) => (before.has(path) ? [] : [[id, path] as const])));
  return new Map(
    gone.flatMap(({ path }): readonly [string, string][] => {
      const files = base.tracked().filter((file) => isInside(file.path, path) && !MANIFESTS.test(file.path));
      const owners = files.flatMap(({ id }) => {
        const place = added.get(id);
        return place === undefined ? [] : [graph.members[owningMember(graph, place) ?? -1]?.path ?? ''];
      });
      const most = owners.find((owner) => owners.filter((other) => other === owner).length * 2 >= files.length);
      return most === undefined ? [] : [[path, most]];
    }),
  );
}

/** Returns the folders with remaining files that belong to no workspace below. */
function restOf(gone: readonly Workspace[], { head, graph }: Omit<BothProjects, 'base'>): ReadonlySet<string> {
  const folders = new Set<string>(gone.map(({ path }) => path));
  const rest = new Set<string>();
  // A submodule or link that replaced the folder counts too.
  for (const path of [...head.tracked().map((file): string => file.path), ...head.hidden]) {
    const owner = graph.members[owningMember(graph, path) ?? -1]?.path ?? '';
    for (let at = path; at.length > owner.length; at = parentFolder(at)) if (folders.has(at)) rest.add(at);
  }
  return rest;
}

/** Returns, by name, the folders of new manifests at the head that belong to no workspace. */
async function findMoved(git: Git, { base, head }: Omit<BothProjects, 'graph'>): Promise<ReadonlyMap<string, RepoFolder>> {
  const known = new Set<string>(head.workspaces.map(({ path }) => path));
  const before = new Set<string>(base.tracked(MANIFESTS).map(({ path }) => path));
  const files = head.tracked(MANIFESTS).filter(({ path, kind }) => kind === 'file' && !before.has(path) && !known.has(parentFolder(path)));
  const moved = new Map<string, RepoFolder>();
  for await (const { file, text } of streamTexts(git, files)) {
    const name = nameIn(text ?? '');
    if (name !== undefined) moved.set(name, parentFolder(file.path));
  }
  return moved;
}

const MANIFESTS = /(?:^|\/)package\.json$/;

/** Returns `undefined` if the text is not a manifest: it belongs to no workspace, and may be test material. */
function nameIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) && typeof value['name'] === 'string' ? value['name'] : undefined;
  } catch {
    return undefined;
  }
}
