import { describe, expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import type { RepoFolder } from '@tributary/model/paths';
import fc from 'fast-check';
import { discoverWorkspaces, isCovered } from './discover.js';
import { parseManifest } from './manifest.js';
import { workspacesOf } from './testing/parse-graph.js';

// core-conformance.long.test.ts shows that the rules are Yarn's.

describe('the workspaces', () => {
  const manifests = {
    '': { name: 'root', workspaces: ['packages/*', '!packages/old'] },
    'packages/b': { name: 'b', workspaces: ['inner/*'] },
    'packages/b/inner/x': { name: 'x' },
    'packages/b/inner/x/fixtures/y': { name: 'y' },
    'packages/a': {},
    'packages/old': { name: 'old' },
    'tools/t': { name: 't' },
  };

  test('are ordered by path, the root first, nested ones included', () => {
    expect(workspacesOf(manifests).map(({ name, path }) => `${name} ${path}`)).toEqual(
      ['root ', 'a-3b1f53 packages/a', 'b packages/b', 'x packages/b/inner/x'].map(replaceHash),
    );
  });

  test('do not depend on the order in which folders are listed, and only their manifests are read', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.keys(manifests), { minLength: 7 }), (folders) => {
        const read: string[] = [];
        const readManifest = (folder: RepoFolder): string => {
          read.push(folder);
          return JSON.stringify(manifests[folder as keyof typeof manifests]);
        };
        expect(discoverWorkspaces({ folders: folders as RepoFolder[], readManifest })).toEqual(workspacesOf(manifests));
        expect(read.sort()).toEqual(['', 'packages/a', 'packages/b', 'packages/b/inner/x']);
      }),
    );
  });

  test('are refused when two have one name', () => {
    const error = thrownBy(() => workspacesOf({ 'packages/a': { name: 'same' }, 'packages/b': { name: 'same' } }));
    expect(isToolError(error) && error.toJSON()).toMatchObject({
      code: 'WORKSPACE_DUPLICATE_NAME',
      message: 'Two workspaces have the name "same": packages/a and packages/b.',
      data: { name: 'same', folders: ['packages/a', 'packages/b'] },
    });
  });

  test('need a root, and a broken manifest is named by its folder', () => {
    expect(() => discoverWorkspaces({ folders: [], readManifest: () => '{}' })).toThrow('The root of the project has no package.json.');
    const readManifest = (folder: RepoFolder): string => (folder === '' ? '{"workspaces": ["*"]}' : '{"name": }');
    expect(() => discoverWorkspaces({ folders: ['', 'a' as RepoFolder], readManifest })).toThrow('a/package.json:1: it is not JSON');
  });
});

/** The conformance test compares Yarn's own hash; here only its format counts. */
function replaceHash(line: string): unknown {
  return line.startsWith('a-') ? expect.stringMatching(/^a-[0-9a-f]{6} packages\/a$/) : line;
}

describe('a folder is covered', () => {
  const cases: readonly (readonly [patterns: readonly string[], folder: string, covered: boolean])[] = [
    [['packages/*'], 'packages/a', true],
    [['./packages/*/'], 'packages/a', true],
    [['packages/*'], 'packages/a/b', false],
    [['packages/**'], 'packages/a/b', true],
    [['packages/a'], 'packages/a', true],
    [['packages/a'], 'packages/ab', false],
    [['packages/*', '!packages/a'], 'packages/a', false],
    [['!packages/a', 'packages/*'], 'packages/a', false],
    [['packages/*'], 'packages/.a', false],
    [['**'], 'packages/node_modules/a', false],
    [['{apps,packages}/*'], 'packages/a', true],
    [['/packages/*', '../x/*'], 'packages/a', false],
    [[], 'packages/a', false],
  ];
  test.each(cases)('by %j: %s %s', (workspaces, folder, covered) => {
    expect(isCovered(parseManifest(JSON.stringify({ workspaces }), 'package.json'), folder as RepoFolder)).toBe(covered);
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
