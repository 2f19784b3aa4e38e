import type { TaskKind } from '@tributary/workspaces/task-kinds';
import type { CiEngine } from '../engines/engine.js';
import { type CountedJobs, differenceOf } from './difference.js';
import { engineOf, isCiFile, isGitHubSetting, isWorkflow, typeOf } from './file-types.js';
import { everyJob, Follower, jobsIn, type Reached, usersOf } from './follow.js';
import { textOf } from './named-files.js';
import type { Asking, CiTree } from './tree.js';
import { readAction, readPipeline, readWorkflow, type Workflow } from './workflow.js';
import type { Readable } from './yaml-value.js';

/** What runs: nothing of CI, or a pipeline. `engine` is `undefined` if its file belongs to no known engine. */
export type RunningCi = 'nothing' | { readonly engine: CiEngine | undefined; readonly begins: string | undefined };

/** What a commit says about a CI file. */
export interface CiFileRead {
  /** Why the file counts: a clause that begins with "it"; `undefined` if it selects nothing, or does not exist. */
  readonly why: string | undefined;
  /** `missing`: there is no such file. `text`: every letter counts. */
  readonly content: Workflow | 'missing' | 'text';
  readonly jobs: CountedJobs;
}

/** Returns why a changed file selects everything: a clause that begins with "it"; `undefined` if nothing that counts differs. */
export function whyChangeCounts(base: CiFileRead, head: CiFileRead): string | undefined {
  const why = [head, base].find(({ content }) => content === 'text')?.why ?? head.why ?? base.why;
  if (why === undefined || base.content === 'missing' || base.content === 'text' || head.content === 'text') return why;
  if (head.content === 'missing') return base.content.jobs.size > 0 ? undefined : why;
  const jobs = new Map([...base.jobs, ...head.jobs].map(([job]) => [job, base.jobs.get(job) === true || head.jobs.get(job) === true]));
  const key = differenceOf(base.content, head.content, jobs);
  return key === undefined ? undefined : `${why}; "${key}" differs`;
}

const NO_FILE: CiFileRead = { why: undefined, content: 'missing', jobs: new Map() };

/** Tells for a commit which CI files count, and why. */
export class CiReading {
  /** Whether anything that runs was found. */
  readonly isFound: boolean;
  private readonly tree: CiTree;
  private readonly follower: Follower;
  private readonly reached: Reached;
  private called: Reached | undefined;
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
    return new CiReading(tree, follower, yield* follower.reachCounted([...starts.keys()]), starts);
  }

  /** Reads what a file is here, and whether it counts. */
  *read(path: string): Asking<CiFileRead> {
    if (!this.tree.files.has(path)) return NO_FILE;
    const [text] = yield [path];
    const read = this.tree.files.get(path) === 'link' || text === undefined ? undefined : readCiFile(path, text);
    const reached = this.whyReached(path);
    const why = reached ?? (yield* this.whyUncertain(path));
    if (why === undefined) return { ...NO_FILE, content: read !== undefined && 'value' in read ? read.value : 'text' };
    if (read === undefined || this.reached.by.has(textOf(path))) return { why, content: 'text', jobs: new Map() };
    if ('problem' in read) return { why: `it cannot be read (${read.problem})`, content: 'text', jobs: new Map() };
    return { why, content: read.value, jobs: reached === undefined ? everyJob(read.value) : jobsIn(this.reached, path) };
  }

  /** Returns why a change of a file that is no CI file counts: a job that counts calls it, or what it calls. */
  *whyCalled(path: string): Asking<string | undefined> {
    const called = yield* this.findCalled();
    return called.by.has(path) ? `it is used by ${usersOf(called, path).join(', which is used by ')}` : undefined;
  }

  /** Returns the scripts that jobs that count may run, as `package.json#build`; `undefined` if these may run others. */
  *scriptsRun(): Asking<ReadonlySet<string> | undefined> {
    const { by, problem, foreignWorkflow } = yield* this.findCalled();
    return problem === undefined && foreignWorkflow === undefined ? new Set(by.keys()) : undefined;
  }

  private *findCalled(): Asking<Reached> {
    this.called ??= yield* this.follower.reachDirectly([...this.starts.keys()]);
    return this.called;
  }

  /** Returns by CI file what of it counts, as text; `undefined`: all of it. */
  *countedTexts(): Asking<ReadonlyMap<string, string | undefined>> {
    const texts = new Map<string, string | undefined>();
    for (const path of [...this.tree.files.keys()].filter(isCiFile)) {
      const { why, content, jobs } = yield* this.read(path);
      if (why === undefined) texts.set(path, '');
      else if (typeof content === 'string') texts.set(path, undefined);
      else texts.set(path, JSON.stringify([content.shared, ...[...jobs.keys()].map((job) => content.jobs.get(job)?.content)]));
    }
    return texts;
  }

  private whyReached(path: string): string | undefined {
    if (!this.reached.by.has(path) && !this.reached.by.has(textOf(path))) return undefined;
    return this.starts.get(path) ?? `it is used by ${usersOf(this.reached, path).join(', which is used by ')}`;
  }

  private *whyUncertain(path: string): Asking<string | undefined> {
    const { problem, foreignWorkflow, foreignAction } = this.reached;
    const own = (yield* this.follower.reach([path])).problem;
    if (own?.id === path) return `it cannot be read (${own.why})`;
    if (problem !== undefined) return `it may be used by ${problem.id}, which cannot be read (${problem.why})`;
    if (foreignWorkflow !== undefined && !isWorkflow(path))
      return `it may be used by a workflow of another repository, which ${foreignWorkflow} uses`;
    if (foreignAction !== undefined && isGitHubSetting(path))
      return `it may be read by an action of another repository, which ${foreignAction} uses`;
    return undefined;
  }
}

/** Returns what a file says; `undefined` if every letter counts. */
function readCiFile(path: string, text: string): Readable<Workflow> | undefined {
  if (isWorkflow(path)) return readWorkflow(text);
  if (typeOf(path) === 'workflow') return readAction(text);
  const isPipeline = /\.ya?ml$/.test(path) && engineOf(path) !== undefined && !path.startsWith('.github/');
  return isPipeline ? readPipeline(text) : undefined;
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
    if (!isWorkflow(path)) continue;
    const [reached] = (yield* follower.jobsWithTask(path)).values();
    if (reached !== undefined) runners.set(path, whyRuns(path, reached, TASKS[kind]));
  }
  return runners;
}

/**
 * Returns the workflows that may run after the running one, or because it triggers them, if they can run a task: its plan may be for them.
 */
function* findFollowUps(follower: Follower, paths: readonly string[], kind: TaskKind): Asking<ReadonlyMap<string, string>> {
  const workflows = paths.filter(isWorkflow);
  const triggered: string[] = [];
  for (const path of workflows) {
    const events = yield* follower.eventsOf(path);
    if (events === undefined || events.includes('workflow_run') || events.includes('repository_dispatch')) triggered.push(path);
  }
  const runners = yield* findRunners(follower, triggered, kind);
  return new Map([...runners].map(([path, why]) => [path, `it may run after the workflow that runs: ${why}`]));
}

function whyRuns(path: string, { starts, problem }: Reached, tasks: string): string {
  if (starts !== undefined) return `it can run ${tasks} ("${starts.word}"${starts.id === path ? '' : ` in ${starts.id}`})`;
  if (problem !== undefined)
    return problem.id === path ? `it cannot be read (${problem.why})` : `it uses ${problem.id}, which cannot be read (${problem.why})`;
  return `it can run ${tasks} (a workflow of another repository)`;
}
