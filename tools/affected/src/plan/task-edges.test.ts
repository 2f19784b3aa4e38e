import { expect, test } from '@jest/globals';
import { taskEdges } from './task-edges.js';

const NAMES = ['a', '@s/b', 'c'];

test.each<[title: string, tasks: object, edges: Readonly<Record<string, readonly string[]>>]>([
  ['of one workspace', { 'a#test': { dependsOn: ['@s/b#gen', '^build', 'build'] } }, { a: ['@s/b'] }],
  ['of all workspaces', { test: { dependsOn: ['c#gen'] } }, { a: ['c'], '@s/b': ['c'], c: [] }],
  ['several', { 'a#test': { dependsOn: ['c#x'] }, 'a#build': { dependsOn: ['@s/b#x', 'a#gen'] } }, { a: ['c', '@s/b'] }],
  ['of the root', { 'a#test': { dependsOn: ['//#gen'] } }, { a: ['//'] }],
  ['none', { test: { dependsOn: ['^build', '$X'] }, lint: {} }, {}],
])('edges by tasks: %s', (_, tasks, edges) => {
  const text = JSON.stringify({ tasks });
  const found = Object.entries(taskEdges(text, NAMES)).map(([reader, { workspaces }]) => [reader, Object.keys(workspaces)]);
  expect(Object.fromEntries(found)).toEqual(edges);
});

test.each(['', '{', '{}', '[]'])('there are none in %j', (text) => expect(taskEdges(text, NAMES)).toEqual({}));
