import { dependenciesOf, type TurboTasks } from './turbo-tasks.js';

/** What is known of a workspace for planning. */
export interface PlannedWorkspace {
  readonly name: string;
  /** From the root of the project; `` for the root. */
  readonly path: string;
  readonly scripts: ReadonlyMap<string, string>;
  /** The workspaces that it names as dependencies, dev or optional dependencies: those that turborepo follows. */
  readonly dependencies: readonly string[];
}

/** A task of a workspace, as turborepo calls it: `@acme/ui#build`. */
export type TaskId = string;

export function taskId(workspace: string, task: string): TaskId {
  return `${workspace}#${task}`;
}

/** Finds what must run before a task: its upstream, as turborepo would run it on a cold cache. */
export class Upstream {
  private readonly tasks: TurboTasks;
  private readonly workspaces: ReadonlyMap<string, PlannedWorkspace>;
  private readonly next = new Map<TaskId, readonly TaskId[]>();

  constructor(tasks: TurboTasks, workspaces: readonly PlannedWorkspace[]) {
    this.tasks = tasks;
    this.workspaces = new Map(
      workspaces.flatMap((workspace) => [workspace.name, nameForTurbo(workspace)].map((name) => [name, workspace])),
    );
  }

  /** All tasks with a script that run before one, it not included. In the order in which they are found. */
  of(workspace: string, task: string): readonly TaskId[] {
    return this.before(workspace, task).filter((one) => this.hasScript(one));
  }

  /** The workspaces whose files are in the hash of a task by way of the tasks before it, which need no script for that. */
  seenBy(workspace: string, task: string): ReadonlySet<string> {
    return new Set(this.before(workspace, task).flatMap((id) => this.workspaces.get(split(id).name)?.name ?? []));
  }

  private before(workspace: string, task: string): readonly TaskId[] {
    const known = this.workspaces.get(workspace);
    const start = taskId(known === undefined ? workspace : nameForTurbo(known), task);
    const found = new Set([start]);
    for (const one of found) for (const other of this.directly(one)) found.add(other);
    return [...found].filter((one) => one !== start);
  }

  private directly(id: TaskId): readonly TaskId[] {
    const known = this.next.get(id);
    if (known !== undefined) return known;
    const { name, task } = split(id);
    const below = this.workspaces.get(name)?.dependencies ?? [];
    const ids = dependenciesOf(this.tasks, name, task).flatMap((entry): readonly TaskId[] => {
      if (entry.startsWith('^')) return below.map((dependency) => taskId(dependency, entry.slice(1)));
      if (entry.startsWith('$')) return [];
      return [entry.includes('#') ? entry : taskId(name, entry)];
    });
    this.next.set(id, ids);
    return ids;
  }

  private hasScript(id: TaskId): boolean {
    const { name, task } = split(id);
    return (this.workspaces.get(name)?.scripts.get(task) ?? '') !== '';
  }
}

/** turborepo calls the root `//`. */
function nameForTurbo({ name, path }: PlannedWorkspace): string {
  return path === '' ? '//' : name;
}

function split(id: TaskId): { readonly name: string; readonly task: string } {
  const at = id.lastIndexOf('#');
  return { name: id.slice(0, at), task: id.slice(at + 1) };
}
