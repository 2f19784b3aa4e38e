import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BerryLockfile, parseBerry } from '@tributary/lockfile/berry';
import { parseRepoPath, type RepoFolder } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { discoverWorkspaces, type Workspace } from '@tributary/workspaces/discover';
import { readManifestGraph } from '@tributary/workspaces/manifest-graph';
import { spreadFrom } from '@tributary/workspaces/spread';
import { type LargeMonorepo, makeLargeMonorepo } from './large-monorepo.js';

const cleanUp = cleanUpIn(afterAll);
const shape = { workspaces: 100, externals: 120, seed: 7 };
let made: LargeMonorepo;
let graph: DependencyGraph<Workspace>;

beforeAll(() => {
  made = makeLargeMonorepo(shape);
  cleanUp.add(made.repo);
  graph = readGraph(made);
});

test('it has as many workspaces as asked for, and the root', () => {
  expect(graph.members.map(({ name }) => name)).toEqual(['large', ...made.plan.packages.map(({ name }) => name)]);
});

test('its manifests hold the planned edges and no others', () => {
  const edges = graph.members
    .slice(1)
    .map(({ manifest }) =>
      [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies].map((block) =>
        Object.fromEntries([...block].filter(([name]) => name.startsWith('@large/'))),
      ),
    );
  const planned = made.plan.packages.map(({ internal }) =>
    ['dependencies', 'devDependencies', 'peerDependencies'].map((field) =>
      Object.fromEntries(internal.filter((edge) => edge.field === field).map(({ to, range }) => [made.plan.packages[to]?.name, range])),
    ),
  );
  expect(edges).toEqual(planned);
  const count = graph.edges.length;
  expect(count).toBe(made.plan.packages.flatMap(({ internal }) => internal).length);
  expect(count / shape.workspaces).toBeGreaterThan(3);
  expect(count / shape.workspaces).toBeLessThan(4.2);
});

test('all kinds of edges and both kinds of ranges occur', () => {
  const { edges } = graph;
  expect(new Set(edges.map(({ field }) => field))).toEqual(new Set(['dependency', 'dev', 'peer']));
  expect(new Set(edges.map(({ request }) => request?.range))).toEqual(new Set(['workspace:^', '^1.0.0']));
});

test('the lockfile holds the same workspaces with the same requests', () => {
  const inLockfile = new Map(readLockfile('main').entries.map((entry) => [entry.workspace, entry]));
  inLockfile.delete(undefined);
  expect([...inLockfile.keys()].sort()).toEqual(graph.members.map(({ path }) => path));
  for (const { path, manifest } of graph.members) {
    const asked = [...manifest.dependencies, ...manifest.devDependencies].map(([name, range]) => [name, range.replace(/^\^/, 'npm:^')]);
    expect(sorted(inLockfile.get(path)?.dependencies)).toEqual(asked.sort());
    expect(sorted(inLockfile.get(path)?.peerDependencies)).toEqual(sorted(manifest.peerDependencies));
  }
});

test('every request of the lockfile has its entry', () => {
  const { entries } = readLockfile('main');
  const descriptors = new Set(entries.flatMap((entry) => entry.descriptors));
  const asked = entries.flatMap(({ dependencies }) => [...dependencies].map(([name, range]) => `${name}@${range}`));
  expect(asked.filter((descriptor) => !descriptors.has(descriptor))).toEqual([]);
  expect(entries.filter(({ workspace }) => workspace === undefined).length).toBeGreaterThan(100);
});

test('the branches change what they say, and the counts of affected workspaces are those of the graph', () => {
  const changed = made.changes.map(({ branch }) => made.repo.git('diff', '--name-only', 'main', branch).split('\n'));
  expect(changed.map((files) => files.length)).toEqual([1, 5, 1, 1]);
  expect(changed[2]).toEqual(['yarn.lock']);
  expect(changed[3]).toEqual([expect.stringMatching(/^packages\/.*\/package\.json$/)]);
  const reached = changed.slice(0, 2).map((files) => {
    const seeds = files.flatMap((file) => graph.byPath.get(parseRepoPath(dirname(dirname(file)))) ?? []);
    const seedsOf = seeds.map((member) => ({ member, reach: 'dependents' as const }));
    return seeds.length + spreadFrom(graph, seedsOf).length;
  });
  expect(reached).toEqual(made.changes.slice(0, 2).map(({ affected }) => affected));
});

test('the bump changes one entry from outside', () => {
  const [before, after] = ['main', 'lock-entry'].map(
    (branch) => new Map(readLockfile(branch).entries.map((entry) => [entry.descriptors[0], entry])),
  );
  expect([...(before?.keys() ?? [])]).toEqual([...(after?.keys() ?? [])]);
  const different = [...(before ?? [])].filter(([key, entry]) => after?.get(key)?.version !== entry.version);
  expect(different).toHaveLength(1);
  expect(made.changes[2].affected).toBeGreaterThan(1);
});

test('the same shape gives the same commits', () => {
  const again = cleanUp.add(makeLargeMonorepo(shape).repo);
  expect(again.id('lock-entry')).toBe(made.repo.id('lock-entry'));
});

function readGraph({ repo }: LargeMonorepo): DependencyGraph<Workspace> {
  const manifests = repo.git('ls-files', 'package.json', '*/package.json').split('\n');
  const folders = manifests.map((file): RepoFolder => (file === 'package.json' ? '' : parseRepoPath(dirname(file))));
  return readManifestGraph(
    discoverWorkspaces({ folders, readManifest: (folder) => readFileSync(join(repo.path, folder, 'package.json'), 'utf8') }),
  );
}

function readLockfile(branch: string): BerryLockfile {
  const lockfile = parseBerry(made.repo.git('show', `${branch}:yarn.lock`));
  if (lockfile.kind !== 'berry') throw new Error(`the lockfile is ${lockfile.kind}`);
  return lockfile;
}

function sorted(requests: ReadonlyMap<string, string> | undefined): string[][] {
  return [...(requests ?? [])].sort();
}
