import { describe, expect, test } from '@jest/globals';
import { parseBerry } from '@tributary/lockfile/berry';
import type { LockEntry } from '@tributary/lockfile/lockfile';
import type { RepoFolder } from '@tributary/model/paths';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { discoverWorkspaces } from '@tributary/workspaces/discover';
import type { StaleProblem } from './finding.js';
import { memberGraph } from './project.fixture.js';
import { compareGraphs, compareRanges } from './stale-lock.js';

function format(problem: StaleProblem): string {
  switch (problem.what) {
    case 'workspace-missing':
    case 'workspace-extra':
      return problem.what;
    case 'workspace-moved':
      return `${problem.what} ${problem.lockPath} ${problem.path}`;
    case 'edge-missing':
    case 'edge-extra':
      return `${problem.what} ${problem.to}`;
    case 'range':
      return `${problem.name} ${problem.inLock ?? 'none'} in the lockfile, ${problem.inManifest ?? 'none'} in the manifest`;
  }
}

describe('the graphs', () => {
  const cases: readonly (readonly [lock: string, manifests: string, found: readonly string[]])[] = [
    ['a -any-> b', 'a -dev-> b', []],
    ['a -any-> b', 'a -> b, a -peer-> b', []],
    ['a, b', 'a -> b', ['a: edge-missing b']],
    ['a -> b, b -> a', 'a -> b', ['b: edge-extra a']],
    ['a', 'a -> b', ['b: workspace-missing']],
    ['a -> b', 'a', ['b: workspace-extra']],
  ];
  test.each(cases)('"%s" in the lockfile and "%s" in the manifests', (lock, manifests, found) => {
    const findings = compareGraphs(memberGraph(lock), memberGraph(manifests));
    expect(findings.map(({ workspace, problem }) => `${workspace}: ${format(problem)}`)).toEqual(found);
    expect(findings.every(({ severity }) => severity === 'hole')).toBe(true);
  });

  test('show a workspace that was moved', () => {
    const graph = memberGraph('a -> b');
    const moved: DependencyGraph = {
      ...graph,
      members: graph.members.map((member) => (member.name === 'a' ? { ...member, path: 'libs/a' as RepoFolder } : member)),
    };
    expect(compareGraphs(graph, moved).map(({ problem }) => format(problem))).toEqual(['workspace-moved packages/a libs/a']);
  });
});

describe('the ranges', () => {
  const lock = `__metadata:
  version: 8

"app@workspace:packages/app":
  version: 0.0.0-use.local
  resolution: "app@workspace:packages/app"
  dependencies:
    lib: "workspace:^"
    left-pad: "npm:^1.0.0"
    alias: "npm:other@^2.0.0"
    folder: "file:../folder"
    late: "npm:1.0.0"
  peerDependencies:
    "@types/react": "*"
    react: ">=17"
  languageName: unknown
  linkType: soft
`;
  const manifest = {
    name: 'app',
    dependencies: { lib: 'workspace:^', alias: 'npm:other@^2.0.0', folder: '../folder' },
    devDependencies: { 'left-pad': '^1.0.0' },
    optionalDependencies: { late: '1.0.0' },
    peerDependencies: { react: '>=17' },
  };

  function entries(): readonly LockEntry[] {
    const read = parseBerry(lock);
    if (read.kind !== 'berry') throw new Error('the lockfile of this test must be readable');
    return read.entries;
  }

  const cases: readonly (readonly [what: string, change: object, found: readonly string[]])[] = [
    ['nothing changed', {}, []],
    ['another range', { devDependencies: { 'left-pad': '^1.1.0' } }, ['left-pad npm:^1.0.0 in the lockfile, ^1.1.0 in the manifest']],
    ['one more', { devDependencies: { 'left-pad': '^1.0.0', new: '1' } }, ['new none in the lockfile, 1 in the manifest']],
    ['one less', { optionalDependencies: {} }, ['late npm:1.0.0 in the lockfile, none in the manifest']],
    ['another peer', { peerDependencies: { react: '>=18' } }, ['react >=17 in the lockfile, >=18 in the manifest']],
    ['moved between blocks', { devDependencies: { 'left-pad': '^1.0.0', late: '1.0.0' }, optionalDependencies: {} }, []],
  ];
  test.each(cases)('%s', (_, change, found) => {
    const manifests: Readonly<Record<string, object>> = {
      '': { name: 'root', workspaces: ['packages/*'] },
      'packages/app': { ...manifest, ...change },
    };
    const workspaces = discoverWorkspaces({
      folders: ['', 'packages/app'] as RepoFolder[],
      readManifest: (folder) => JSON.stringify(manifests[folder]),
    });
    expect(compareRanges(workspaces, entries()).map(({ problem }) => format(problem))).toEqual(found);
  });
});
