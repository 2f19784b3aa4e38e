import { expect, test } from '@jest/globals';
import { buildGraph, type DependencyEdge, type Member } from '@tributary/workspaces/dependency-graph';
import { manifestsOf } from './manifests.js';

const NAMES = ['root', 'app', 'ui', 'core', 'other'];
const at = (name: string): number => NAMES.indexOf(name);
const GRAPH = buildGraph(
  NAMES.map((name) => ({ name, path: name === 'root' ? '' : name }) as Member),
  [
    ['app', 'ui'],
    ['ui', 'core'],
    ['other', 'app'],
  ].map(([from = '', to = '']): DependencyEdge => ({ from: at(from), to: at(to), field: 'dev' })),
);

test.each<[string, readonly string[], readonly string[]]>([
  ['a workspace alone', ['core'], ['core']],
  ['its dependencies, also through others', ['app'], ['app', 'ui', 'core']],
  ['one whose task was seen', ['core', 'other'], ['app', 'ui', 'core', 'other']],
  ['no root, which is compared for all', ['root'], []],
])('inputs are the manifests of %s', (_, workspaces, expected) => {
  expect(manifestsOf(workspaces, GRAPH)).toEqual(expected.map((name) => `${name}/package.json`));
});
