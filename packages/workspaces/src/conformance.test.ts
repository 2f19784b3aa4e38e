import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { RepoFolder } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import yarn from '@yarnpkg/core';
import { npath, type PortablePath } from '@yarnpkg/fslib';
import fc from 'fast-check';
import { discoverWorkspaces } from './discover.js';
import { buildGraph, type Edge } from './graph.js';
import { type LockEntry, parseLockfile } from './lockfile.js';
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
