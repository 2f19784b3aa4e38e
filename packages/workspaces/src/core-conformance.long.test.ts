import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import yarn from '@yarnpkg/core';
import { npath, type PortablePath } from '@yarnpkg/fslib';
import fc from 'fast-check';
import { foldersOfProject, foldersWithManifest, type ProjectLists, readManifests, readOurs, writeProject } from './conformance.fixture.js';
import { discoverWorkspaces } from './discover.js';
import { fixtures, type ManifestFiles } from './testing/fixtures.js';

// The reference is @yarnpkg/core: same workspaces, same names, same edges on every fixture.

const cleanUp = cleanUpIn(afterEach);

/** Tens of thousands of runs were made during development. */
const RUNS = 200;

function project(files: ManifestFiles): string {
  return writeProject(cleanUp.add(new TempFolder()), files);
}

async function readYarn(root: string): Promise<ProjectLists> {
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
    expect(() => readOurs(root)).toThrow('Two workspaces have the name "same": packages/a and packages/b.');
  });
});

function orRefused<Value>(read: () => Value): Value | 'refused' {
  try {
    return read();
  } catch (error) {
    if (isToolError(error) && error.message.includes('too many stars or choices')) return 'refused';
    throw error;
  }
}

describe('a law', () => {
  /**
   * Returns whether a pattern is not empty and leads neither out of the temporary folder nor to the root of the disk. Patterns with two
   * `./` are excluded too: fast-glob misses some folders for them.
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
    // The patterns are in a nested workspace, so that `..` has a target.
    const root = cleanUp.add(new TempFolder());
    root.write('yarn.lock', '');
    root.write('package.json', JSON.stringify({ name: 'root', workspaces: ['w'] }));
    for (const folder of tree) root.write(join('w', folder, 'package.json'), '{}');
    await fc.assert(
      fc.asyncProperty(fc.array(pattern, { minLength: 1, maxLength: 4 }), async (patterns) => {
        root.write('w/package.json', JSON.stringify({ workspaces: patterns }));
        const theirs = await readYarn(root.path).catch(() => undefined);
        // Patterns such as `!` make Yarn fail; one with many negated groups is beyond our limits, and refused.
        const ours = orRefused(() => readOurs(root.path).workspaces);
        fc.pre(theirs !== undefined && ours !== 'refused');
        expect(ours).toEqual(theirs?.workspaces);
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

describe('the members of the manifests have the edges of @yarnpkg/core, and beyond them', () => {
  /** Core has no resolver for these, and accepts a peer only if the version of the workspace satisfies it. */
  const BEYOND = /^(portal|link|file|patch|npm):|^\.{0,2}\//;

  /** Returns the dependents that request something by a path, an alias or a patch, or a workspace as a peer. */
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
