import type { Git } from '@tributary/git/git';
import type { AffectedConfig } from '@tributary/model/config';
import { type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { type DependencyGraph, ownerPlace } from '@tributary/workspaces/dependency-graph';
import type { Workspace } from '@tributary/workspaces/discover';
import { WorkspaceIndex } from '@tributary/workspaces/ranges';
import { locate } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import { streamTexts, type TrackedFile } from '../io/tracked-files.js';
import { buildPlan } from '../plan/build-plan.js';
import type { ShardRequest } from '../plan/pack/choose.js';
import type { Plan } from '../plan/plan.js';
import { findUnrunnable } from '../plan/runnable.js';
import { hasJestThreshold, isCountedTest, isNodeTest, runnerOf } from '../plan/runner.js';
import { type OwnTurboFile, parseTurboTasks, withOwnTasks } from '../plan/turbo-tasks.js';
import { type PlannedWorkspace, taskId } from '../plan/upstream.js';
import type { Snapshot } from '../snapshot.js';
import { type Runs, secondsOf, testFilesOf } from '../timings/timings.js';
import { readConfig } from './config.js';
import type { AffectedRequest } from './request.js';
import type { AffectedProject } from './select-with-head.js';

export interface PlanRequest extends AffectedRequest {
  readonly task: string;
  readonly timings: Runs;
  readonly shardRequest: ShardRequest;
}

/** Makes the plan for an answer, out of the head: manifests, each turbo.json, the names of files. Throws as `buildPlan`, and `GIT_FAILED`. */
export async function makePlan({ affected, head }: AffectedProject, request: PlanRequest): Promise<Plan> {
  const { side, project, graph } = head;
  const { task, timings, shardRequest } = request;
  const tracked = project.tracked(TESTS_AND_TURBO_FILES);
  const git = openGit(locate(request.cwd));
  const turboTasks = parseTurboTasks(side.texts['turbo.json'] ?? side.texts['turbo.jsonc']);
  const workspaces = plannedWorkspaces(project.workspaces, { graph, config: await readConfig(side.texts) });
  const nodeFiles = countFiles(tracked, side, isNodeTest);
  const listed = testFilesOf(timings);
  return buildPlan({
    affected,
    task,
    timings: secondsOf(timings),
    shardRequest,
    workspaces,
    turboTasks: withOwnTasks(turboTasks, await readOwnTurboFiles(git, tracked, side)),
    testFiles: countFiles(tracked, side, isCountedTest),
    listedFiles: new Map(
      workspaces.map(({ name, scripts }) => {
        const isNode = runnerOf(scripts.get(task) ?? '') === 'node';
        return [name, (isNode ? nodeFiles.get(name) : listed.get(taskId(name, task))) ?? 0];
      }),
    ),
  });
}

/** A quick look at what a plan is made of: nearly all files are neither, and whose they are takes longer to find. */
const TESTS_AND_TURBO_FILES = /test|spec|e2e|turbo\.jsonc?$/;

/** Each turbo.json, or turbo.jsonc, beside the package.json of a workspace. */
async function readOwnTurboFiles(git: Git, tracked: readonly TrackedFile[], { graph }: Snapshot): Promise<readonly OwnTurboFile[]> {
  const owners = new Map(graph.members.flatMap(({ name, path }) => TURBO_FILES.map((file) => [`${path}/${file}`, name])));
  const own: OwnTurboFile[] = [];
  // Of a link the text is where it leads; nothing is known of such a file but that it is there.
  for await (const { file, text } of streamTexts(
    git,
    tracked.filter(({ path }) => owners.has(path)),
  ))
    own.push({ workspace: owners.get(file.path) ?? '', file: file.path, text: file.kind === 'link' ? '{}' : (text ?? '') });
  return own;
}

const TURBO_FILES = ['turbo.json', 'turbo.jsonc'];

function plannedWorkspaces(
  workspaces: readonly Workspace[],
  { graph, config }: { readonly graph: DependencyGraph; readonly config: AffectedConfig },
): readonly PlannedWorkspace[] {
  const needs = needsIn(graph);
  const unrunnable = findUnrunnable(workspaces);
  const ruled = new Set<string>([...config.always, ...config.rules.flatMap(({ affects }) => (Array.isArray(affects) ? affects : []))]);
  const index = new WorkspaceIndex(workspaces);
  return workspaces.map(({ name, path, manifest }) => {
    const followed = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies].flatMap((block) =>
      [...block].flatMap(([to, range]) => (isFollowed(to, range, index) ? [to] : [])),
    );
    return {
      name,
      path,
      scripts: scriptsOf(manifest.raw['scripts']),
      dependencies: [...new Set(followed)],
      needs: [
        ...(needs.get(name) ?? []),
        ...Object.keys(config.edges[name]?.workspaces ?? {}).filter((other) => other !== name && index.byName.has(other)),
      ],
      isRuled: ruled.has(name) || Object.keys(config.edges[name]?.files ?? {}).length > 0,
      hasJestThreshold: hasJestThreshold(manifest.raw),
      unrunnable: unrunnable.get(name),
    };
  });
}

/** By the name of a member, the members that edges lead to from it. */
function needsIn({ members, dependents }: DependencyGraph): ReadonlyMap<string, readonly string[]> {
  const needs = new Map<string, string[]>(members.map(({ name }) => [name, []]));
  for (const { from, to } of dependents.flat()) needs.get(members[from]?.name ?? '')?.push(members[to]?.name ?? '');
  return needs;
}

/** Whether turborepo takes a range for that of a workspace: of `catalog:`, `patch:`, `portal:` and aliases it does not (2.11, tried). */
function isFollowed(name: string, range: string, index: WorkspaceIndex): boolean {
  const workspace = index.byName.get(name);
  if (workspace === undefined) return false;
  return range.startsWith('workspace:') || index.satisfies(workspace.manifest.version ?? '0.0.0', range);
}

function scriptsOf(value: unknown): ReadonlyMap<string, string> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** By workspace, how many of its files are meant, by their paths from its folder. */
function countFiles(
  tracked: readonly TrackedFile[],
  { graph }: Pick<Snapshot, 'graph'>,
  isMeant: (path: string) => boolean,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of tracked) {
    const member = graph.members[ownerPlace(graph, path) ?? -1];
    if (member === undefined || !isMeant(below(member.path, path))) continue;
    counts.set(member.name, (counts.get(member.name) ?? 0) + 1);
  }
  return counts;
}

function below(folder: RepoFolder, path: RepoPath): string {
  return folder === '' ? path : relativeTo(folder, path);
}
