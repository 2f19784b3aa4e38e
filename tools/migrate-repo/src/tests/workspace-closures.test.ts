import { expect, test } from '@jest/globals';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { buildGraph } from '@tributary/workspaces/dependency-graph';
import { workspaceClosures } from './workspace-closures.js';

const NAMES = ['root', 'app', 'lib', 'core', 'other'];
const members = NAMES.map((name) => ({ name: name as WorkspaceName, path: (name === 'root' ? '' : `packages/${name}`) as RepoFolder }));
const edge = (from: string, to: string) => ({ from: NAMES.indexOf(from), to: NAMES.indexOf(to), field: 'any' as const });

test('what a workspace depends on comes before it, through others and without what it does not need', () => {
  const closures = workspaceClosures(
    buildGraph(members, [edge('app', 'lib'), edge('lib', 'core'), edge('root', 'other'), edge('app', 'root')]),
  );
  expect(closures.of('app')).toEqual(['packages/other', 'packages/core', 'packages/lib', 'packages/app']);
  expect(closures.of('core')).toEqual(['packages/core']);
});

test('a cycle ends, with the workspace itself last', () => {
  const closures = workspaceClosures(buildGraph(members, [edge('app', 'lib'), edge('lib', 'app')]));
  expect(closures.of('lib')).toEqual(['packages/app', 'packages/lib']);
});
