import { expect, test } from '@jest/globals';
import { readLockMembers } from './members.js';
import { withResolutions } from './resolved-members.js';

/** `app` requests `lib@^1.0.0`. A registry entry has that descriptor for a tool; the workspace `lib` is another package. */
const LOCK = `__metadata:
  version: 8

"app@workspace:packages/app":
  version: 0.0.0-use.local
  resolution: "app@workspace:packages/app"
  dependencies:
    lib: "npm:^1.0.0"
  languageName: unknown
  linkType: soft

"lib@npm:^1.0.0":
  version: 1.0.0
  resolution: "lib@npm:1.0.0"
  languageName: node
  linkType: hard

"lib@workspace:packages/lib":
  version: 0.0.0-use.local
  resolution: "lib@workspace:packages/lib"
  languageName: unknown
  linkType: soft

"other@workspace:packages/other":
  version: 0.0.0-use.local
  resolution: "other@workspace:packages/other"
  dependencies:
    lib: "npm:^1.0.0"
  languageName: unknown
  linkType: soft

"root@workspace:.":
  version: 0.0.0-use.local
  resolution: "root@workspace:."
  languageName: unknown
  linkType: soft
`;

function edges(resolutions: Readonly<Record<string, string>>): readonly string[] {
  const lock = readLockMembers(LOCK);
  if (lock.kind !== 'berry') throw new Error(lock.kind);
  const graph = withResolutions(lock, new Map(Object.entries(resolutions)));
  return graph.edges.map(({ from, to }) => `${graph.members[from]?.name} -> ${graph.members[to]?.name}`);
}

test.each<[resolutions: Readonly<Record<string, string>>, edges: readonly string[]]>([
  [{}, []],
  [{ 'app/lib': 'workspace:packages/lib' }, ['app -> lib']],
  [{ lib: 'workspace:packages/lib' }, ['app -> lib', 'other -> lib']],
  [{ lib: 'workspace:^' }, ['app -> lib', 'other -> lib']],
  [{ 'lib@npm:^1.0.0': 'portal:./packages/lib' }, ['app -> lib', 'other -> lib']],
  [{ 'lib@npm:^2.0.0': 'workspace:packages/lib' }, []],
  [{ 'app@npm:0.9.0/lib': 'workspace:packages/lib' }, []],
  [{ 'app/lib': 'npm:^1.0.0', lib: 'workspace:packages/lib' }, ['other -> lib']],
  [{ lib: '1.0.0' }, []],
])('with %j: %j', (resolutions, expected) => {
  expect(edges(resolutions)).toEqual(expected);
});
