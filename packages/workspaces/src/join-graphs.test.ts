import { describe, expect, test } from '@jest/globals';
import { buildGraph, type DependencyEdge, type DependencyGraph, type Member, owningMember } from './dependency-graph.js';
import { type ChangedGraph, joinGraphs, unchangedGraph } from './join-graphs.js';

/** Returns a graph of members, folder -> name, in this order, with edges as `'app -> lib'` or `'app -dev-> lib'`. */
function graphOf(folders: Readonly<Record<string, string>>, ...edges: readonly string[]): DependencyGraph {
  const members = Object.entries(folders).map(([path, name]) => ({ name, path }) as Member);
  const memberOf = (name: string): number => members.findIndex((member) => member.name === name);
  return buildGraph(
    members,
    edges.map((edge): DependencyEdge => {
      const [from = '', arrow, to = ''] = edge.split(' ');
      return { from: memberOf(from), to: memberOf(to), field: arrow === '-dev->' ? 'dev' : 'any' };
    }),
  );
}

function outline({ graph, headCount, added, memberOfBase }: ChangedGraph): unknown {
  const nameOf = (member: number): string => graph.members[member]?.name ?? '';
  return {
    head: graph.members.slice(0, headCount).map(({ name }) => name),
    gone: graph.members.slice(headCount).map(({ name }) => name),
    added: added.map(nameOf),
    base: memberOfBase.map(nameOf),
    edges: graph.dependents
      .flat()
      .map(({ from, to, field }) => `${nameOf(from)} ${field === 'dev' ? '-dev->' : '->'} ${nameOf(to)}`)
      .sort(),
  };
}

const root = { '': 'root' };

describe('two graphs are joined:', () => {
  test.each<[title: string, base: DependencyGraph, head: DependencyGraph, joined: object]>([
    [
      'an edge of either counts, one of both once',
      graphOf({ ...root, a: 'a', b: 'b', c: 'c' }, 'a -> b', 'a -> c'),
      graphOf({ ...root, a: 'a', b: 'b', c: 'c' }, 'a -> b', 'b -> c'),
      { head: ['root', 'a', 'b', 'c'], gone: [], added: [], base: ['root', 'a', 'b', 'c'], edges: ['a -> b', 'a -> c', 'b -> c'] },
    ],
    [
      'edges of two fields stay two',
      graphOf({ ...root, a: 'a', b: 'b' }, 'a -> b'),
      graphOf({ ...root, a: 'a', b: 'b' }, 'a -dev-> b'),
      { head: ['root', 'a', 'b'], gone: [], added: [], base: ['root', 'a', 'b'], edges: ['a -> b', 'a -dev-> b'] },
    ],
    [
      'members that only the base has stand behind those of the head, with their edges',
      graphOf({ ...root, a: 'a', b: 'b', c: 'c' }, 'c -> a', 'a -> b'),
      graphOf({ ...root, c: 'c' }),
      { head: ['root', 'c'], gone: ['a', 'b'], added: [], base: ['root', 'a', 'b', 'c'], edges: ['a -> b', 'c -> a'] },
    ],
    [
      'members that only the head has are added',
      graphOf(root),
      graphOf({ ...root, a: 'a' }, 'root -> a'),
      { head: ['root', 'a'], gone: [], added: ['a'], base: ['root'], edges: ['root -> a'] },
    ],
    [
      'a member that moved to another folder is the same one',
      graphOf({ ...root, a: 'a', b: 'b' }, 'b -> a'),
      graphOf({ ...root, b: 'b', x: 'a' }),
      { head: ['root', 'b', 'a'], gone: [], added: [], base: ['root', 'a', 'b'], edges: ['b -> a'] },
    ],
    [
      'a member that was renamed in its folder is the same one',
      graphOf({ ...root, a: 'old', b: 'b' }, 'b -> old'),
      graphOf({ ...root, a: 'new', b: 'b' }),
      { head: ['root', 'new', 'b'], gone: [], added: [], base: ['root', 'new', 'b'], edges: ['b -> new'] },
    ],
    [
      'two that swapped their names go by the name',
      graphOf({ ...root, a: 'x', b: 'y', c: 'c' }, 'c -> x'),
      graphOf({ ...root, a: 'y', b: 'x', c: 'c' }),
      { head: ['root', 'y', 'x', 'c'], gone: [], added: [], base: ['root', 'x', 'y', 'c'], edges: ['c -> x'] },
    ],
    [
      'a folder taken over by a member that was there before is no rename',
      graphOf({ ...root, a: 'old', b: 'b', c: 'c' }, 'c -> old'),
      graphOf({ ...root, a: 'b', c: 'c' }),
      { head: ['root', 'b', 'c'], gone: ['old'], added: [], base: ['root', 'old', 'b', 'c'], edges: ['c -> old'] },
    ],
    [
      'a renamed root is the same one',
      graphOf({ '': 'root', a: 'a' }, 'root -> a'),
      graphOf({ '': 'fresh', a: 'a' }),
      { head: ['fresh', 'a'], gone: [], added: [], base: ['fresh', 'a'], edges: ['fresh -> a'] },
    ],
  ])('%s', (_, base, head, joined) => {
    expect(outline(joinGraphs(base, head))).toEqual(joined);
  });
});

test('a folder belongs to the member that the head has there, never to one that is gone', () => {
  const joined = joinGraphs(graphOf({ ...root, a: 'old', 'a/in': 'inner' }), graphOf({ ...root, a: 'new' }));
  const ownerOf = (file: string): string | undefined => joined.graph.members[owningMember(joined.graph, file) ?? -1]?.name;
  expect([ownerOf('a/x'), ownerOf('a/in/x'), ownerOf('b/x')]).toEqual(['new', 'new', 'root']);
});

test('the way through packages outside stays with an edge', () => {
  const graph = graphOf({ ...root, a: 'a', b: 'b' });
  const edge: DependencyEdge = { from: 1, to: 2, field: 'any', through: ['host@npm:1.0.0'] };
  expect(joinGraphs(buildGraph(graph.members, [edge]), graph).graph.dependents[2]).toEqual([edge]);
});

test('a graph that did not change is itself', () => {
  const graph = graphOf({ ...root, a: 'a' }, 'root -> a');
  const joined = unchangedGraph(graph);
  expect(joined.graph).toBe(graph);
  expect(outline(joined)).toEqual(outline(joinGraphs(graph, graph)));
});
