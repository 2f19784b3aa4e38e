import type { TaskOwner } from './has-task.js';
import type { Unrunnable } from './runnable.js';
import { dependenciesOf, type TurboTasks } from './turbo-tasks.js';

/** The facts about a workspace for planning. */
export interface PlannedWorkspace extends TaskOwner {
  /** Its dependencies, dev dependencies and optional dependencies among workspaces, which turborepo follows. */
  readonly dependencies: readonly string[];
  /** All workspaces that it uses, whether turborepo follows them or not; also peers, paths and aliases. */
  readonly needs: readonly string[];
  /** Whether a rule or `affected.always` can select it, whatever changed. */
  readonly isRuled: boolean;
  /** Whether its package.json sets a coverage threshold for jest, which no part of its tests meets. */
  readonly hasJestThreshold?: boolean;
  /** Why no shard could ever run it; missing if one can. */
  readonly unrunnable?: Unrunnable | undefined;
}

/** A task of a workspace, in turborepo's notation: `@acme/ui#build`. */
export type TaskId = string;

export function taskId(workspace: string, task: string): TaskId {
  return `${workspace}#${task}`;
}

/** A workspace in the graph of needs. */
interface Node {
  readonly workspace: PlannedWorkspace | undefined;
  /** Cached after the first request. */
  needs: readonly Node[] | undefined;
  /** The last search that visited it. */
  search: number;
}

/** A task of turborepo, with or without a script in its workspace. */
export interface UpstreamTask {
  readonly id: TaskId;
  /** `undefined` for a task without a workspace. */
  readonly workspace: PlannedWorkspace | undefined;
}

/** A task with its links; turborepo follows it even without a script. */
interface Task extends UpstreamTask {
  /** `undefined` for a task without a workspace. */
  readonly node: Node | undefined;
  readonly hasScript: boolean;
  /** The tasks that it depends on, cached after the first request. */
  next: readonly Task[] | undefined;
  /** The last search that visited it. */
  search: number;
}

/** Finds the upstream of a task: the tasks that turborepo would run before it on a cold cache. */
export class Upstream {
  private readonly turbo: TurboTasks;
  private readonly workspaces: ReadonlyMap<string, PlannedWorkspace>;
  private readonly tasks = new Map<TaskId, Task>();
  private readonly nodes = new Map<string, Node>();
  private searches = 0;
  private last: { readonly start: TaskId; readonly found: readonly Task[] } = { start: '', found: [] };

  constructor(turbo: TurboTasks, workspaces: readonly PlannedWorkspace[]) {
    this.turbo = turbo;
    this.workspaces = new Map(
      workspaces.flatMap((workspace) => [workspace.name, nameForTurbo(workspace)].map((name) => [name, workspace])),
    );
  }

  /** Returns all tasks with a script that run before a task, without itself, in the order of the search. */
  of(workspace: string, task: string): readonly TaskId[] {
    return this.before(workspace, task)
      .filter(({ hasScript }) => hasScript)
      .map(({ id }) => id);
  }

  /** Returns those of some tasks that run before a task with none of the others in between. Each once. */
  nearestOf(id: TaskId, some: ReadonlySet<TaskId>): readonly TaskId[] {
    this.searches++;
    const seen = [this.task(id)];
    const nearest: TaskId[] = [];
    for (const one of seen) {
      for (const other of this.directly(one)) {
        if (other.search === this.searches || other.id === id) continue;
        other.search = this.searches;
        if (some.has(other.id)) nearest.push(other.id);
        else seen.push(other);
      }
    }
    return nearest;
  }

  /** Returns a task and its upstream; each task is always the same object. */
  tasksOf(workspace: string, task: string): readonly UpstreamTask[] {
    return [this.task(this.idOf(workspace, task)), ...this.before(workspace, task)];
  }

  /** Tells whether the hash of a task covers the files of another workspace, through its upstream tasks, which need no script for that. */
  sees(workspace: string, task: string, other: string): boolean {
    return this.before(workspace, task).some((one) => one.workspace?.name === other);
  }

  /**
   * Returns a workspace that another one uses, directly or indirectly, but whose files are not in the hash of its task; `undefined` if
   * there is none.
   */
  missedBy(workspace: string, task: string): string | undefined {
    const upstream = this.before(workspace, task);
    this.searches++;
    const own = this.node(workspace);
    own.search = this.searches;
    for (const { node } of upstream) if (node !== undefined) node.search = this.searches;
    return this.missing(own) ?? this.firstMissing(upstream);
  }

  private firstMissing(tasks: readonly Task[]): string | undefined {
    for (const { node } of tasks) {
      const missed = node === undefined ? undefined : this.missing(node);
      if (missed !== undefined) return missed;
    }
    return undefined;
  }

  /** Returns the first need of a workspace that the last search did not visit. */
  private missing(node: Node): string | undefined {
    node.needs ??= (node.workspace?.needs ?? []).map((name) => this.node(name));
    const at = node.needs.findIndex(({ search }) => search !== this.searches);
    return at === -1 ? undefined : node.workspace?.needs[at];
  }

  private idOf(workspace: string, task: string): TaskId {
    const known = this.workspaces.get(workspace);
    return taskId(known === undefined ? workspace : nameForTurbo(known), task);
  }

  private before(workspace: string, task: string): readonly Task[] {
    const start = this.idOf(workspace, task);
    if (this.last.start !== start) this.last = { start, found: this.search(this.task(start)) };
    return this.last.found;
  }

  /** Searches the upstream. Thousands of workspaces may have thousands of upstream tasks each, so each step does as little as possible. */
  private search(start: Task): readonly Task[] {
    this.searches++;
    start.search = this.searches;
    const found = [start];
    for (const one of found) {
      for (const other of this.directly(one)) {
        if (other.search === this.searches) continue;
        other.search = this.searches;
        found.push(other);
      }
    }
    return found.slice(1);
  }

  private directly(task: Task): readonly Task[] {
    task.next ??= this.idsBefore(task).map((id) => this.task(id));
    return task.next;
  }

  private idsBefore({ id, workspace }: Task): readonly TaskId[] {
    const { name, task } = splitTaskId(id);
    return dependenciesOf(this.turbo, name, task).flatMap((entry): readonly TaskId[] => {
      if (entry.startsWith('^')) return (workspace?.dependencies ?? []).map((dependency) => taskId(dependency, entry.slice(1)));
      // A variable, in the syntax of turborepo 1.
      if (entry.startsWith('$')) return [];
      return [entry.includes('#') ? entry : taskId(name, entry)];
    });
  }

  private node(name: string): Node {
    const known = this.nodes.get(name);
    if (known !== undefined) return known;
    const made: Node = { workspace: this.workspaces.get(name), needs: undefined, search: 0 };
    this.nodes.set(name, made);
    return made;
  }

  private task(id: TaskId): Task {
    const known = this.tasks.get(id);
    if (known !== undefined) return known;
    const { name, task } = splitTaskId(id);
    const workspace = this.workspaces.get(name);
    const node = workspace === undefined ? undefined : this.node(workspace.name);
    const made: Task = { id, workspace, node, hasScript: (workspace?.scripts.get(task) ?? '') !== '', next: undefined, search: 0 };
    this.tasks.set(id, made);
    return made;
  }
}

/** turborepo names the root `//`. */
function nameForTurbo({ name, path }: PlannedWorkspace): string {
  return path === '' ? '//' : name;
}

export function splitTaskId(id: TaskId): { readonly name: string; readonly task: string } {
  const at = id.lastIndexOf('#');
  return { name: id.slice(0, at), task: id.slice(at + 1) };
}
