import { describe, expect, test } from '@jest/globals';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import type { AffectedAnswer } from '@tributary/workspaces/affected';
import { buildGraph } from '@tributary/workspaces/dependency-graph';
import { type ChangedGraph, unchangedGraph } from '@tributary/workspaces/join-graphs';
import fc from 'fast-check';
import { type Counts, countsOf, figuresOf, quantile } from './replay-figures.js';
import type { ReplayedCommit } from './result.js';

function commit(affected: number, workspaceCount: number): ReplayedCommit {
  return { commit: 'x', workspaceCount, affected, all: null, milliseconds: 1 };
}

test('each policy is counted over the same commits, as parts of the workspaces of each', () => {
  const commits = [commit(10, 10), commit(5, 10), commit(1, 4), commit(0, 4)];
  expect(figuresOf(commits)).toEqual([
    { policy: 'everything', runs: 28, mean: 1, median: 1, p90: 1, all: 4 },
    { policy: 'transitive', runs: 16, mean: 0.4375, median: 0.25, p90: 1, all: 1 },
  ]);
});

test('of no commits there is nothing to divide', () => {
  const nothing = { runs: 0, mean: 0, median: 0, p90: 0, all: 0 };
  expect(figuresOf([])).toEqual([
    { policy: 'everything', ...nothing },
    { policy: 'transitive', ...nothing },
  ]);
});

describe('a quantile is a value that occurred, of the nearest rank', () => {
  test.each<[values: readonly number[], share: number, value: number]>([
    [[], 0.5, 0],
    [[7], 0, 7],
    [[7], 0.5, 7],
    [[7], 1, 7],
    [[1, 2], 0.5, 1],
    [[1, 2, 3], 0.5, 2],
    [[1, 2, 3, 4], 0.5, 2],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9, 9],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 0.9, 10],
    [[1, 2, 3], 1, 3],
    [[1, 2, 3], 0, 1],
  ])('of %j, %d: %d', (values, share, value) => {
    expect(quantile(values, share)).toBe(value);
  });

  test('of which no more than the share are smaller, and no fewer than the share are not larger', () => {
    const values = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 }).map((list) => list.sort((a, b) => a - b));
    fc.assert(
      fc.property(values, fc.constantFrom(0.1, 0.25, 0.5, 0.9), (sorted, share) => {
        const value = quantile(sorted, share);
        expect(sorted.filter((one) => one < value).length).toBeLessThan(sorted.length * share + 1e-9);
        expect(sorted.filter((one) => one <= value).length).toBeGreaterThanOrEqual(sorted.length * share - 1e-9);
      }),
    );
  });
});

test('no policy runs more than everything', () => {
  // A commit without workspaces has nothing to test, and so counts as one that tests everything.
  const pairs = fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 9 })).filter(([affected, workspaceCount]) => affected <= workspaceCount);
  fc.assert(
    fc.property(fc.array(pairs.map((pair) => commit(...pair))), (list) => {
      const [everything, affected] = figuresOf(list);
      for (const key of ['runs', 'mean', 'median', 'p90', 'all'] as const)
        expect(affected?.[key] ?? Infinity).toBeLessThanOrEqual(everything?.[key] ?? 0);
    }),
  );
});

describe('the root is not counted', () => {
  const graph = (paths: readonly string[]): ChangedGraph =>
    unchangedGraph(
      buildGraph(
        paths.map((path) => ({ name: (path === '' ? 'root' : path) as WorkspaceName, path: path as RepoFolder })),
        [],
      ),
    );
  const answer = (selected: readonly string[], memberCount: number): AffectedAnswer => ({
    ...{ all: null, memberCount, unclaimedFiles: [] },
    members: selected.map((path) => ({ name: path as WorkspaceName, path: path as RepoFolder, reasons: [] })),
  });

  test.each<[paths: readonly string[], selected: readonly string[], counts: Counts]>([
    [['', 'a', 'b'], ['', 'a'], { workspaceCount: 2, affected: 1 }],
    [['', 'a', 'b'], [''], { workspaceCount: 2, affected: 0 }],
    [['', 'a', 'b'], ['', 'a', 'b'], { workspaceCount: 2, affected: 2 }],
    [['a', 'b'], ['a'], { workspaceCount: 2, affected: 1 }],
    [[''], [''], { workspaceCount: 0, affected: 0 }],
  ])('of %j, %j', (paths, selected, counts) => {
    expect(countsOf({ answer: answer(selected, paths.length), question: { joined: graph(paths) } })).toEqual(counts);
  });
});
