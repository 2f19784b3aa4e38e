import { describe, expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import type { RepoFolder } from '@tributary/model/paths';
import { projectOf } from './project.fixture.js';
import { findUnresolvable, refuseUnresolvable } from './unresolvable.js';

const SETTINGS = 'catalog:\n  react: ^18.0.0\ncatalogs:\n  old:\n    react: ^17.0.0\n';

/** Returns the messages about the dependencies of `app`, imported beside `lib` 1.2.3. */
function messages(dependencies: object, { root = {}, folder = '', files = {} } = {}): readonly string[] {
  const manifests = {
    '': { workspaces: ['packages/*'], ...root },
    'packages/app': { name: 'app', dependencies },
    'packages/lib': { name: 'lib', version: '1.2.3' },
  };
  const project = projectOf({ manifests, importedPackages: { 'packages/app': {} }, files: { '.yarnrc.yml': SETTINGS, ...files } });
  return findUnresolvable(project, folder as RepoFolder).map(
    ({ from, name, range, kind, why }) => `${from.name} ${name}@${range} ${kind}: ${why}`,
  );
}

describe('no installation can resolve', () => {
  test.each([
    ['ms', 'catalog:', 'catalog: the catalog of .yarnrc.yml has no entry for it'],
    ['ms', 'catalog:old', 'catalog: the catalog "old" of .yarnrc.yml has no entry for it'],
    ['react', 'catalog:new', 'catalog: the catalog "new" of .yarnrc.yml has no entry for it'],
    ['none', 'workspace:^', 'workspace: no such workspace exists'],
    ['lib', 'workspace:^2.0.0', 'workspace: the workspace is in packages/lib and is 1.2.3'],
    ['app', 'workspace:^2.0.0', 'workspace: the workspace is in packages/app and has no version'],
    ['lib', 'workspace:libs/lib', 'workspace: the workspace is in packages/lib and is 1.2.3'],
    ['x', 'file:../x', 'path: there is nothing at packages/x'],
    ['x', './x.tgz', 'path: there is nothing at packages/app/x.tgz'],
    ['x', 'portal:../x', 'path: there is nothing at packages/x'],
    ['x', 'file:../../../x', 'path: its path leaves the monorepo'],
    ['x', 'not a range!!', 'range: it is neither a version range nor a tag'],
    ['x', 'npm:vnext', 'range: it is neither a version range nor a tag'],
    ['x', '1\n::error::', 'range: it is neither a version range nor a tag'],
  ])('%s %j', (name, range, expected) => {
    expect(messages({ [name]: range })).toEqual([`app ${name}@${range} ${expected}`]);
  });
});

describe('not ours to refuse', () => {
  test.each([
    ['react', 'catalog:'],
    ['react', 'catalog:old'],
    ['lib', 'workspace:^'],
    ['lib', 'workspace:~1.2.0'],
    ['lib', 'workspace:packages/lib'],
    ['x', 'file:../lib'],
    ['x', 'file:./vendor/x.tgz'],
    ['x', 'link:../nowhere'],
    ['x', 'file:/somewhere/else'],
    ['x', ''],
    ['x', '*'],
    ['x', 'latest'],
    ['x', 'npm:next-11'],
    ['x', 'npm:other@^1.0.0'],
    ['x', '>=1 <2 || 3.x'],
    ['x', 'x.tgz'],
    ['x', 'acme/x'],
    ['x', 'git+ssh://git@example.com/x.git'],
    ['x', 'jsr:^1.0.0'],
    ['x', 'exec:./gen.js'],
    ['x', 'patch:x@npm%3A1.0.0#./x.patch'],
  ])('%s %j', (name, range) => {
    expect(messages({ [name]: range }, { files: { 'packages/app/vendor/x.tgz': '' } })).toEqual([]);
  });

  test('what resolutions of the root replace', () => {
    expect(messages({ x: 'catalog:' }, { root: { resolutions: { 'app/x': '1.0.0' } } })).toEqual([]);
  });

  test('a path that leaves a project for the repository around it', () => {
    expect(messages({ x: 'file:../../../x' }, { folder: 'web' })).toEqual([]);
  });
});

function refusal(dependencies: object): string {
  const project = projectOf({ manifests: { 'packages/app': { name: 'app', dependencies } }, importedPackages: { 'packages/app': {} } });
  try {
    refuseUnresolvable(findUnresolvable(project, '' as RepoFolder));
    return '';
  } catch (error) {
    return isToolError(error) ? `${error.code} ${error.message} ${error.hint}` : String(error);
  }
}

test('a workspace of the former monorepo that has no published version is named with its folder', () => {
  const manifests = { 'packages/app': { name: 'app', dependencies: { conf: 'workspace:*' } } };
  const project = projectOf({ manifests, importedPackages: { 'packages/app': {} } });
  const siblings = new Map([['conf', { folder: 'tools/conf' as RepoFolder, version: undefined }]]);
  const importedPackages = project.importedPackages.map((one) => ({ ...one, siblings }));
  expect(findUnresolvable({ ...project, importedPackages }, '' as RepoFolder).map(({ hint }) => hint)).toEqual([
    'Import conf in the same run or before it: it is tools/conf of the same repository, without a published version.',
  ]);
});

test('the first is refused in one sentence, with who asks and what to do; the others are counted', () => {
  expect(refusal({ a: '^1.0.0' })).toBe('');
  expect(refusal({ a: 'catalog:' })).toBe(
    'DEPENDENCY_UNRESOLVABLE app (packages/app) requires a "catalog:" in "dependencies", which Yarn cannot install: the catalog of .yarnrc.yml ' +
      'has no entry for it. Add a to "catalog" in .yarnrc.yml of the monorepo, or write the range itself into the package.json. ' +
      'Or import it with --no-install, and correct it on the new branch.',
  );
  expect(refusal({ a: 'catalog:', b: 'x y' })).toContain('has no entry for it. One more dependency cannot be resolved either. Add');
  expect(refusal({ a: 'x y', b: 'x y', c: 'x y' })).toContain(' 2 more dependencies cannot be resolved either. ');
});
