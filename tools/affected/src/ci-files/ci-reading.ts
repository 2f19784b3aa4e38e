import type { TaskKind } from '@tributary/workspaces/task-kinds';
import type { CiEngine } from '../engines/engine.js';
import { engineOf, isCiFile, isGitHubSetting, isWorkflow } from './file-types.js';
import { Follower, type Reached } from './follow.js';
import type { Asking, CiTree } from './tree.js';

/** What runs: nothing of CI, or a pipeline. `engine` is `undefined` if its file belongs to no known engine. */
export type RunningCi = 'nothing' | { readonly engine: CiEngine | undefined; readonly begins: string | undefined };

/** Tells for a commit which CI files count, and why. */
export class CiReading {
  /** Whether anything that runs was found. */
  readonly isFound: boolean;
  private readonly tree: CiTree;
  private readonly follower: Follower;
  private readonly reached: Reached;
  /** The files with which a run begins, each with the reason why they count. */
  private readonly starts: ReadonlyMap<string, string>;

  private constructor(tree: CiTree, follower: Follower, reached: Reached, starts: ReadonlyMap<string, string>) {
    this.tree = tree;
    this.follower = follower;
    this.reached = reached;
    this.starts = starts;
    this.isFound = starts.size > 0;
  }

  /** Follows the running pipeline through a tree; outside CI, everything that can run a task of the kind. */
  static *create(tree: CiTree, running: RunningCi, kind: TaskKind): Asking<CiReading> {
    const paths = [...tree.files.keys()].filter(isCiFile);
    const follower = new Follower(tree, paths, kind);
    const starts = running === 'nothing' ? yield* findRunners(follower, paths, kind) : findStarts(tree, paths, running);
    if (running !== 'nothing' && starts.size > 0)
      for (const [path, why] of yield* findFollowUps(follower, paths, kind)) if (!starts.has(path)) starts.set(path, why);
    return new CiReading(tree, follower, yield* follower.reach([...starts.keys()]), starts);
  }

  /** Returns a clause that begins with "it"; `undefined` if the file selects nothing, or does not exist. */
  *whyCounted(path: string): Asking<string | undefined> {
    const { by, problem, foreignWorkflow, foreignAction } = this.reached;
    if (by.has(path)) return this.starts.get(path) ?? `it is used by ${this.wayTo(path)}`;
    if (!this.tree.files.has(path)) return undefined;
    const own = (yield* this.follower.reach([path])).problem;
    if (own?.id === path) return `it cannot be read (${own.why})`;
    if (problem !== undefined) return `it may be used by ${problem.id}, which cannot be read (${problem.why})`;
    if (foreignWorkflow !== undefined && !isWorkflow(path))
      return `it may be used by a workflow of another repository, which ${foreignWorkflow} uses`;
    if (foreignAction !== undefined && isGitHubSetting(path))
      return `it may be read by an action of another repository, which ${foreignAction} uses`;
    return undefined;
  }

  private wayTo(path: string): string {
    const chain: string[] = [];
    for (let at = this.reached.by.get(path); at !== undefined; at = this.reached.by.get(at)) chain.push(at);
    return chain.join(', which is used by ');
  }
}

function findStarts(tree: CiTree, paths: readonly string[], { engine, begins }: Exclude<RunningCi, 'nothing'>): Map<string, string> {
  const own = engine === undefined || engine.runsOneFile === true ? [] : paths.filter((path) => engineOf(path) === engine);
  const starts = new Map(own.map((path) => [path, `it belongs to the pipeline that runs (${engine?.name ?? ''})`]));
  if (begins !== undefined && tree.files.has(begins))
    starts.set(begins, `it is the ${isWorkflow(begins) ? 'workflow' : 'pipeline'} that runs`);
  return starts;
}

const TASKS: Readonly<Record<TaskKind, string>> = { test: 'tests', build: 'builds', lint: 'linters', format: 'formatters', other: 'tasks' };

/** Returns the workflows that can run a task, and all files of the engines with a single pipeline. */
function* findRunners(follower: Follower, paths: readonly string[], kind: TaskKind): Asking<Map<string, string>> {
  const runners = new Map<string, string>();
  for (const path of paths) {
    const engine = engineOf(path);
    if (engine !== undefined && engine.runsOneFile !== true) runners.set(path, `it belongs to a pipeline (${engine.name})`);
    const why = isWorkflow(path) ? whyRuns(path, yield* follower.reach([path]), TASKS[kind]) : undefined;
    if (why !== undefined) runners.set(path, why);
  }
  return runners;
}

/**
 * Returns the workflows that may run after the running one, or because it triggers them, if they can run a task: its plan may be for them.
 */
function* findFollowUps(follower: Follower, paths: readonly string[], kind: TaskKind): Asking<ReadonlyMap<string, string>> {
  const workflows = paths.filter(isWorkflow);
  const texts = yield workflows;
  const triggered = workflows.filter((_, at) => /\b(?:workflow_run|repository_dispatch)\b(?!\.)/.test(texts[at] ?? ''));
  const runners = yield* findRunners(follower, triggered, kind);
  return new Map([...runners].map(([path, why]) => [path, `it may run after the workflow that runs: ${why}`]));
}

function whyRuns(path: string, { starts, problem, foreignWorkflow }: Reached, tasks: string): string | undefined {
  if (starts !== undefined) return `it can run ${tasks} ("${starts.word}"${starts.id === path ? '' : ` in ${starts.id}`})`;
  if (problem !== undefined)
    return problem.id === path ? `it cannot be read (${problem.why})` : `it uses ${problem.id}, which cannot be read (${problem.why})`;
  return foreignWorkflow === undefined ? undefined : `it can run ${tasks} (a workflow of another repository)`;
}
