import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { parseBerry } from '@tributary/lockfile/berry';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type PublishedPackage, registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { quickYarn } from '@tributary/test-repo/quick-yarn';
import { createHome, runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import fc from 'fast-check';
import { foldersOfProject, outlineOf, type ProjectLists, readManifests, readOurs, writeProject } from './conformance.fixture.js';
import { readLockMembers } from './lock/members.js';
import { monorepos } from './monorepos.fixture.js';
import type { ManifestFiles } from './testing/fixtures.js';

// Tests the two readers of members on lockfiles that the project's own Yarn wrote. `readLockMembers` of the lockfile and
// `readManifestGraph` of the manifests give the same members and edges.

const cleanUp = cleanUpIn(afterEach);
const shared = cleanUpIn(afterAll);
let registry: Readonly<Record<string, string>> = {};

/** Some hundreds of runs were made during development; each takes Yarn half a second. */
const MONOREPO_RUNS = 12;

/** `lib` is published too, in versions that no workspace has; `host` requests a workspace by a range that it satisfies. */
const PUBLISHED: readonly PublishedPackage[] = [
  { manifest: { name: 'lib', version: '9.0.0' } },
  { manifest: { name: 'left', version: '1.0.0' } },
  { manifest: { name: '@acme/left', version: '1.0.0' } },
  { manifest: { name: 'host', version: '1.0.0', dependencies: { left: '^1.0.0' }, peerDependencies: { lib: '*' } } },
];

beforeAll(async () => {
  const server = shared.add(await startRegistry({ packages: PUBLISHED }));
  registry = registryEnvironment(server.url, shared.add(createHome()).path);
});

function project(files: ManifestFiles): string {
  return writeProject(cleanUp.add(new TempFolder()), files);
}

/** Returns the lockfile that Yarn writes for a project; `undefined` if Yarn rejects the project. */
async function lockByYarn(root: string): Promise<string | undefined> {
  const command = [quickYarn(findProjectRoot()), 'install', '--mode=update-lockfile', '--no-immutable'];
  const run = await runProcess(process.execPath, command, { cwd: root, env: { ...registry, YARN_ENABLE_HARDENED_MODE: '0' } });
  return run.code === 0 ? readFileSync(join(root, 'yarn.lock'), 'utf8') : undefined;
}

function readLock(text: string): ProjectLists {
  const lock = readLockMembers(text);
  if (lock.kind !== 'berry') throw new Error(JSON.stringify(lock));
  return outlineOf(lock.graph);
}

const workspace = (name: string, more: object = {}): object => ({ name, version: '1.2.3', ...more });

test('the lockfile of this very repository has the same workspaces and the same edges as its manifests', () => {
  const root = findProjectRoot();
  const lockfile = parseBerry(readFileSync(join(root, 'yarn.lock'), 'utf8'));
  const entries = lockfile.kind === 'berry' ? lockfile.entries : [];
  const members = entries.filter(({ workspace }) => workspace !== undefined);
  const resolved = new Map(entries.flatMap((entry) => entry.descriptors.map((descriptor) => [descriptor, entry] as const)));
  const edges = members.flatMap((from) =>
    [...from.dependencies].flatMap(([name, range]) => {
      const to = resolved.get(`${name}@${range}`);
      return to?.workspace === undefined ? [] : [`${from.name} -> ${to.name} as ${name}`];
    }),
  );
  const ours = readOurs(root, foldersOfProject(root));
  expect(members.map((entry) => `${entry.name} ${entry.workspace || '.'}`).sort()).toEqual(ours.workspaces);
  expect([...new Set(edges)].sort()).toEqual([...new Set(ours.edges.map((edge) => edge.replace(/ \(.*/, '')))].sort());
});

describe('the lockfile of Yarn and the manifests give the same members and edges', () => {
  const cases: Readonly<Record<string, { readonly files: ManifestFiles; readonly edges: readonly string[] }>> = {
    'workspace ranges, in every field, also of scoped names': {
      files: {
        '.': { name: 'root', workspaces: ['p/*'], devDependencies: { '@acme/ui': 'workspace:^' } },
        'p/ui': workspace('@acme/ui', { dependencies: { lib: 'workspace:*' }, peerDependencies: { '@acme/core': '*' } }),
        'p/core': workspace('@acme/core', { optionalDependencies: { lib: 'workspace:~' }, devDependencies: { left: '^1.0.0' } }),
        'p/lib': workspace('lib'),
        'p/app': workspace('app', { dependencies: { '@acme/core': 'workspace:^1.0.0', other: 'workspace:p/lib', '@acme/left': '1' } }),
      },
      edges: ['@acme/core -> lib', '@acme/ui -> @acme/core', '@acme/ui -> lib', 'app -> @acme/core', 'app -> lib', 'root -> @acme/ui'],
    },
    'plain ranges that the workspace satisfies, and those that it does not': {
      files: {
        '.': { name: 'root', workspaces: ['p/*'] },
        'p/lib': workspace('lib'),
        'p/a': workspace('a', { dependencies: { lib: '^1.0.0' } }),
        'p/b': workspace('b', { dependencies: { lib: '^9.0.0' } }),
        'p/c': workspace('c', { devDependencies: { lib: 'npm:1.x' } }),
        'p/d': workspace('d', { optionalDependencies: { lib: '9.0.0' } }),
      },
      edges: ['a -> lib', 'c -> lib'],
    },
    'paths: portal, link, file and bare ones': {
      files: {
        '.': { name: 'root', workspaces: ['p/*'], dependencies: { tools: 'link:./tools' } },
        'tools/x.js': '',
        'p/lib': workspace('lib'),
        'p/lib/part': workspace('part'),
        'p/a': workspace('a', { dependencies: { lib: 'portal:../lib' } }),
        'p/b': workspace('b', { dependencies: { lib: 'link:../lib' } }),
        'p/c': workspace('c', { dependencies: { lib: 'file:../lib' } }),
        'p/d': workspace('d', { dependencies: { lib: '../lib' } }),
        'p/e': workspace('e', { dependencies: { src: 'link:../lib/src', part: 'portal:../lib/part' } }),
        'p/f': workspace('f', { dependencies: { own: 'link:./src', tools: 'link:../../tools' } }),
      },
      edges: ['a -> lib', 'b -> lib', 'c -> lib', 'd -> lib', 'e -> lib', 'f -> root'],
    },
    'aliases of workspaces and of packages': {
      files: {
        '.': { name: 'root', workspaces: ['p/*'] },
        'p/lib': workspace('lib'),
        'p/core': workspace('@acme/core'),
        'p/a': workspace('a', { dependencies: { alias: 'npm:lib@^1.0.0', other: 'npm:@acme/core@1.x' } }),
        'p/b': workspace('b', { dependencies: { alias: 'npm:lib@^9.0.0', lib: 'npm:left@^1.0.0' } }),
      },
      edges: ['a -> @acme/core', 'a -> lib'],
    },
    'peers, whatever their range, optional or not': {
      files: {
        '.': { name: 'root', workspaces: ['p/*'] },
        'p/lib': workspace('lib'),
        'p/a': workspace('a', { peerDependencies: { lib: '^1.0.0' } }),
        'p/b': workspace('b', { peerDependencies: { lib: '^9.0.0' }, peerDependenciesMeta: { lib: { optional: true } } }),
        'p/c': workspace('c', { peerDependencies: { lib: '^9.0.0' }, devDependencies: { lib: '^9.0.0' } }),
        'p/d': workspace('d', { peerDependencies: { left: '*' } }),
      },
      edges: ['a -> lib', 'b -> lib', 'c -> lib'],
    },
    'resolutions that lead to a workspace': {
      files: {
        '.': { name: 'root', workspaces: ['p/*'], resolutions: { left: 'workspace:p/lib', '@acme/left': 'portal:./p/core' } },
        'p/lib': workspace('lib'),
        'p/core': workspace('@acme/core'),
        'p/a': workspace('a', { dependencies: { left: '^1.0.0' } }),
        'p/b': workspace('b', { devDependencies: { '@acme/left': '^1.0.0' } }),
      },
      edges: ['a -> lib', 'b -> @acme/core'],
    },
    'resolutions of one dependent, and of one range': {
      files: {
        '.': {
          name: 'root',
          workspaces: ['p/*'],
          resolutions: { 'a/left': 'workspace:p/lib', '@acme/left@npm:^1.0.0': 'workspace:p/lib' },
        },
        'p/lib': workspace('lib'),
        'p/a': workspace('a', { dependencies: { left: '^1.0.0' } }),
        'p/b': workspace('b', { dependencies: { '@acme/left': '^1.0.0' } }),
      },
      edges: ['a -> lib', 'b -> lib'],
    },
    'patches of a workspace': {
      files: {
        '.': { name: 'root', workspaces: ['p/*'] },
        'p/lib': workspace('lib'),
        'p/lib/index.js': 'a\n',
        'p/a': workspace('a', { dependencies: { lib: 'patch:lib@workspace%3A^#./lib.patch' } }),
        'p/a/lib.patch': 'diff --git a/index.js b/index.js\n--- a/index.js\n+++ b/index.js\n@@ -1 +1 @@\n-a\n+b\n',
      },
      edges: ['a -> lib'],
    },
    'workspaces inside of workspaces, the root as a dependency, one without a name, cycles': {
      files: {
        '.': { name: 'root', version: '1.0.0', workspaces: ['p/*'] },
        'p/outer': workspace('outer', { workspaces: ['in/*'], dependencies: { deep: 'workspace:^', root: 'workspace:^' } }),
        'p/outer/in/deep': workspace('deep', { dependencies: { outer: 'workspace:^', x: 'link:../../src' } }),
        'p/nameless': { dependencies: { deep: 'workspace:^', self: 'link:.' } },
      },
      edges: ['deep -> outer', expect.stringMatching(/^nameless-\w{6} -> deep$/), 'outer -> deep', 'outer -> root'] as string[],
    },
  };

  test.each(Object.entries(cases))('%s', async (_, { files, edges }) => {
    const root = project(files);
    const lock = await lockByYarn(root);
    expect(lock).toBeDefined();
    expect(readLock(lock ?? '')).toEqual(readManifests(root));
    expect(readManifests(root).edges).toEqual(edges);
  });

  test('with catalogs; one that leads to another package of that name counts in the lockfile all the same', async () => {
    const root = project({
      '.': { name: 'root', workspaces: ['p/*'] },
      '.yarnrc.yml': 'catalog:\n  lib: ^1.0.0\n  left: ^1.0.0\ncatalogs:\n  old:\n    lib: ^9.0.0\n',
      'p/lib': workspace('lib'),
      'p/a': workspace('a', { dependencies: { lib: 'catalog:', left: 'catalog:' } }),
      'p/b': workspace('b', { devDependencies: { lib: 'catalog:old' } }),
    });
    const catalogs = new Map([
      ['', new Map(Object.entries({ lib: '^1.0.0', left: '^1.0.0' }))],
      ['old', new Map([['lib', '^9.0.0']])],
    ]);
    expect(readManifests(root, { catalogs }).edges).toEqual(['a -> lib']);
    expect(readLock((await lockByYarn(root)) ?? '').edges).toEqual(['a -> lib', 'b -> lib']);
  });

  test('without transparent workspaces', async () => {
    const root = project({
      '.': { name: 'root', workspaces: ['p/*'] },
      '.yarnrc.yml': 'enableTransparentWorkspaces: false\n',
      'p/lib': workspace('lib', { version: '9.0.0' }),
      'p/a': workspace('a', { dependencies: { lib: '^9.0.0' } }),
      'p/b': workspace('b', { dependencies: { lib: 'workspace:^' } }),
    });
    const manifests = readManifests(root, { transparentWorkspaces: 'off' });
    expect(manifests.edges).toEqual(['b -> lib']);
    expect(readLock((await lockByYarn(root)) ?? '')).toEqual(manifests);
  });

  test('any monorepo', async () => {
    const root = shared.add(new TempFolder());
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(monorepos, async (files) => {
        for (const name of readdirSync(root.path)) if (name !== '.yarn') rmSync(join(root.path, name), { recursive: true });
        root.write('yarn.lock', '');
        for (const [folder, manifest] of Object.entries(files)) root.write(join(folder, 'package.json'), JSON.stringify(manifest));
        const lock = await lockByYarn(root.path);
        // Yarn rejects a range without a matching package.
        if (lock === undefined) return;
        accepted++;
        const [ours, manifests] = [readLock(lock), readManifests(root.path)];
        const { resolutions } = files['.'] as { readonly resolutions: object };
        // The manifests also count a range that a resolution overrides.
        if (Object.keys(resolutions).length > 0) expect(manifests.edges).toEqual(expect.arrayContaining([...ours.edges]));
        else expect(ours).toEqual(manifests);
      }),
      // Shrinking a counterexample would take minutes.
      { numRuns: MONOREPO_RUNS, endOnFailure: true },
    );
    expect(accepted).toBeGreaterThan(MONOREPO_RUNS / 2);
  });
});
