import type { DependencyEdge, DependencyGraph, Member } from './dependency-graph.js';

/** An order in which every workspace follows its dependencies, except in cycles. */
interface TopologicalOrder<M> {
  /** Every workspace once. The members of a cycle are adjacent, ordered by path. The order is deterministic. */
  readonly order: readonly M[];
  /** Groups of two or more workspaces that depend on each other, in the same order. A workspace that depends on itself is not a group. */
  readonly cycles: readonly (readonly M[])[];
}

/** Returns the workspaces ordered, dependencies first. Source: Tarjan's strongly connected components, without recursion. */
export function orderWorkspaces<M extends Member>(
  { members, edges }: DependencyGraph<M>,
  follows: (edge: DependencyEdge) => boolean = () => true,
): TopologicalOrder<M> {
  const dependencies = new Map(members.map((workspace): [M, M[]] => [workspace, []]));
  for (const edge of edges) {
    const [from, to] = [members[edge.from], members[edge.to]];
    if (from !== undefined && to !== undefined && follows(edge)) dependencies.get(from)?.push(to);
  }
  const search = new Search<M>((workspace) => dependencies.get(workspace) ?? []);
  for (const workspace of members) search.visitFrom(workspace);
  return { order: search.groups.flat(), cycles: search.groups.filter((group) => group.length > 1) };
}

interface Visit<M> {
  readonly workspace: M;
  /** The number of workspaces visited before. */
  readonly number: number;
  readonly dependencies: Iterator<M>;
  /** The smallest number reachable from here through members of an unfinished group. */
  lowest: number;
  finished: boolean;
}

class Search<M extends Member> {
  /** Each group follows its dependencies. */
  readonly groups: (readonly M[])[] = [];
  private readonly dependenciesOf: (workspace: M) => readonly M[];
  private readonly visits = new Map<M, Visit<M>>();
  private readonly unfinished: Visit<M>[] = [];

  constructor(dependenciesOf: (workspace: M) => readonly M[]) {
    this.dependenciesOf = dependenciesOf;
  }

  visitFrom(start: M): void {
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

  private enter(workspace: M): Visit<M> {
    const number = this.visits.size;
    const visit = { workspace, number, dependencies: this.dependenciesOf(workspace)[Symbol.iterator](), lowest: number, finished: false };
    this.visits.set(workspace, visit);
    this.unfinished.push(visit);
    return visit;
  }

  /** Finishes a group: all unfinished members that were entered since its first one. */
  private finishGroup(first: Visit<M>): void {
    const members = this.unfinished.splice(this.unfinished.lastIndexOf(first));
    for (const member of members) member.finished = true;
    this.groups.push(members.map(({ workspace }) => workspace).sort((a, b) => (a.path < b.path ? -1 : 1)));
  }
}
