import { describe, expect, test } from '@jest/globals';
import type { ChangedFile } from '@tributary/model/changeset';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { isManifest, isPatch, mayBeOfCi, mayChangeTasks, needsExactReading, relativeToProject } from './changed-files.js';

function changed(path: string, kind: ChangedFile['kind'] = 'file'): ChangedFile {
  return { path: path as RepoPath, status: 'modified', kind };
}

describe('a file is seen from the project', () => {
  test.each<[project: string, path: string, seen: string]>([
    ['', 'a/x', 'a/x'],
    ['web', 'web/a/x', 'a/x'],
    ['web', 'website/x', '../website/x'],
    ['web', 'x', '../x'],
    ['apps/web', 'apps/web/x', 'x'],
    ['apps/web', 'apps/x', '../../apps/x'],
    ['apps/web', 'web/x', '../../web/x'],
    ['web', 'Web/x', '../Web/x'],
  ])('in "%s" %s is %s', (project, path, seen) => {
    expect(relativeToProject([changed(path, 'symlink')], project as RepoFolder)).toEqual([changed(seen, 'symlink')]);
  });

  test('none of them is lost, and their order stays', () => {
    const files = ['b/x', 'a/x', 'b/y'].map((path) => changed(path));
    expect(relativeToProject(files, 'b' as RepoFolder).map(({ path }) => path)).toEqual(['x', '../a/x', 'y']);
    expect(relativeToProject(files, '')).toBe(files);
    expect(relativeToProject([], 'b' as RepoFolder)).toEqual([]);
  });
});

describe('a change of what says who depends on whom needs both commits to be read', () => {
  const exact = [
    'package.json',
    'a/package.json',
    'no-workspace/deep/package.json',
    'yarn.lock',
    '.yarnrc.yml',
    '.yarn/patches/x.diff',
    'a/fix.patch',
    '../package.json',
  ];
  test.each(exact)('%s', (path) => {
    expect(needsExactReading([changed('a/x'), changed(path)])).toBe(true);
  });

  const quick = [
    'a/x.ts',
    'a/package.json.md',
    'a/my-package.json',
    'a/yarn.lock',
    'a/.yarnrc.yml',
    'yarn.lock.bak',
    'package.jsonc',
    'a/patch',
    'README.md',
    '.yarn/releases/yarn.cjs',
  ];
  test.each(quick)('not %s', (path) => {
    expect(needsExactReading([changed(path)])).toBe(false);
  });

  test('so does a submodule, whatever it is called, and no file at all does not', () => {
    expect(needsExactReading([changed('vendor', 'submodule')])).toBe(true);
    expect(needsExactReading([changed('vendor', 'symlink')])).toBe(false);
    expect(needsExactReading([])).toBe(false);
  });
});

test.each([
  ['package.json', true, false],
  ['a/package.json', true, false],
  ['a/package.json/x', false, false],
  ['xpackage.json', false, false],
  ['a.patch', false, true],
  ['.yarn/patches/a', false, true],
  ['a/.yarn/patches/a', false, false],
])('that %s is a manifest is %s, and a patch %s', (path, manifest, patch) => {
  expect([isManifest(path), isPatch(path)]).toEqual([manifest, patch]);
});

test.each<[path: string, may: boolean]>([
  ['.github/workflows/ci.yml', true],
  ['../../.github/labeler.yml', true],
  ['.gitlab/a/b.yaml', true],
  ['.circleci/config.yml', true],
  ['azure-pipelines.prod.yml', true],
  ['Jenkinsfile', true],
  ['packages/a/index.ts', false],
  ['packages/a/.github/x.yml', false],
  ['yarn.lock', false],
  ['.yarn/patches/a.patch', false],
])('%s may be a file of CI: %j', (path, may) => {
  expect(mayBeOfCi(path)).toBe(may);
});

describe('a change of what says which workspaces have which tasks needs the base to be read', () => {
  test.each(['package.json', 'a/package.json', '../package.json', 'turbo.json', 'a/turbo.json', 'a/b/turbo.jsonc'])('of %s', (path) => {
    for (const kind of ['file', 'symlink', 'submodule'] as const) expect(mayChangeTasks([changed('a/x'), changed(path, kind)])).toBe(true);
  });

  test.each(['added', 'deleted'] as const)('so does a file at the root that was %s, which may be a lockfile', (status) => {
    for (const path of ['yarn.lock', 'pnpm-workspace.yaml', 'x']) expect(mayChangeTasks([{ ...changed(path), status }])).toBe(true);
    expect(mayChangeTasks([{ ...changed('a/yarn.lock'), status }])).toBe(false);
  });

  test.each(['yarn.lock', 'a/x', 'a/my-package.json', 'a/turbo.json/x', 'tributary.json'])('not of %s', (path) => {
    expect(mayChangeTasks([changed(path)])).toBe(false);
  });
});
