import { expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { findCaseTwins } from './case.js';
import { memberGraph } from './project.fixture.js';

const graph = memberGraph('app, lib');

const cases: readonly (readonly [paths: string, twins: readonly string[]])[] = [
  ['a b/c', []],
  ['README readme', ['note README readme']],
  ['b/X b/x a/Y a/y a/z', ['note a/Y a/y', 'note b/X b/x']],
  ['x/Foo/a x/foo/b x/foo/c', ['note x/Foo x/foo']],
  ['x/Foo/a x/foo/A', ['note x/Foo x/foo']],
  ['packages/app/a packages/App/b', ['hole packages/App packages/app']],
  ['caf\u00e9 cafe\u0301', ['note cafe\u0301 caf\u00e9']],
  ['A a', ['note A a']],
  ['aB/x Ab/x AB/x', ['note AB Ab aB']],
  ['', []],
];

test.each(cases)('among "%s"', (paths, twins) => {
  const found = findCaseTwins(paths.split(' ') as RepoPath[], graph);
  expect(found.map((twin) => [twin.severity, ...twin.paths].join(' '))).toEqual(twins);
});
