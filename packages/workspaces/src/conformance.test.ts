import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { RepoFolder } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type PublishedPackage, registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import { findProjectRoot, yarnRelease } from '@tributary/test-repo/project-root';
import { createHome, runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import yarn from '@yarnpkg/core';
import { npath, type PortablePath } from '@yarnpkg/fslib';
import fc from 'fast-check';
import { discoverWorkspaces } from './discover.js';
import { buildGraph, type Edge, type GraphSettings } from './graph.js';
import { type LockEntry, parseLockfile } from './lock/lockfile.js';
import { readLockMembers } from './lock/members.js';
import { membersOf } from './manifest-members.js';
import type { MemberGraph } from './members.js';
import { type Files, fixtures } from './testing/fixtures.js';

// The authority is @yarnpkg/core: same workspaces, same names, same edges on every fixture.

const cleanUp = cleanUpIn(afterEach);

/** Tens of thousands of them were run while this was written. */
const RUNS = 200;

function project(files: Files): string {
  const folder = cleanUp.add(new TempFolder());
  folder.write('yarn.lock', '');
  for (const [name, content] of Object.entries(files)) {
    if (typeof content === 'string') folder.write(name, content);
    else folder.write(join(name, 'package.json'), JSON.stringify(content));
  }
  return folder.path;
}

function foldersWithManifest(root: string): RepoFolder[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => /(^|\/)package\.json$/.test(file)).map((file) => file.replace(/\/?package\.json$/, '') as RepoFolder);
}

function readOurs(root: string, folders = foldersWithManifest(root)): Reading {
  const workspaces = discoverWorkspaces({ folders, readManifest: (folder) => readFileSync(join(root, folder, 'package.json'), 'utf8') });
  const edges = [...buildGraph(workspaces).dependencies.values()]
    .flat()
    .filter((edge) => ['workspace', 'semver', 'catalog'].includes(edge.kind));
  return { workspaces: workspaces.map(({ name, path }) => `${name} ${path || '.'}`).sort(), edges: edges.map(describeEdge).sort() };
}

/** Core has no optional dependencies: they stand among the regular ones. */
function describeEdge(edge: Edge): string {
  const field = { dependency: 'dependencies', optional: 'dependencies', dev: 'devDependencies', peer: 'peerDependencies' }[edge.field];
  return `${edge.from.name} -> ${edge.to.name} as ${edge.name} (${field})`;
}

interface Reading {
  readonly workspaces: readonly string[];
  readonly edges: readonly string[];
}

async function readYarn(root: string): Promise<Reading> {
  const cwd = npath.toPortablePath(root) as PortablePath;
  const configuration = await yarn.Configuration.find(cwd, null, { strict: false });
  const { project: found } = await yarn.Project.find(configuration, cwd);
  const nameOf = (ident: yarn.Ident) => yarn.structUtils.stringifyIdent(ident);
  const edges = found.workspaces.flatMap((workspace) =>
    yarn.Manifest.allDependencies.flatMap((field) =>
      [...workspace.manifest[field].values()].flatMap((descriptor) => {
        const to = found.tryWorkspaceByDescriptor(descriptor);
        return to === null
          ? []
          : [`${nameOf(workspace.anchoredLocator)} -> ${nameOf(to.anchoredLocator)} as ${nameOf(descriptor)} (${field})`];
      }),
    ),
  );
  return { workspaces: found.workspaces.map((one) => `${nameOf(one.anchoredLocator)} ${one.relativeCwd}`).sort(), edges: edges.sort() };
}

describe('our reader and @yarnpkg/core see the same', () => {
  for (const [name, fixture] of Object.entries(fixtures)) {
    test(name, async () => {
      const root = project(fixture.files);
      const ours = readOurs(root);
      expect(ours).toEqual(await readYarn(root));
      expect([ours.workspaces.length, ours.edges.length]).toEqual([fixture.workspaces, fixture.edges]);
    });
  }

  test('in this very repository', async () => {
    const root = findProjectRoot();
    expect(readOurs(root, foldersOfProject(root))).toEqual(await readYarn(root));
  });

  test('when two workspaces have one name: both refuse', async () => {
    const root = project({ '.': { workspaces: ['packages/*'] }, 'packages/a': { name: 'same' }, 'packages/b': { name: 'same' } });
    await expect(readYarn(root)).rejects.toThrow(/Duplicate workspace name same/);
    expect(() => readOurs(root)).toThrow('Two workspaces are called "same": packages/a and packages/b.');
  });
});

/** All folders with a manifest but those of installed packages. */
function foldersOfProject(root: string): RepoFolder[] {
  const walk = (folder: string): string[] => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    const below = entries.filter((entry) => entry.isDirectory() && !/^(node_modules|dist|out|\..*)$/.test(entry.name));
    const own = entries.some(({ name }) => name === 'package.json') ? [folder] : [];
    return [...own, ...below.flatMap(({ name }) => walk(folder === '' ? name : `${folder}/${name}`))];
  };
  return walk('') as RepoFolder[];
}

describe('a law', () => {
  /**
   * Not empty, and leads neither out of the temporary folder nor to the root of the disk. Nor with a dot twice: fast-glob loses some
   * folders of such patterns.
   */
  const staysInside = (text: string): boolean =>
    !/^$|\.\/\.\//.test(text) && text.split('..').length <= 2 && !/^!?(\.\/)*(\{b,\})?\//.test(text);
  const part = fc.constantFrom(
    'a',
    'b',
    '.c',
    '*',
    '**',
    '?',
    'a*',
    '{a,b}',
    '{a,.c}',
    '[ab]',
    '@(a|b)',
    '!(a)',
    '.',
    '..',
    '',
    '{b,}',
    '(a|b)',
    '.*',
    'node_modules',
    '+(a)',
    '\\a',
    '{1..2}',
    '[^a]',
  );
  const pattern = fc
    .tuple(fc.constantFrom('', '', '', '!', './', '../'), fc.array(part, { minLength: 1, maxLength: 3 }))
    .map(([sign, parts]) => sign + parts.join('/'))
    .filter(staysInside);
  const names = ['a', 'b', '.c', 'node_modules', '1'];
  const tree = [
    '',
    ...names,
    ...names.flatMap((x) => names.map((y) => `${x}/${y}`)),
    'a/b/a',
    'b/a/.c',
    'b/b/b',
    'a/node_modules/b',
    '.c/.c/a',
  ];

  test('any patterns select the same folders', async () => {
    // The patterns stand in a workspace of their own, so that `..` has somewhere to go.
    const root = cleanUp.add(new TempFolder());
    root.write('yarn.lock', '');
    root.write('package.json', JSON.stringify({ name: 'root', workspaces: ['w'] }));
    for (const folder of tree) root.write(join('w', folder, 'package.json'), '{}');
    await fc.assert(
      fc.asyncProperty(fc.array(pattern, { minLength: 1, maxLength: 4 }), async (patterns) => {
        root.write('w/package.json', JSON.stringify({ workspaces: patterns }));
        const theirs = await readYarn(root.path).catch(() => undefined);
        // Patterns such as `!` make Yarn fail altogether.
        fc.pre(theirs !== undefined);
        expect(readOurs(root.path).workspaces).toEqual(theirs?.workspaces);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('another law', () => {
  const versions = fc.constantFrom('1.2.3', '0.0.0', '2.0.0-rc.1', '1', 'next', '');
  const start = fc.constantFrom('', 'workspace:', 'npm:', 'foo:', 'portal:', 'catalog:', 'file:');
  const end = fc.constantFrom(
    '*',
    '^',
    '~',
    '',
    '^1.0.0',
    '~1.2',
    '1.x || 2',
    '>=2.0.0-rc',
    '2.0.0-rc.1',
    'latest',
    '.',
    './p/lib/',
    'p/lib',
    '../p/lib',
    'p',
    '1.2',
    '=1.2.3',
    ' 1 - 2 ',
  );

  test('any range leads to the same workspace', async () => {
    const root = cleanUp.add(new TempFolder());
    root.write('yarn.lock', '');
    root.write('package.json', JSON.stringify({ name: 'root', version: '1.0.0', workspaces: ['p/*', '1.2'] }));
    root.write('1.2/package.json', JSON.stringify({ name: 'number' }));
    const field = fc.constantFrom('dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies');
    const request = fc.tuple(field, fc.constantFrom('lib', 'root', 'number', 'none'), fc.tuple(start, end));
    await fc.assert(
      fc.asyncProperty(versions, fc.array(request, { maxLength: 6 }), async (version, requests) => {
        const app: Record<string, Record<string, string>> = {};
        for (const [block, name, range] of requests) app[block] = { ...app[block], [name]: range.join('') };
        root.write('p/lib/package.json', JSON.stringify({ name: 'lib', version }));
        root.write('p/app/package.json', JSON.stringify({ name: 'app', ...app }));
        expect(readOurs(root.path).edges).toEqual((await readYarn(root.path)).edges);
      }),
      { numRuns: RUNS },
    );
  });
});

test('the lockfile of this very repository has the same workspaces and the same edges as its manifests', () => {
  const root = findProjectRoot();
  const lockfile = parseLockfile(readFileSync(join(root, 'yarn.lock'), 'utf8'));
  const entries = lockfile.kind === 'berry' ? lockfile.entries : [];
  const members = entries.filter(({ workspace }) => workspace !== undefined);
  const resolved = new Map(entries.flatMap((entry) => entry.descriptors.map((descriptor) => [descriptor, entry] as const)));
  const edges = members.flatMap((from) =>
    [...from.dependencies].flatMap(([name, range]) => {
      const to = resolved.get(`${name}@${range}`);
      return to?.workspace === undefined ? [] : [`${nameIn(from)} -> ${nameIn(to)} as ${name}`];
    }),
  );
  const ours = readOurs(root, foldersOfProject(root));
  expect(members.map((entry) => `${nameIn(entry)} ${entry.workspace || '.'}`).sort()).toEqual(ours.workspaces);
  expect([...new Set(edges)].sort()).toEqual([...new Set(ours.edges.map((edge) => edge.replace(/ \(.*/, '')))].sort());
});

function nameIn(entry: LockEntry): string {
  return entry.resolution.slice(0, entry.resolution.lastIndexOf('@workspace:'));
}

describe('the members of the manifests have the edges of @yarnpkg/core, and beyond them', () => {
  /** Core has no resolver for these, and takes a peer only if the version of the workspace satisfies it. */
  const BEYOND = /^(portal|link|file|patch|npm):|^\.{0,2}\//;

  /** The dependents that ask for something by a path, an alias or a patch, or for a workspace as a peer. */
  function reachBeyond(root: string): ReadonlySet<string> {
    const manifests = discoverWorkspaces({
      folders: foldersWithManifest(root),
      readManifest: (folder) => readFileSync(join(root, folder, 'package.json'), 'utf8'),
    });
    const names = new Set<string>(manifests.map(({ name }) => name));
    const those = manifests.filter(({ manifest: { dependencies, devDependencies, optionalDependencies, peerDependencies } }) => {
      const ranges = [dependencies, devDependencies, optionalDependencies].flatMap((block) => [...block.values()]);
      return ranges.some((range) => BEYOND.test(range)) || [...peerDependencies.keys()].some((name) => names.has(name));
    });
    return new Set(those.map(({ name }) => name));
  }

  test.each(Object.entries(fixtures))('%s', async (_, fixture) => {
    const root = project(fixture.files);
    const [ours, theirs] = [readManifests(root), await readYarn(root)];
    const edges = [...new Set(theirs.edges.map((edge) => edge.replace(/ as .*/, '')))].filter((edge) => !/^(.*) -> \1$/.test(edge));
    expect(ours.workspaces).toEqual(theirs.workspaces);
    expect(ours.edges).toEqual(expect.arrayContaining(edges));
    const beyond = reachBeyond(root);
    const unexplained = ours.edges.filter((edge) => !edges.includes(edge) && !beyond.has(edge.replace(/ -> .*/, '')));
    expect(unexplained).toEqual([]);
  });
});

// The two readers of members, on lockfiles that the project's own Yarn has written: what `readLockMembers` sees in the lockfile is what
// `membersOf` sees in the manifests, member by member and edge by edge.

/** `lib` is published too, in versions that no workspace has; `host` asks for a workspace by a range that it satisfies. */
const PUBLISHED: readonly PublishedPackage[] = [
  { manifest: { name: 'lib', version: '9.0.0' } },
  { manifest: { name: 'left', version: '1.0.0' } },
  { manifest: { name: '@acme/left', version: '1.0.0' } },
  { manifest: { name: 'host', version: '1.0.0', dependencies: { left: '^1.0.0' }, peerDependencies: { lib: '*' } } },
];

const shared = cleanUpIn(afterAll);
let registry: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  const server = shared.add(await startRegistry({ packages: PUBLISHED }));
  registry = registryEnvironment(server.url, shared.add(createHome()).path);
});

/** The text of the lockfile that Yarn writes for a project; `undefined` if Yarn refuses the project. */
async function lockByYarn(root: string): Promise<string | undefined> {
  const command = [yarnRelease(findProjectRoot()), 'install', '--mode=update-lockfile', '--no-immutable'];
  const run = await runProcess(process.execPath, command, { cwd: root, env: { ...registry, YARN_ENABLE_HARDENED_MODE: '0' } });
  return run.code === 0 ? readFileSync(join(root, 'yarn.lock'), 'utf8') : undefined;
}

function outlineOf({ members, dependents }: MemberGraph): Reading {
  const edges = dependents.flat().map(({ from, to }) => `${members[from]?.name} -> ${members[to]?.name}`);
  return { workspaces: members.map(({ name, path }) => `${name} ${path || '.'}`).sort(), edges: [...new Set(edges)].sort() };
}

function readManifests(root: string, settings?: GraphSettings): Reading {
  const readManifest = (folder: RepoFolder): string => readFileSync(join(root, folder, 'package.json'), 'utf8');
  return outlineOf(membersOf(discoverWorkspaces({ folders: foldersWithManifest(root), readManifest }), settings));
}

function readLock(text: string): Reading {
  const lock = readLockMembers(text);
  if (lock.kind !== 'berry') throw new Error(JSON.stringify(lock));
  return outlineOf(lock.graph);
}

const workspace = (name: string, more: object = {}): object => ({ name, version: '1.2.3', ...more });

describe('the lockfile of Yarn and the manifests give the same members and edges', () => {
  const cases: Readonly<Record<string, { readonly files: Files; readonly edges: readonly string[] }>> = {
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
        // Yarn refuses a range that nothing answers.
        if (lock === undefined) return;
        accepted++;
        const [ours, manifests] = [readLock(lock), readManifests(root.path)];
        const { resolutions } = files['.'] as { readonly resolutions: object };
        // A range that a resolution overrides still counts in the manifests.
        if (Object.keys(resolutions).length > 0) expect(manifests.edges).toEqual(expect.arrayContaining([...ours.edges]));
        else expect(ours).toEqual(manifests);
      }),
      // Making a counterexample smaller would take minutes.
      { numRuns: MONOREPO_RUNS, endOnFailure: true },
    );
    expect(accepted).toBeGreaterThan(MONOREPO_RUNS / 2);
  }, 120_000);
});

/** Some hundreds of them were run while this was written; each takes Yarn half a second. */
const MONOREPO_RUNS = 12;

const MEMBERS = { 'p/a': 'a', 'p/lib': 'lib', 'p/scoped': '@acme/core', 'p/a/in/deep': 'deep', 'q/leaf': '@acme/leaf' } as const;

/** A request for one of them or for a published package, of a kind that Yarn may accept. */
const requests: fc.Arbitrary<readonly [name: string, range: string]> = fc.oneof(
  fc
    .constantFrom(...Object.values(MEMBERS))
    .chain((name) =>
      fc.tuple(
        fc.constant(name),
        fc.constantFrom('workspace:^', 'workspace:*', 'workspace:~', 'workspace:^1.0.0', '^1.0.0', '1.x', '*', 'npm:^1.2.0'),
      ),
    ),
  fc.tuple(
    fc.constantFrom('other', 'lib'),
    fc.constantFrom(...Object.keys(MEMBERS)).map((folder) => `workspace:${folder}`),
  ),
  fc.tuple(
    fc.constantFrom('alias', '@acme/alias'),
    fc.constantFrom('npm:lib@^1.0.0', 'npm:lib@^9.0.0', 'npm:@acme/core@^1.0.0', 'npm:left@1'),
  ),
  fc.tuple(
    fc.constantFrom('path', 'lib', '@acme/path'),
    fc.constantFrom(
      'portal:{}q/leaf',
      'link:{}p/a',
      'link:{}p/a/in',
      'link:{}p/a/in/deep/src',
      'file:{}q/leaf',
      '{}q/leaf',
      'link:{}tools',
      'link:{}..',
    ),
  ),
  fc.constantFrom(['lib', '^9.0.0'], ['left', '^1.0.0'], ['@acme/left', '1.0.0'], ['host', '1']) as fc.Arbitrary<readonly [string, string]>,
);

const peers = fc.oneof(
  fc.tuple(fc.constantFrom(...Object.values(MEMBERS)), fc.constantFrom('*', '^1.0.0', '>=7', 'workspace:^')),
  fc.constant(['left', '*'] as [string, string]),
);

/** Manifests by folder: the members above with random requests, and a root with random resolutions. */
const monorepos: fc.Arbitrary<Readonly<Record<string, object>>> = fc
  .record({
    members: fc.tuple(...Object.keys(MEMBERS).map(() => manifestParts())),
    root: manifestParts(),
    resolutions: fc.array(
      fc.constantFrom(
        ['left', 'workspace:p/lib'],
        ['@acme/left', 'workspace:p/scoped'],
        ['alias', 'workspace:p/lib'],
        ['lib', 'workspace:p/lib'],
        ['left', 'portal:./q/leaf'],
      ),
      { maxLength: 1 },
    ),
  })
  .map(({ members, root, resolutions }) => ({
    '.': {
      name: 'root',
      version: '1.0.0',
      workspaces: ['p/*', 'q/*'],
      ...inFolder('', root),
      resolutions: Object.fromEntries(resolutions),
    },
    ...Object.fromEntries(
      Object.entries(MEMBERS).map(([folder, name], at) => [
        folder,
        // Yarn follows `file:` and `portal:` in circles without end: the one that is asked for by them needs nothing.
        {
          name,
          version: '1.2.3',
          ...(name === 'a' ? { workspaces: ['in/*'] } : {}),
          ...inFolder(folder, name === '@acme/leaf' ? [] : (members[at] ?? [])),
        },
      ]),
    ),
  }));

type Parts = readonly (readonly [field: string, request: readonly [name: string, range: string]])[];

/** A name is asked for in one field only: of two, Yarn takes one, and the manifests show both. */
function manifestParts(): fc.Arbitrary<Parts> {
  const field = fc.constantFrom('dependencies', 'devDependencies', 'optionalDependencies');
  const some = fc.uniqueArray(fc.tuple(field, requests), { maxLength: 3, selector: ([, [name]]) => name });
  const peer = fc.array(fc.tuple(fc.constant('peerDependencies'), peers), { maxLength: 1 });
  return fc.tuple(some, peer).map((parts) => parts.flat());
}

/** Paths are written from the root, with `{}` for the way to it. */
function inFolder(folder: string, parts: Parts): object {
  const up = folder === '' ? './' : '../'.repeat(folder.split('/').length);
  const manifest: Record<string, Record<string, string>> = {};
  for (const [field, [name, range]] of parts) manifest[field] = { ...manifest[field], [name]: range.replace('{}', up) };
  return manifest;
}
