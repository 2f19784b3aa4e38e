import { describe, expect, test } from '@jest/globals';
import { buildGraph, type DependencyEdge, type DependencyGraph, type Member } from '@tributary/workspaces/dependency-graph';
import { devPairsOf, withDevEdges } from './dev-pairs.js';

/** Builds a graph from `'app -dev-> lib, app -> tool'`. */
function graphOf(text: string, through?: readonly string[]): DependencyGraph {
  const parts = text.split(', ').map((part) => part.split(' '));
  const names = [...new Set(parts.flatMap(([from = '', , to = '']) => [from, to]))].sort();
  const fields: Readonly<Record<string, DependencyEdge['field']>> = {
    '->': 'any',
    '-dependency->': 'dependency',
    '-dev->': 'dev',
    '-peer->': 'peer',
    '-optional->': 'optional',
  };
  return buildGraph(
    names.map((name) => ({ name, path: name }) as Member),
    parts.map(([from = '', arrow = '', to = '']): DependencyEdge => {
      const edge = { from: names.indexOf(from), to: names.indexOf(to), field: fields[arrow] ?? 'any' };
      return through === undefined ? edge : { ...edge, through };
    }),
  );
}

function fieldsOf({ members, dependents }: DependencyGraph): readonly string[] {
  return dependents
    .flat()
    .map(({ from, to, field }) => `${members[from]?.name} ${members[to]?.name} ${field}`)
    .sort();
}

const never = (): boolean => false;

describe('a pair is one of dev dependencies', () => {
  test.each<[graph: string, pairs: readonly string[]]>([
    ['app -dev-> lib', ['app lib']],
    ['app -dependency-> lib', []],
    ['app -dev-> lib, app -dependency-> lib', []],
    ['app -dependency-> lib, app -dev-> lib', []],
    ['app -dev-> lib, app -peer-> lib', []],
    ['app -optional-> lib, app -dev-> lib', []],
    ['app -dev-> lib, lib -dependency-> app', ['app lib']],
    ['app -dev-> lib, app -dev-> lib', ['app lib']],
    ['app -dev-> lib, ui -dev-> lib, app -any-> ui', ['app lib', 'ui lib']],
  ])('only if it is nothing else: %s', (graph, pairs) => {
    expect([...devPairsOf(graphOf(graph), never)].map((pair) => pair.replace('\0', ' ')).sort()).toEqual(pairs);
  });

  test('not where the dependent is built with the dependency', () => {
    const graph = graphOf('app -dev-> lib, ui -dev-> lib');
    const pairs = devPairsOf(graph, ({ from }) => graph.members[from]?.name === 'app');
    expect([...pairs]).toEqual(['ui\0lib']);
  });
});

describe('in another graph', () => {
  const pairs = new Set(['app\0lib']);
  test('the edges of the pairs become dev edges, and no others stay it', () => {
    expect(fieldsOf(withDevEdges(graphOf('app -> lib, ui -> lib, lib -> app, ui -dev-> app'), pairs))).toEqual([
      'app lib dev',
      'lib app any',
      'ui app any',
      'ui lib any',
    ]);
  });

  test('an edge that is of no pair keeps its field', () => {
    expect(fieldsOf(withDevEdges(graphOf('app -peer-> lib'), new Set()))).toEqual(['app lib peer']);
  });

  test('a way through packages outside is none of dev dependencies', () => {
    expect(fieldsOf(withDevEdges(graphOf('app -> lib', ['host@npm:1.0.0']), pairs))).toEqual(['app lib any']);
  });

  test('members and folders stay', () => {
    const graph = graphOf('app -> lib');
    const changed = withDevEdges(graph, pairs);
    expect([changed.members, changed.byPath]).toEqual([graph.members, graph.byPath]);
    expect(withDevEdges(graph, new Set()).dependents).toEqual(graph.dependents);
  });
});
