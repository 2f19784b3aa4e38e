import { describe, expect, test } from '@jest/globals';
import type { DependencyGraph } from './dependency-graph.js';
import { type GraphSettings, WorkspaceIndex } from './ranges.js';
import { graphOf } from './testing/parse-graph.js';

// Every fact about Yarn's resolver here comes from the lockfile that Yarn 4.18.1 writes for such workspaces.

const others = {
  'packages/lib': { name: 'lib', version: '1.2.3' },
  'packages/lib/inner': { name: 'inner', version: '3.0.0' },
  'packages/bare': { name: 'bare' },
};

function graphFor(dependencies: Readonly<Record<string, string>>, settings?: GraphSettings): DependencyGraph {
  return graphOf({ ...others, 'packages/app': { name: 'app', dependencies } }, settings);
}

function describeEdges({ members, edges }: DependencyGraph): readonly string[] {
  return edges.map(({ to, request }) =>
    [members[to]?.name, 'by', request?.kind, ...(request?.folder === undefined ? [] : [request.folder || '.'])].join(' '),
  );
}

describe('a range leads to a workspace', () => {
  const cases: readonly (readonly [name: string, range: string, leads: readonly string[]])[] = [
    ['lib', 'workspace:^', ['lib by workspace']],
    ['other', 'workspace:packages/lib', ['lib by workspace']],
    ['lib', '^1.0.0', ['lib by semver']],
    ['lib', 'npm:1.x', ['lib by semver']],
    ['lib', '^2.0.0', []],
    ['bare', '*', []],
    ['alias', 'npm:lib@^1.0.0', ['lib by alias']],
    ['alias', 'npm:lib@^2.0.0', []],
    ['alias', 'npm:react@^1.0.0', []],
    ['p', 'portal:../lib', ['lib by portal packages/lib']],
    ['l', 'link:../lib/src', ['lib by link packages/lib/src']],
    ['l', 'link:../lib/inner/src', ['inner by link packages/lib/inner/src']],
    ['l', 'link:../../vendored', ['root by link vendored']],
    ['l', 'link:../../../outside', []],
    ['l', 'link:/absolute', []],
    ['l', 'link:./own', []],
    ['f', 'file:../lib', ['lib by file packages/lib']],
    ['f', 'file:../lib/x.tgz::locator=app', ['lib by file packages/lib/x.tgz']],
    ['f', '../lib', ['lib by file packages/lib']],
    ['e', 'exec:../lib/generate.js', ['lib by exec packages/lib/generate.js']],
    ['lib', 'patch:lib@workspace%3A^#./x.patch', ['lib by patch']],
    ['lib', 'patch:lib@npm%3A^1.0.0#~/.yarn/patches/x.patch', ['lib by patch']],
    ['lib', 'patch:lib@npm%3A^2.0.0#./x.patch', []],
    ['lib', 'patch:lib@100%#./x.patch', []],
    ['lib', 'catalog:', ['lib by catalog']],
    ['lib', 'https://example.org/lib.tgz', []],
    ['lib', 'acme/lib', []],
  ];
  test.each(cases)('%s %s: %j', (name, range, leads) => {
    expect(describeEdges(graphFor({ [name]: range }))).toEqual(leads);
  });

  test('of a catalog, if its entry does', () => {
    const catalogs = new Map([
      ['', new Map([['lib', '^1.0.0']])],
      ['old', new Map([['lib', '^0.9.0']])],
    ]);
    expect(describeEdges(graphFor({ lib: 'catalog:' }, { catalogs }))).toEqual(['lib by catalog']);
    expect(describeEdges(graphFor({ lib: 'catalog:old', bare: 'catalog:' }, { catalogs }))).toEqual([]);
  });

  test('only by protocol where transparent workspaces are off', () => {
    const graph = graphFor({ lib: '^1.0.0', bare: 'workspace:*', a: 'npm:lib@1', p: 'portal:../lib' }, { transparentWorkspaces: 'off' });
    expect(describeEdges(graph)).toEqual(['bare by workspace', 'lib by portal packages/lib']);
  });
});

test('a version that is none satisfies no range, whatever was asked before', () => {
  const index = new WorkspaceIndex([]);
  expect([index.satisfies('1.0.0', '>=1 <2'), index.satisfies('1.0.0 >=1', '<2')]).toEqual([true, false]);
});
