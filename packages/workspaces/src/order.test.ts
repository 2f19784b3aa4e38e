import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { orderWorkspaces } from './order.js';
import { parseGraph } from './testing/parse-graph.js';

function orderOf(text: string): { order: string; cycles: readonly string[] } {
  const { order, cycles } = orderWorkspaces(parseGraph(text));
  const names = (group: readonly { readonly name: string }[]): string => group.map(({ name }) => name).join(' ');
  return { order: names(order.filter(({ path }) => path !== '')), cycles: cycles.map(names) };
}

describe('the order', () => {
  const cases: readonly (readonly [graph: string, order: string, cycles: readonly string[]])[] = [
    ['app -> lib, lib -> core', 'core lib app', []],
    ['c, b, a', 'a b c', []],
    ['a -> c, b -> c', 'c a b', []],
    ['a -> b, b -> a, c -> a, b -> d', 'd a b c', ['a b']],
    ['a -> b, b -> c, c -> a, d -> e, e -> d, a -> d', 'd e a b c', ['d e', 'a b c']],
    ['a -> a, b -> a', 'a b', []],
    ['a -> b, b -> c, c -> b, c -> a, a -> d, d -> c', 'a b c d', ['a b c d']],
    ['', '', []],
  ];
  test.each(cases)('of "%s": %s, cycles %j', (graph, order, cycles) => {
    expect(orderOf(graph)).toEqual({ order, cycles });
  });

  test('can leave edges out', () => {
    const graph = parseGraph('a -dev-> b, b -> a');
    expect(orderWorkspaces(graph).cycles).toHaveLength(1);
    expect(orderWorkspaces(graph, (edge) => edge.field !== 'dev').cycles).toEqual([]);
  });

  test('is deep enough for a chain of ten thousand', () => {
    const graph = parseGraph(Array.from({ length: 10_000 }, (_, index) => `p${index} -> p${index + 1}`).join(', '));
    expect(orderWorkspaces(graph).order.at(0)?.name).toBe('root');
    expect(orderWorkspaces(graph).order.at(1)?.name).toBe('p10000');
  });

  test('has everybody once and, cycles apart, every dependency first', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
    const edge = fc.tuple(name, name).map(([from, to]) => `${from} -> ${to}`);
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 15 }), (edges) => {
        const graph = parseGraph(edges.join(', '));
        const { order, cycles } = orderWorkspaces(graph);
        expect(order.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(graph.members);
        const together = (a: unknown, b: unknown): boolean =>
          a === b || cycles.some((cycle) => [a, b].every((one) => cycle.some((member) => member === one)));
        const places = new Map<unknown, number>(order.map((one, place) => [one, place]));
        const late = graph.edges
          .map(({ from, to }) => [graph.members[from], graph.members[to]] as const)
          .filter(([from, to]) => (places.get(to) ?? -1) > (places.get(from) ?? -1) && !together(from, to));
        expect(late).toEqual([]);
      }),
    );
  });
});
