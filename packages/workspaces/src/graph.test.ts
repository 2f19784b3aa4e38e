import { describe, expect, test } from '@jest/globals';
import { parseRepoPath } from '@tributary/model/paths';
import fc from 'fast-check';
import type { Workspace } from './discover.js';
import { type EdgeFilter, findDependents, ownerOf, type WorkspaceGraph } from './graph.js';
import { formatEdges, graphOf, parseGraph } from './testing/parse-graph.js';

function named(graph: WorkspaceGraph, ...names: string[]): readonly Workspace[] {
  return graph.workspaces.filter(({ name }) => names.includes(name));
}

function dependentsOf(text: string, seed: string, follows?: EdgeFilter): string {
  const graph = parseGraph(text);
  return [...findDependents(graph, named(graph, ...seed.split(' ')), follows).keys()].map(({ name }) => name).join(' ');
}

describe('the edges', () => {
  test('stand with their field, in the order of the fields and of the manifest', () => {
    const text = 'app -> lib, app -dev-> tool, app -peer-> core, app -optional-> extra, lib -> core';
    expect(formatEdges(parseGraph(text)).join(', ')).toBe(
      'app -> lib, app -dev-> tool, app -peer-> core, app -optional-> extra, lib -> core',
    );
  });

  test('say what is optional; an optional dependency takes the place of a regular one', () => {
    const graph = graphOf({
      'packages/lib': { name: 'lib', version: '1.0.0' },
      'packages/core': { name: 'core', version: '1.0.0' },
      'packages/app': {
        name: 'app',
        dependencies: { lib: '*' },
        optionalDependencies: { lib: '1' },
        peerDependencies: { lib: 'nonsense:', core: '1' },
        peerDependenciesMeta: { core: { optional: true } },
      },
    });
    const edges = [...graph.dependencies.values()].flat().map(({ field, to, range, optional }) => [field, to.name, range, optional]);
    expect(edges).toEqual([
      ['peer', 'lib', '*', false],
      ['peer', 'core', '1', true],
      ['optional', 'lib', '1', true],
    ]);
  });
});

describe('the dependents', () => {
  const cases: readonly (readonly [graph: string, seed: string, dependents: string])[] = [
    ['app -> lib, lib -> core', 'core', 'lib app'],
    ['app -> lib, lib -> core', 'app', ''],
    ['a -> x, b -> x, c -> b, d -> a, d -> b', 'x', 'a b d c'],
    ['a -> b, b -> c, c -> a', 'a', 'c b'],
    ['a -> a, b -> a', 'a', 'b'],
    ['app -> lib, other -> tool', 'lib tool', 'app other'],
    ['app -> lib', 'app lib', ''],
    ['lone', 'lone', ''],
  ];
  test.each(cases)('in "%s" of %s: %s', (graph, seed, dependents) => {
    expect(dependentsOf(graph, seed)).toBe(dependents);
  });

  test('can be asked for along some edges only', () => {
    const graph = 'app -dev-> lib, site -> lib, top -> app';
    expect(dependentsOf(graph, 'lib')).toBe('app site top');
    expect(dependentsOf(graph, 'lib', (edge) => edge.field !== 'dev')).toBe('site');
  });

  test('come with the edge that led to each, so that a chain of reasons can be told', () => {
    const graph = parseGraph('app -> lib, lib -> core, app -> other, other -> core');
    const reached = findDependents(graph, named(graph, 'core'));
    expect([...reached.values()].map(({ from, to }) => `${from.name} for ${to.name}`)).toEqual([
      'lib for core',
      'other for core',
      'app for lib',
    ]);
  });

  test('never become fewer when a seed is added, and order does not matter', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const name = fc.constantFrom(...names);
    const edge = fc.tuple(name, name).map(([from, to]) => `${from} -> ${to}`);
    fc.assert(
      fc.property(fc.array(edge, { minLength: 1, maxLength: 14 }), fc.subarray(names), name, (edges, seeds, more) => {
        const all = (text: readonly string[], from: readonly string[]): Set<string> => {
          const graph = parseGraph(text.join(', '));
          const start = named(graph, ...from);
          return new Set([...start, ...findDependents(graph, start).keys()].map((workspace) => workspace.name));
        };
        const few = all(edges, seeds);
        const many = all(edges, [...seeds, more]);
        expect([...few].filter((one) => !many.has(one))).toEqual([]);
        expect(all(edges.toReversed(), seeds.toReversed())).toEqual(few);
      }),
    );
  });
});

describe('a file belongs to', () => {
  const graph = graphOf({ 'packages/a': { name: 'a' }, 'packages/a/inner': { name: 'inner' }, 'packages/a-notes': { name: 'notes' } });
  const cases: readonly (readonly [file: string, owner: string])[] = [
    ['packages/a/src/x.ts', 'a'],
    ['packages/a', 'a'],
    ['packages/a/inner/package.json', 'inner'],
    ['packages/a/inners/x', 'a'],
    ['packages/a-notes/x', 'notes'],
    ['packages/ab/x', 'root'],
    ['yarn.lock', 'root'],
    ['packages', 'root'],
  ];
  test.each(cases)('%s: %s', (file, owner) => {
    expect(ownerOf(graph, parseRepoPath(file))?.name).toBe(owner);
  });
});
