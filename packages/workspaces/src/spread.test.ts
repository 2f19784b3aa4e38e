import { describe, expect, test } from '@jest/globals';
import { buildGraph, type DependencyEdge, type DependencyGraph, type Member } from './dependency-graph.js';
import { pathsFrom, type SpreadSeed, spreadFrom } from './spread.js';

/** Returns the graph of `'app -> lib, lib -dev-> tool'`; members in the order of their first mention. */
function graphOf(text: string): DependencyGraph {
  const parts = text.split(', ').map((part) => part.split(' '));
  const names = [...new Set(parts.flatMap(([from = '', , to]) => [from, ...(to === undefined ? [] : [to])]))];
  const edges = parts.flatMap(([from = '', arrow, to]): DependencyEdge[] =>
    to === undefined ? [] : [{ from: names.indexOf(from), to: names.indexOf(to), field: arrow === '-dev->' ? 'dev' : 'any' }],
  );
  return buildGraph(
    names.map((name) => ({ name, path: name }) as Member),
    edges,
  );
}

/** `tool!` is affected, but not its dependents. */
function spread(text: string, seeds: string): string {
  const graph = graphOf(text);
  const memberOf = (name: string): number => graph.members.findIndex((member) => member.name === name);
  const wanted = seeds
    .split(' ')
    .map((seed): SpreadSeed => ({ member: memberOf(seed.replace('!', '')), reach: seed.endsWith('!') ? 'itself' : 'dependents' }));
  const paths = pathsFrom(graph, spreadFrom(graph, wanted));
  paths.forEach((path, member) => {
    const ends = path && [path.names[0], path.names.at(-1)];
    expect(ends).toEqual(path && [graph.members[member]?.name, graph.members[path.seed]?.name]);
  });
  return paths
    .flatMap((path) => path?.names.join('>') ?? [])
    .sort()
    .join(' ');
}

describe('from a seed all are reached that depend on it, each on a shortest path', () => {
  test.each<[graph: string, seeds: string, paths: string]>([
    ['a', 'a', ''],
    ['a -> b', 'a', ''],
    ['a -> b', 'b', 'a>b'],
    ['a -> b', 'b!', ''],
    ['a -> b', 'b! b', 'a>b'],
    ['a -> b', 'a b', ''],
    ['a -> b', 'a! b', 'a>b'],
    ['a -> b, b -> c, a -> c', 'c', 'a>c b>c'],
    ['a -> b, b -> c, c -> a', 'a', 'b>c>a c>a'],
    ['a -> b, b -> c, d -> c', 'b c', 'a>b d>c'],
    ['a -> b, b -dev-> c', 'c', 'a>b>c b>c'],
    ['a -dev-> b, b -> c', 'c', 'a>b>c b>c'],
    ['a -dev-> b, b -dev-> c', 'c', 'a>b>c b>c'],
    ['a -> b, b -dev-> c, b -> c', 'c', 'a>b>c b>c'],
    ['z -> a, a -dev-> c, a -> b, b -> c', 'c', 'a>c b>c z>a>c'],
    ['a -dev-> b, b -dev-> a', 'a b', ''],
  ])('%s, from %s', (graph, seeds, paths) => {
    expect(spread(graph, seeds)).toBe(paths);
  });
});

describe('what only tests reach passes on to readers alone', () => {
  /** `t -> a`: through tests; `r -> t`: by a path; `d -> t`: declared; `s -> t`: by the path of a source. */
  const graph = buildGraph(
    ['a', 't', 'r', 'd', 'e', 's'].map((name) => ({ name, path: name }) as Member),
    [
      { from: 1, to: 0, field: 'read', proof: 'x', via: 'tests' },
      { from: 2, to: 1, field: 'read', proof: 'x' },
      { from: 3, to: 1, field: 'any' },
      { from: 4, to: 2, field: 'any' },
      { from: 5, to: 1, field: 'read', proof: 'x', via: 'source' },
    ],
  );
  test.each<[seeds: readonly SpreadSeed[], reached: readonly number[]]>([
    [[{ member: 0, reach: 'dependents' }], [1, 2, 4]],
    [[{ member: 0, reach: 'readers' }], []],
    [[{ member: 1, reach: 'readers' }], [2, 4, 5]],
    [[{ member: 1, reach: 'tests' }], [2, 4]],
    [
      [
        { member: 1, reach: 'dependents' },
        { member: 0, reach: 'dependents' },
      ],
      [2, 3, 4, 5],
    ],
  ])('from %j', (seeds, reached) => {
    const found = spreadFrom(graph, seeds).map(({ from }) => from);
    expect(found.toSorted()).toEqual(reached);
  });
});

test('nothing is reached from nowhere', () => {
  expect(spreadFrom(graphOf('a -> b'), [])).toEqual([]);
});

test('a chain of thousands of members is no trouble', () => {
  const count = 5_000;
  const members = Array.from({ length: count }, (_, at) => ({ name: `w${at}`, path: `w${at}` }) as unknown as Member);
  const edges = members.slice(1).map((_, at): DependencyEdge => ({ from: at + 1, to: at, field: 'any' }));
  const graph = buildGraph(members, edges);
  const paths = pathsFrom(graph, spreadFrom(graph, [{ member: 0, reach: 'dependents' }]));
  expect([paths[0], paths.at(-1)?.names.length]).toEqual([undefined, count]);
});
