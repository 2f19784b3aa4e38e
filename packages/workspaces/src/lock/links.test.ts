import { expect, test } from '@jest/globals';
import { indexLock } from '@tributary/lockfile/lock-index';
import { parseLock } from '@tributary/lockfile/testing/lock-text';
import { buildLockGraph } from './graph.js';
import { linksThroughPackages } from './links.js';

function linksIn(text: string): readonly string[] {
  const index = indexLock(parseLock(text));
  if (index.kind !== 'berry') throw new Error('unreadable');
  const graph = buildLockGraph(index, { resolutions: new Map(), extensions: [], catalogs: new Map() });
  return linksThroughPackages(graph).map(({ from, to, through }) => `${from || '.'} -> ${to} by ${through.join(' > ')}`);
}

test('a package that asks for a workspace links those that use the package to it, by the shortest way', () => {
  expect(
    linksIn(`
      root: tool ^1
      app: far ^1, near ^1
      lib@^1 = workspace:packages/lib
      far@^1 = 1.0.0: near ^1
      near@^1 = 1.0.0: lib ^1
      tool@^1 = 1.0.0`),
  ).toEqual(['packages/app -> packages/lib by near@npm:1.0.0']);
});

test('the way leads through no workspace, and no workspace to itself', () => {
  expect(
    linksIn(`
      app: mid workspace:^
      mid: near ^1
      lib@workspace:packages/lib ^1 = workspace:packages/lib: near ^1
      near@^1 = 1.0.0: lib ^1`),
  ).toEqual(['packages/mid -> packages/lib by near@npm:1.0.0']);
});

test('there are none where no package asks for a workspace', () => {
  expect(linksIn('app: lib workspace:^, a ^1\nlib: a ^1\na@^1 = 1.0.0')).toEqual([]);
});

test('cycles of packages end', () => {
  expect(linksIn('app: a ^1\na@^1 = 1.0.0: b ^1\nb@^1 = 1.0.0: a ^1, lib ^1\nlib@^1 = workspace:lib')).toEqual([
    'packages/app -> lib by a@npm:1.0.0 > b@npm:1.0.0',
  ]);
});
