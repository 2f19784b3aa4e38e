import type { AffectedConfig } from '@tributary/model/config';
import { type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import type { Progress } from '@tributary/terminal/progress';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import type { Workspace } from '@tributary/workspaces/discover';
import { WorkspaceIndex } from '@tributary/workspaces/ranges';
import { kindOfTask } from '@tributary/workspaces/task-kinds';
import { locate } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import { turboText } from '../io/reading.js';
import type { TrackedFile } from '../io/tracked-files.js';
import { buildPlan } from '../plan/build-plan.js';
import { withRootTask } from '../plan/has-task.js';
import { lockedTurbo } from '../plan/locked-turbo.js';
import { namedFor } from '../plan/lost-tasks.js';
import type { SizeRequest } from '../plan/pack/choose.js';
import type { Plan } from '../plan/plan.js';
import type { PlanInput } from '../plan/plan-input.js';
import { findUnrunnable } from '../plan/runnable.js';
import { hasJestThreshold, isCountedTest, isNodeTest, MAY_BE_TESTS, runnerOf } from '../plan/runner.js';
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
  readonly timings: Runs;
  readonly shardRequest: SizeRequest;
  /** Names of workspaces that may lose the task, or `*`. */
  readonly dropped: readonly string[];
  /** Plan all workspaces, and say what a selection would leave out. */
  readonly reportOnly?: boolean;
}

/**
 * Makes one plan for the answers of all tasks from the head: manifests, every turbo.json, file names. Throws the errors of `buildPlan`, and
 * `GIT_FAILED`.
 */
export async function makePlan(answers: readonly AffectedProject[], request: PlanRequest, progress: Progress): Promise<Plan> {
  progress.phase('Reading tasks');
  const inputs: PlanInput[] = [];
  const planned = answers.map(({ task }) => task);
  for (const answer of answers) {
    const dropped = answers.length === 1 ? request.dropped : namedFor(answer.task, request.dropped);
    inputs.push(await inputOf(answer, { ...request, dropped, planned }, progress));
  }
  const [first, ...others] = inputs;
  if (first === undefined) throw new Error('a plan has at least one task');
  progress.phase('Planning shards');
  return buildPlan(first, ...others);
}

async function inputOf(
  { task, affected, head, changed, tasksAtBase }: AffectedProject,
  request: PlanRequest & { readonly planned: readonly string[] },
  progress: Progress,
): Promise<PlanInput> {
  const { side, project, graph } = head;
  const { timings, shardRequest, reportOnly = false } = request;
  const machine = machineOf(timings);
  const there = runsOn(timings, machine);
  const repository = await locate(request.cwd);
  const git = openGit(repository, { lazyFetch: request.fetch });
  const config = await readConfig(side.texts);
  const { own: ownTurbo, ...tasks } = await readTaskSide(git, { texts: side.texts, project });
  const { turboTasks } = tasks;
  const inputs = parseTurboInputs(turboText(side.texts) ?? '', ownTurbo);
  const rules = await loadRules({ config, texts: side.texts, taskKind: kindOfTask(task) }, side.linked);
  const names = new Set<string>((reportOnly ? project : affected).workspaces.map(({ name }) => name));
  // turborepo may also run the root's task in addition to the affected ones.
  const isAsked = ({ name, path }: { readonly name: string; readonly path: string }): boolean => path === '' || names.has(name);
  const workspaces = plannedWorkspaces(project.workspaces, { graph, config, isAsked });
  const asked = workspaces.filter(isAsked);
  const testFiles = countFiles(project.tracked(MAY_BE_TESTS), side);
  const listed = testFilesOf(timings);
  const base = await readBaseSide({ git, repository }, affected, { ...head, tasks, tasksAtBase });
  const { readScripts } = await import('./scripts.js');
  return {
    atWork: (workspace) => progress.step(workspace, workspace === undefined ? 0 : 1),
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
    node: Number.parseInt(process.versions.node, 10),
    turbo: lockedTurbo(side.texts['yarn.lock'], project.workspaces.find(({ path }) => path === '')?.manifest.raw ?? {}),
    base,
    ...readScripts({
      ...{ head: tasks, base, task, planned: request.planned, names, changed },
      files: project.tracked(MAY_BE_TESTS).map(({ path }) => path),
    }),
    strictScripts: config.strictScripts,
    agreed: { dropped: config.dropped, named: request.dropped },
    reportOnly,
    outside: markOutside(
      project.tracked(),
      workspaces.map(({ path }) => path),
      rules,
    ),
  };
}

/**
 * Returns the facts for planning about each workspace of the head. It checks only requested workspaces for reasons why no shard could run
 * them.
 */
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

/** Returns, by a member's name, the members that it depends on. */
function needsIn({ members, dependents }: DependencyGraph): ReadonlyMap<string, readonly string[]> {
  const needs = new Map<string, string[]>(members.map(({ name }) => [name, []]));
  for (const edges of dependents) for (const { from, to } of edges) needs.get(members[from]?.name ?? '')?.push(members[to]?.name ?? '');
  return needs;
}

/** Returns the workspaces in a manifest that turborepo follows, each once. */
function followedBy(manifest: Workspace['manifest'], index: WorkspaceIndex): readonly string[] {
  const followed = new Set<string>();
  for (const block of [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies])
    for (const [name, range] of block) if (isFollowed(name, range, index)) followed.add(name);
  return [...followed];
}

/** Tells whether turborepo resolves a range to a workspace; it does not for `catalog:`, `patch:`, `portal:` and aliases (2.11, tried). */
function isFollowed(name: string, range: string, index: WorkspaceIndex): boolean {
  const workspace = index.byName.get(name);
  if (workspace === undefined) return false;
  return range.startsWith('workspace:') || index.satisfies(workspace.manifest.version ?? '0.0.0', range);
}

/**
 * Returns by workspace the number of files that count as tests, and of those that Node's runner would run, by paths relative to the
 * workspace.
 */
function countFiles(
  tracked: readonly TrackedFile[],
  { graph }: Pick<Snapshot, 'graph'>,
): { readonly counted: ReadonlyMap<string, number>; readonly ofNode: ReadonlyMap<string, number> } {
  const counted = new Map<string, number>();
  const ofNode = new Map<string, number>();
  for (const { path } of tracked) {
    const member = graph.members[owningMember(graph, path) ?? -1];
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
