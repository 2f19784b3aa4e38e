import { expect, test } from '@jest/globals';
import { indexLock } from '@tributary/lockfile/lock-index';
import { type LockEntryParts, lockText } from '@tributary/lockfile/testing/lock-text';
import type { RepoPath } from '@tributary/model/paths';
import { buildLockGraph } from './graph.js';
import { patchFiles, workspacesByPatch } from './patches.js';

const workspace = (name: string, dependencies: Readonly<Record<string, string>> = {}): LockEntryParts => ({
  descriptors: [`${name}@workspace:packages/${name}`],
  resolution: `${name}@workspace:packages/${name}`,
  dependencies,
});
const patched = (range: string, name = 'lib'): LockEntryParts => ({
  descriptors: [`${name}@${range}`],
  resolution: `${name}@${range}&hash=aa`,
});
const npm = (name: string, dependencies: Readonly<Record<string, string>> = {}): LockEntryParts => ({
  descriptors: [`${name}@npm:^1`],
  resolution: `${name}@npm:1.0.0`,
  dependencies,
});

function graphOf(entries: readonly LockEntryParts[], resolutions: Readonly<Record<string, string>> = {}) {
  const index = indexLock(lockText(entries));
  if (index.kind !== 'berry') throw new Error('unreadable');
  return buildLockGraph(index, { resolutions: new Map(Object.entries(resolutions)), extensions: [], catalogs: new Map() });
}

const atRoot = 'patch:lib@npm%3A^1#~/.yarn/patches/lib.patch';
const beside = 'patch:lib@npm%3A^1#./fix/lib.patch';
const file = (path: string) => path as RepoPath;

test.each([
  [atRoot, ['.yarn/patches/lib.patch']],
  [`${beside}::locator=app%40workspace%3Apackages%2Fapp`, ['packages/app/fix/lib.patch']],
  [`${beside}::locator=root%40workspace%3A.`, ['fix/lib.patch']],
  ['patch:lib@npm:^1#../one.patch&optional!~/two.patch::locator=app%40workspace%3Apackages%2Fapp', ['packages/one.patch', 'two.patch']],
  ['patch:lib@npm%3A^1#optional!builtin<compat/lib>', []],
  ['patch:lib@^1#~builtin<compat/lib>', []],
])('%s names %j', (range, expected) => {
  expect([...patchFiles(graphOf([patched(range)])).keys()]).toEqual(expected);
});

test('a patch concerns the workspaces that reach what it is applied to', () => {
  const graph = graphOf([
    workspace('b', { lib: atRoot }),
    workspace('a', { mid: 'npm:^1' }),
    workspace('c'),
    npm('mid', { lib: atRoot }),
    npm('lib'),
    patched(atRoot),
  ]);
  expect(workspacesByPatch(graph, file('.yarn/patches/lib.patch'))).toEqual(['packages/a', 'packages/b']);
  expect(workspacesByPatch(graph, file('.yarn/patches/old.patch'))).toBe('not used');
});

test('a patch that a resolution names concerns those that ask for the package', () => {
  const bound = `${beside}::locator=root%40workspace%3A.`;
  const root = { descriptors: ['root@workspace:.'], resolution: 'root@workspace:.' };
  const graph = graphOf([root, workspace('a', { lib: 'npm:^1' }), workspace('b'), npm('lib'), patched(bound)], { 'lib@^1': beside });
  expect(workspacesByPatch(graph, file('fix/lib.patch'))).toEqual(['packages/a']);
});

test('a patch that no visible path leads to concerns all', () => {
  const graph = graphOf([workspace('a'), workspace('b'), patched(atRoot), npm('lib')]);
  expect(workspacesByPatch(graph, file('.yarn/patches/lib.patch'))).toEqual(['packages/a', 'packages/b']);
});
