import { describe, expect, test } from '@jest/globals';
import { buildGraph, type DependencyEdge, type Member, owningMember } from './dependency-graph.js';

const members = ['', 'a', 'a/in', 'a/in/deep', 'a-b', 'b'].map((path) => ({ name: `w:${path}`, path }) as unknown as Member);

describe('a file belongs to the deepest member that holds it', () => {
  test.each([
    ['x', ''],
    ['a/x', 'a'],
    ['a/in', 'a/in'],
    ['a/in/x', 'a/in'],
    ['a/in/deep/x/y/z', 'a/in/deep'],
    ['a/inner/x', 'a'],
    ['a-b/x', 'a-b'],
    ['a-bc/x', ''],
    ['ab/x', ''],
    ['c/a/x', ''],
    ['A/x', ''],
    ['b/x\ny', 'b'],
    ['', ''],
  ])('%j to "%s"', (file, owner) => {
    const graph = buildGraph(members, []);
    expect(graph.members[owningMember(graph, file) ?? -1]?.path).toBe(owner);
  });

  test('and without a root to nobody', () => {
    const graph = buildGraph(members.slice(1), []);
    expect(owningMember(graph, 'x')).toBe(undefined);
    expect(owningMember(graph, 'a/x')).toBe(0);
  });
});

test('edges lead to their dependents in the order they are given; several stay, those to itself do not', () => {
  const edges: readonly DependencyEdge[] = [
    { from: 2, to: 1, field: 'dev' },
    { from: 1, to: 1, field: 'any' },
    { from: 2, to: 1, field: 'peer' },
    { from: 0, to: 1, field: 'any', through: ['x@npm:1'] },
    { from: 1, to: 5, field: 'any' },
  ];
  const { dependents } = buildGraph(members, edges);
  expect(dependents).toEqual([[], [edges[0], edges[2], edges[3]], [], [], [], [edges[4]]]);
});
