import type { AffectedConfig } from '@tributary/model/config';
import { type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { type DependencyGraph, ownerPlace } from '@tributary/workspaces/dependency-graph';
import type { Workspace } from '@tributary/workspaces/discover';
import { WorkspaceIndex } from '@tributary/workspaces/ranges';
import { locate } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import { turboText } from '../io/reading.js';
import type { TrackedFile } from '../io/tracked-files.js';
import { mergeEdges } from '../observe/observed-edges.js';
import { buildPlan } from '../plan/build-plan.js';
import { lockedTurbo } from '../plan/locked-turbo.js';
import type { ShardRequest } from '../plan/pack/choose.js';
import type { Plan } from '../plan/plan.js';
import { withRootTask } from '../plan/root-task.js';
import { findUnrunnable } from '../plan/runnable.js';
import { hasJestThreshold, isCountedTest, isNodeTest, runnerOf } from '../plan/runner.js';
import { parseTurboInputs } from '../plan/turbo-inputs.js';
import { type PlannedWorkspace, taskId } from '../plan/upstream.js';
import type { Snapshot } from '../snapshot.js';
import { cpuSecondsOf, fileTimesOf, machineOf, type Runs, runsOn, secondsOf, testFilesOf, testsOf } from '../timings/timings.js';
import { readBaseSide } from './base-side.js';
import { loadRules, readConfig } from './config.js';
import { hashingFacts } from './hashing-facts.js';
import { markOutside } from './outside-files.js';
import type { AffectedRequest } from './request.js';
import type { AffectedProject } from './select-with-head.js';
import { readTaskSide, scriptsOf } from './task-side.js';

export interface PlanRequest extends AffectedRequest {
  readonly task: string;
  readonly timings: Runs;
  readonly shardRequest: ShardRequest;
  /** Names of workspaces that may lose the task, or `*`. */
  readonly dropped: readonly string[];
}

/** Makes the plan for an answer, out of the head: manifests, each turbo.json, the names of files. Throws as `buildPlan`, and `GIT_FAILED`. */
export async function makePlan(
  { affected, head, changed, tasksAtBase, observedEdges }: AffectedProject,
  request: PlanRequest,
): Promise<Plan> {
  const { side, project, graph } = head;
  const { task, timings, shardRequest } = request;
  const machine = machineOf(timings);
  const there = runsOn(timings, machine);
  const place = locate(request.cwd);
  const git = openGit(place);
  const own = await readConfig(side.texts);
  const config = { ...own, edges: mergeEdges(own.edges, observedEdges) };
  const { own: ownTurbo, ...tasks } = await readTaskSide(git, { texts: side.texts, project });
  const { turboTasks } = tasks;
  const inputs = parseTurboInputs(turboText(side.texts) ?? '', ownTurbo);
  const rules = await loadRules({ config, texts: side.texts }, side.linked);
  const names = new Set<string>(affected.workspaces.map(({ name }) => name));
  // turborepo may be asked for the root's task beside what is affected.
  const isAsked = ({ name, path }: { readonly name: string; readonly path: string }): boolean => path === '' || names.has(name);
  const workspaces = plannedWorkspaces(project.workspaces, { graph, config, isAsked });
  const asked = workspaces.filter(isAsked);
  const testFiles = countFiles(project.tracked(TESTS), side);
  const listed = testFilesOf(timings);
  return buildPlan({
    affected: withRootTask(affected, workspaces, { task, turboTasks }),
    task,
    timings: secondsOf(there),
    cpuSeconds: cpuSecondsOf(there),
    machine,
    shardRequest,
    workspaces,
    turboTasks,
    hashing: hashingFacts(head, rules, { changed, inputs, turboInputs: config.turboInputs }),
    testFiles: testFiles.counted,
    listedFiles: new Map(
      asked.map(({ name, scripts }) => {
        const isNode = runnerOf(scripts.get(task) ?? '') === 'node';
        return [name, (isNode ? testFiles.ofNode.get(name) : listed.get(taskId(name, task))) ?? 0];
      }),
    ),
    fileTimes: new Map(asked.map(({ name }) => [name, fileTimesOf(timings, taskId(name, task))])),
    testsRun: new Map(asked.map(({ name }) => [name, testsOf(timings, taskId(name, task)) ?? 0])),
    turbo: lockedTurbo(side.texts['yarn.lock'], project.workspaces.find(({ path }) => path === '')?.manifest.raw ?? {}),
    base: await readBaseSide({ git, place }, affected, { ...head, tasks, tasksAtBase }),
    agreed: { dropped: config.dropped, named: request.dropped },
    outside: markOutside(
      project.tracked(),
      workspaces.map(({ path }) => path),
      rules,
    ),
  });
}

/** A quick look: nearly all files are none of tests, and whose they are takes longer to find. */
const TESTS = /test|spec|e2e/;

/** What is known of each workspace of the head for planning; why no shard could run it, of those alone for whom that is asked. */
export function plannedWorkspaces(
  workspaces: readonly Workspace[],
  {
    graph,
    config,
    isAsked,
  }: { readonly graph: DependencyGraph; readonly config: AffectedConfig; readonly isAsked: (workspace: Workspace) => boolean },
): readonly PlannedWorkspace[] {
  const needs = needsIn(graph);
  const unrunnable = findUnrunnable(workspaces, isAsked);
  const ruled = new Set<string>([...config.always, ...config.rules.flatMap(({ affects }) => (Array.isArray(affects) ? affects : []))]);
  const index = new WorkspaceIndex(workspaces);
  return workspaces.map(({ name, path, manifest }) => {
    const edges = config.edges[name];
    const reads = Object.keys(edges?.workspaces ?? {}).filter((other) => other !== name && index.byName.has(other));
    return {
      name,
      path,
      scripts: scriptsOf(manifest),
      dependencies: followedBy(manifest, index),
      needs: [...(needs.get(name) ?? []), ...reads],
      isRuled: ruled.has(name) || Object.keys(edges?.files ?? {}).length > 0,
      hasJestThreshold: hasJestThreshold(manifest.raw),
      unrunnable: unrunnable.get(name),
    };
  });
}

/** By the name of a member, the members that edges lead to from it. */
function needsIn({ members, dependents }: DependencyGraph): ReadonlyMap<string, readonly string[]> {
  const needs = new Map<string, string[]>(members.map(({ name }) => [name, []]));
  for (const edges of dependents) for (const { from, to } of edges) needs.get(members[from]?.name ?? '')?.push(members[to]?.name ?? '');
  return needs;
}

/** The workspaces that a manifest names and turborepo follows, each once. */
function followedBy(manifest: Workspace['manifest'], index: WorkspaceIndex): readonly string[] {
  const followed = new Set<string>();
  for (const block of [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies])
    for (const [name, range] of block) if (isFollowed(name, range, index)) followed.add(name);
  return [...followed];
}

/** Whether turborepo takes a range for that of a workspace: of `catalog:`, `patch:`, `portal:` and aliases it does not (2.11, tried). */
function isFollowed(name: string, range: string, index: WorkspaceIndex): boolean {
  const workspace = index.byName.get(name);
  if (workspace === undefined) return false;
  return range.startsWith('workspace:') || index.satisfies(workspace.manifest.version ?? '0.0.0', range);
}

/** By workspace, how many of its files count as tests, and how many of them Node's runner takes, by their paths from its folder. */
function countFiles(
  tracked: readonly TrackedFile[],
  { graph }: Pick<Snapshot, 'graph'>,
): { readonly counted: ReadonlyMap<string, number>; readonly ofNode: ReadonlyMap<string, number> } {
  const counted = new Map<string, number>();
  const ofNode = new Map<string, number>();
  for (const { path } of tracked) {
    const member = graph.members[ownerPlace(graph, path) ?? -1];
    if (member === undefined) continue;
    const own = below(member.path, path);
    if (isCountedTest(own)) counted.set(member.name, (counted.get(member.name) ?? 0) + 1);
    if (isNodeTest(own)) ofNode.set(member.name, (ofNode.get(member.name) ?? 0) + 1);
  }
  return { counted, ofNode };
}

function below(folder: RepoFolder, path: RepoPath): string {
  return folder === '' ? path : relativeTo(folder, path);
}
