import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { buildGraph, type DependencyGraph } from '@tributary/workspaces/dependency-graph';

/** FOR TESTS. Builds a graph from `a -> b, b -dev-> c`, by name. Folders are `packages/<name>`, and there is a root. */
function memberGraph(text: string): DependencyGraph {
  const parts = text.split(',').map((part) => part.trim().split(/\s+/));
  const names = [...new Set(parts.flatMap(([from = '', , to = from]) => [from, to]))].filter((name) => name !== '').sort();
  const fields = { '->': 'dependency', '-dev->': 'dev', '-peer->': 'peer', '-any->': 'any' } as const;
  const members = ['', ...names].map((name) => ({
    name: (name === '' ? 'root' : name) as WorkspaceName,
    path: (name === '' ? '' : `packages/${name}`) as RepoFolder,
  }));
  const memberOf = (name: string): number => members.findIndex((member) => member.name === name);
  const edges = parts.flatMap(([from = '', arrow, to = '']) =>
    arrow === undefined ? [] : [{ from: memberOf(from), to: memberOf(to), field: fields[arrow as keyof typeof fields] }],
  );
  return buildGraph(members, edges);
}
