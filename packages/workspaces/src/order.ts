import type { Workspace } from './discover.js';
import type { EdgeFilter, WorkspaceGraph } from './graph.js';

/** An order in which every workspace stands behind what it depends on, as far as cycles allow. */
interface TopologicalOrder {
  /** Every workspace once. The members of a cycle stand together, ordered by path. The same graph gives the same order. */
  readonly order: readonly Workspace[];
  /** Groups of two or more that depend on each other, in the same order. A workspace that asks for itself is none. */
  readonly cycles: readonly (readonly Workspace[])[];
}

/** Orders the workspaces, dependencies first. Source: Tarjan's strongly connected components, without recursion. */
export function orderWorkspaces(graph: WorkspaceGraph, follows: EdgeFilter = () => true): TopologicalOrder {
  const search = new Search((workspace) => (graph.dependencies.get(workspace) ?? []).filter(follows).map(({ to }) => to));
  for (const workspace of graph.workspaces) search.visitFrom(workspace);
  return { order: search.groups.flat(), cycles: search.groups.filter((group) => group.length > 1) };
}

interface Visit {
  readonly workspace: Workspace;
  /** How many were visited before. */
  readonly number: number;
  readonly dependencies: Iterator<Workspace>;
  /** The smallest number that can be reached from here through members of an unfinished group. */
  lowest: number;
  finished: boolean;
}

class Search {
  /** What a group depends on stands before it. */
  readonly groups: (readonly Workspace[])[] = [];
  private readonly dependenciesOf: (workspace: Workspace) => readonly Workspace[];
  private readonly visits = new Map<Workspace, Visit>();
  private readonly unfinished: Visit[] = [];

  constructor(dependenciesOf: (workspace: Workspace) => readonly Workspace[]) {
    this.dependenciesOf = dependenciesOf;
  }

  visitFrom(start: Workspace): void {
    const path = this.visits.has(start) ? [] : [this.enter(start)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const step = visit.dependencies.next();
      const known = step.done === true ? undefined : this.visits.get(step.value);
      if (step.done !== true && known === undefined) path.push(this.enter(step.value));
      if (known !== undefined && !known.finished) visit.lowest = Math.min(visit.lowest, known.number);
      if (step.done !== true) continue;
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) parent.lowest = Math.min(parent.lowest, visit.lowest);
      if (visit.lowest === visit.number) this.finishGroup(visit);
    }
  }

  private enter(workspace: Workspace): Visit {
    const number = this.visits.size;
    const visit = { workspace, number, dependencies: this.dependenciesOf(workspace)[Symbol.iterator](), lowest: number, finished: false };
    this.visits.set(workspace, visit);
    this.unfinished.push(visit);
    return visit;
  }

  /** All that were entered since the first of the group and are not finished belong to it. */
  private finishGroup(first: Visit): void {
    const members = this.unfinished.splice(this.unfinished.lastIndexOf(first));
    for (const member of members) member.finished = true;
    this.groups.push(members.map(({ workspace }) => workspace).sort((a, b) => (a.path < b.path ? -1 : 1)));
  }
}
