import { expect, test } from '@jest/globals';
import { indexLock } from '@tributary/lockfile/lock-index';
import { type LockEntryParts, lockText, parseLock } from '@tributary/lockfile/testing/lock-text';
import { buildLockGraph } from './graph.js';
import { linksThroughPackages } from './links.js';

function linksIn(described: string): readonly string[] {
  return linksOf(parseLock(described));
}

function linksOf(text: string): readonly string[] {
  const index = indexLock(text);
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

test('a package that lies at a path leads to a workspace by a path of its own', () => {
  const tool = 'tool@portal:../../vendor/tool::locator=app%40workspace%3Apackages%2Fapp';
  const lib = `lib@portal:../../packages/lib::locator=${encodeURIComponent(tool)}`;
  const text = lockText([
    { ...workspace('app'), dependencies: { tool: 'portal:../../vendor/tool' } },
    { descriptors: [lib], resolution: lib },
    workspace('lib'),
    { descriptors: [tool], resolution: tool, dependencies: { lib: 'portal:../../packages/lib' } },
  ]);
  expect(linksOf(text)).toEqual([`packages/app -> packages/lib by ${tool}`]);
});

function workspace(name: string): Pick<LockEntryParts, 'descriptors' | 'resolution'> {
  const locator = `${name}@workspace:packages/${name}`;
  return { descriptors: [locator], resolution: locator };
}
