import { describe, expect, test } from '@jest/globals';
import type { DependencyEdge } from './dependency-graph.js';
import { readManifestGraph } from './manifest-graph.js';
import type { GraphSettings } from './ranges.js';
import { formatEdges, graphOf, parseGraph, workspacesOf } from './testing/parse-graph.js';

// lockfile-conformance.long.test.ts tests that Yarn's lockfile gives the same graph.

const ARROWS: Readonly<Record<DependencyEdge['field'], string>> = {
  any: '-any->',
  dependency: '->',
  dev: '-dev->',
  peer: '-peer->',
  optional: '-optional->',
  read: '-read->',
};

/** Returns the edges of `app` and of the root; `lib` and `@acme/core` are workspaces of version 1.2.3. */
function edgesOf(app: object, root: object = {}, settings: GraphSettings = {}): readonly string[] {
  const folders = ['packages/app', 'packages/lib', 'packages/core'];
  const workspaces = workspacesOf({
    '': { name: 'root', workspaces: folders, ...root },
    'packages/app': { name: 'app', ...app },
    'packages/lib': { name: 'lib', version: '1.2.3' },
    'packages/core': { name: '@acme/core', version: '1.2.3' },
  });
  const { members, dependents } = readManifestGraph(workspaces, settings);
  return dependents
    .flat()
    .map(({ from, to, field }) => `${members[from]?.name} ${ARROWS[field]} ${members[to]?.name}`)
    .sort();
}

describe('the edges', () => {
  test('stand with their field, in the order of the fields and of the manifest', () => {
    const text = 'app -> lib, app -dev-> tool, app -peer-> core, app -optional-> extra, lib -> core';
    expect(formatEdges(parseGraph(text)).join(', ')).toBe(
      'app -> lib, app -dev-> tool, app -peer-> core, app -optional-> extra, lib -> core',
    );
  });

  test('say what is optional; an optional dependency takes the place of a regular one', () => {
    const { members, edges } = graphOf({
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
    expect(edges.map(({ field, to, request }) => [field, members[to]?.name, request?.range, request?.optional])).toEqual([
      ['peer', 'lib', '*', false],
      ['peer', 'core', '1', true],
      ['optional', 'lib', '1', true],
    ]);
  });
});

describe('who asks for whom, and in which block', () => {
  test.each<[title: string, app: object, edges: readonly string[]]>([
    ['nobody', {}, []],
    [
      'each block is an edge of its own',
      { dependencies: { lib: '*' }, devDependencies: { lib: '*' }, peerDependencies: { lib: '*' } },
      ['app -> lib', 'app -dev-> lib', 'app -peer-> lib'],
    ],
    ['an optional dependency', { optionalDependencies: { lib: 'workspace:^' } }, ['app -optional-> lib']],
    ['by a range that the workspace does not satisfy: nobody', { dependencies: { lib: '^2.0.0' } }, []],
    [
      'as a peer it is asked for whatever the range',
      { peerDependencies: { lib: '^2.0.0', '@acme/core': 'workspace:^2.0.0', react: '*' } },
      ['app -peer-> @acme/core', 'app -peer-> lib'],
    ],
    ['a peer of the range is one edge', { peerDependencies: { lib: '^1.0.0' } }, ['app -peer-> lib']],
    ['itself: nobody', { version: '1.0.0', dependencies: { app: 'workspace:^' }, peerDependencies: { app: '*' } }, []],
    ['by an alias', { dependencies: { x: 'npm:lib@^1.0.0' } }, ['app -> lib']],
    [
      'by a path',
      { devDependencies: { x: 'portal:../lib' }, dependencies: { y: 'link:../core/src' } },
      ['app -> @acme/core', 'app -dev-> lib'],
    ],
    [
      'a package with the name of nothing inherited',
      { dependencies: { constructor: '*', toString: '*' }, peerDependencies: { valueOf: '*' } },
      [],
    ],
  ])('%s', (_, app, edges) => {
    expect(edgesOf(app)).toEqual(edges);
  });
});

describe('resolutions of the root lead', () => {
  const app = {
    dependencies: { left: '^1.0.0' },
    devDependencies: { '@other/left': '1' },
    optionalDependencies: { right: '*' },
    peerDependencies: { up: '*' },
  };
  test.each<[pattern: string, range: string, edges: readonly string[]]>([
    ['left', 'workspace:packages/lib', ['app -> lib']],
    ['@other/left', 'workspace:packages/core', ['app -dev-> @acme/core']],
    ['right', 'portal:./packages/lib', ['app -optional-> lib']],
    ['up', 'workspace:packages/lib', ['app -peer-> lib']],
    ['app/left', 'workspace:packages/lib', ['app -> lib']],
    ['left@^1.0.0', 'workspace:packages/lib', ['app -> lib']],
    ['left@npm:^1.0.0', 'link:./packages/lib', ['app -> lib']],
    ['**/left', 'workspace:packages/lib', ['app -> lib']],
    ['left', 'npm:lib@^1.0.0', ['app -> lib']],
    ['left', '2.0.0', []],
    ['left', 'portal:../left', []],
    ['nobody', 'workspace:packages/lib', []],
  ])('%s to %s', (pattern, range, edges) => {
    expect(edgesOf(app, { resolutions: { [pattern]: range } })).toEqual(edges);
  });

  test('not those of a workspace', () => {
    expect(edgesOf({ ...app, resolutions: { left: 'workspace:packages/lib' } })).toEqual([]);
  });
});

describe('settings', () => {
  const app = { dependencies: { lib: '^1.0.0', '@acme/core': 'workspace:^' }, peerDependencies: { lib: '^1.0.0' } };
  test('without transparent workspaces a plain range is one of the registry, and a peer still goes by its name', () => {
    expect(edgesOf(app)).toEqual(['app -> @acme/core', 'app -> lib', 'app -peer-> lib']);
    expect(edgesOf(app, {}, { transparentWorkspaces: 'off' })).toEqual(['app -> @acme/core', 'app -peer-> lib']);
  });

  test('a catalog says what is meant; one that was not read means the workspace of that name', () => {
    const dependencies = { lib: 'catalog:', '@acme/core': 'catalog:old' };
    const catalogs = new Map([
      ['', new Map([['lib', '^1.0.0']])],
      ['old', new Map([['@acme/core', '^0.1.0']])],
    ]);
    expect(edgesOf({ dependencies }, {}, { catalogs })).toEqual(['app -> lib']);
    expect(edgesOf({ dependencies: { lib: 'catalog:' } }, {}, { catalogs: new Map() })).toEqual([]);
    expect(edgesOf({ dependencies: { lib: 'catalog:' } })).toEqual(['app -> lib']);
  });
});

test('members stand in the order of their paths, the root first', () => {
  const { members, byPath } = readManifestGraph(workspacesOf({ b: { name: 'a' }, a: { name: 'b' }, 'a/in': {} }));
  expect(members.map(({ path }) => path)).toEqual(['', 'a', 'a/in', 'b']);
  expect([...byPath].map(([path, member]) => members[member]?.path === path)).not.toContain(false);
});
