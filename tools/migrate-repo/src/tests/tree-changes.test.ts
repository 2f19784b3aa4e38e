import { expect, test } from '@jest/globals';
import { compareTrees, edgeKey, type InstalledEdge, type InstalledTree } from './tree-changes.js';

/** Builds a tree from lines: `app>lib: 1.0.0`, `>lib: 1.0.0 workspace`, or `jsdom>canvas:` for a missing package. */
function tree(...lines: string[]): InstalledTree {
  const edges = lines.map((line): [string, InstalledEdge] => {
    const [, parent = '', name = '', rest = ''] = /^(.*)>(.*?):(.*)$/.exec(line) ?? [];
    const words = rest.trim().split(' ').filter(Boolean);
    const versions = new Set(words.filter((word) => word !== 'workspace'));
    const from = parent === '' ? undefined : parent;
    return [edgeKey(from, name), { parent: from, name, versions, isWorkspace: words.includes('workspace') }];
  });
  return new Map(edges);
}

test('versions that changed are told, the own ones and workspaces first', () => {
  const before = tree('>lib: 1.0.0', '>time: 3.0.0', '>same: 1.0.0', 'lib>deep: 1.0.0');
  const after = tree('>lib: 1.1.0', '>time: 3.1.0 workspace', '>same: 1.0.0', 'lib>deep: 2.0.0', '>new: 1.0.0');
  expect(compareTrees(before, after).versions).toEqual([
    { parent: null, name: 'time', before: '3.0.0', after: '3.1.0', isWorkspace: true },
    { parent: null, name: 'lib', before: '1.0.0', after: '1.1.0', isWorkspace: false },
    { parent: 'lib', name: 'deep', before: '1.0.0', after: '2.0.0', isWorkspace: false },
  ]);
});

test('a workspace of the same version is a change, and what has several versions is not compared', () => {
  expect(compareTrees(tree('>lib: 1.0.0'), tree('>lib: 1.0.0 workspace')).versions).toHaveLength(1);
  expect(compareTrees(tree('a>lib: 1.0.0 2.0.0'), tree('a>lib: 3.0.0'))).toEqual({ versions: [], modules: [] });
});

test('modules that are found or missing on one side are told', () => {
  expect(compareTrees(tree('jsdom>canvas:', 'a>b: 1.0.0'), tree('jsdom>canvas: 2.0.0', 'a>b:')).modules).toEqual([
    { parent: 'jsdom', name: 'canvas', now: 'found' },
    { parent: 'a', name: 'b', now: 'missing' },
  ]);
});
