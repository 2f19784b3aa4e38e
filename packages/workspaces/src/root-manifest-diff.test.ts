import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseManifest } from './manifest.js';
import { diffRootManifests, type RootManifestDiff } from './root-manifest-diff.js';

type Json = Readonly<Record<string, unknown>>;

function diff(base: Json, head: Json): RootManifestDiff {
  return diffTexts(JSON.stringify(base), JSON.stringify(head));
}

function diffTexts(base: string, head: string): RootManifestDiff {
  return diffRootManifests(parseManifest(base, 'package.json'), parseManifest(head, 'package.json'));
}

const NOTHING: RootManifestDiff = {
  all: undefined,
  rootItself: [],
  workspaces: 'same',
  resolutions: [],
  dependencies: [],
  scripts: [],
  ignored: [],
};

describe('a change of the root package.json', () => {
  test('of its layout and the order of its keys is none', () => {
    const base = '{"name":"r","engines":{"node":">=20","yarn":"4"},"dependencies":{"a":"1","b":"1"}}';
    expect(diffTexts(base, '{ "dependencies": {"b": "1", "a": "1"},\n "engines": {"yarn": "4", "node": ">=20"}, "name": "r" }')).toEqual(
      NOTHING,
    );
  });

  test.each([
    'version',
    'description',
    'license',
    'author',
    'repository',
    'keywords',
    'homepage',
    'bugs',
    'funding',
    'private',
    'contributors',
    'lint-staged',
    'husky',
    'prettier',
    'commitlint',
    'release',
    'release-it',
    '$schema',
    '//',
  ])('of %s affects nobody', (key) => {
    expect(diff({}, { [key]: { x: 1 } })).toEqual({ ...NOTHING, ignored: [key] });
    expect(diff({ [key]: { x: 1, y: 2 } }, { [key]: { y: 2, x: 1 } })).toEqual(NOTHING);
  });

  test.each(['name', 'main', 'module', 'exports', 'bin', 'files', 'types', 'typings', 'typesVersions', 'browser', 'sideEffects'])(
    'of %s affects the root itself',
    (key) => {
      expect(diff({}, { [key]: 'x' })).toEqual({ ...NOTHING, rootItself: [key] });
    },
  );

  test.each([
    'packageManager',
    'engines',
    'volta',
    'devEngines',
    'dependenciesMeta',
    'peerDependenciesMeta',
    'installConfig',
    'jest',
    'babel',
    // Decides how jest.config.js beside it is read.
    'type',
    'browserslist',
    'imports',
    'config',
    'os',
    'cpu',
    'lavamoat',
    'somethingNew',
    '__proto__',
    'constructor',
  ])('of %s affects all, and it is named', (key) => {
    const reason = `${key} in the root package.json changed.`;
    const withKey = `{${JSON.stringify(key)}:{"x":1}}`;
    expect(diffTexts('{}', withKey)).toEqual({ ...NOTHING, all: { code: 'ROOT_MANIFEST_CHANGED', reason } });
    expect(diffTexts(withKey, '{}')).toEqual({ ...NOTHING, all: { code: 'ROOT_MANIFEST_CHANGED', reason } });
  });

  test('of several keys names them all, sorted', () => {
    const { all } = diff({ volta: { node: '20' } }, { engines: { node: '22' }, scripts: { postinstall: 'x' } });
    expect(all?.reason).toBe('engines, scripts.postinstall, volta in the root package.json changed.');
  });

  test.each(['exports', 'imports', 'typesVersions', 'jest', 'babel', 'somethingNew'])('of the order inside of %s is one', (key) => {
    const found = diff({ [key]: { a: { x: 1, y: 1 } } }, { [key]: { a: { y: 1, x: 1 } } });
    expect([found.all === undefined, found.rootItself.length === 0]).toContain(false);
  });

  test('of scripts affects by itself nobody, and they are named', () => {
    const found = diff({ scripts: { build: 'x', old: 'x', same: 'x' } }, { scripts: { same: 'x', build: 'y', 'g:test': 'jest' } });
    expect(found).toEqual({ ...NOTHING, scripts: ['build', 'g:test', 'old'] });
  });

  test.each(['preinstall', 'install', 'postinstall'])('of the script %s affects all: every install runs it', (name) => {
    const found = diff({ scripts: { [name]: 'husky' } }, { scripts: { [name]: 'patch-package' } });
    expect(found).toEqual({
      ...NOTHING,
      all: { code: 'ROOT_MANIFEST_CHANGED', reason: `scripts.${name} in the root package.json changed.` },
    });
  });

  test('of dependencies names them, once, whichever block they stand in', () => {
    const base = { dependencies: { a: '1', same: '1', moved: '1' }, devDependencies: { b: '1', a: '1' }, peerDependencies: { c: '1' } };
    const head = { dependencies: { a: '2', same: '1' }, devDependencies: { moved: '1', a: '2' }, optionalDependencies: { d: '1' } };
    expect(diff(base, head)).toEqual({ ...NOTHING, dependencies: ['a', 'b', 'c', 'd', 'moved'] });
  });

  test('of resolutions names their keys', () => {
    const base = { resolutions: { 'a/b': '1', c: '1', d: '1' } };
    expect(diff(base, { resolutions: { c: '1', 'a/b': '2', e: '1' } })).toEqual({ ...NOTHING, resolutions: ['a/b', 'd', 'e'] });
  });

  test('of the order of resolutions names them all: of two that match, Yarn takes the first', () => {
    const base = { resolutions: { 'a@npm:1': '1', a: '2' } };
    expect(diff(base, { resolutions: { a: '2', 'a@npm:1': '1' } })).toEqual({ ...NOTHING, resolutions: ['a', 'a@npm:1'] });
  });

  test('of the globs is told, in either form', () => {
    expect(diff({ workspaces: ['a/*'] }, { workspaces: ['a/*', 'b'] })).toEqual({ ...NOTHING, workspaces: 'changed' });
    expect(diff({ workspaces: ['a/*'] }, { workspaces: { packages: ['a/*'] } })).toEqual({ ...NOTHING, workspaces: 'changed' });
  });

  test('of a block that is none says nothing that Yarn would not see', () => {
    expect(diff({ dependencies: ['a'], scripts: 'x', resolutions: 3 }, {})).toEqual(NOTHING);
  });

  const KEYS = ['name', 'version', 'type', 'scripts', 'dependencies', 'resolutions', 'workspaces', 'engines', 'exports', 'other'];

  test('is found exactly where one is, in every key, and the same backwards', () => {
    const value = fc.dictionary(fc.constantFrom('x', 'y', 'g:z', 'postinstall'), fc.constantFrom('1', '2'), { noNullPrototype: true });
    const manifest = fc.dictionary(fc.constantFrom(...KEYS), value, { noNullPrototype: true });
    fc.assert(
      fc.property(manifest, manifest, (base, head) => {
        expect(diff(base, base)).toEqual(NOTHING);
        expect(diff(head, base)).toEqual(diff(base, head));
        for (const key of KEYS) {
          const one = { ...base, [key]: { ...base[key], fresh: 'new' } };
          expect(diff(base, one)).not.toEqual(NOTHING);
        }
      }),
    );
  });

  test('of several keys says what each of them alone says', () => {
    const change = { version: '2', main: './b.js', engines: { node: '22' }, dependencies: { a: '2' }, resolutions: { b: '2' } };
    const alone = Object.entries(change).map(([key, value]) => diff({}, { [key]: value }));
    const together = diff({}, change);
    expect(together.ignored).toEqual(alone.flatMap(({ ignored }) => ignored));
    expect(together.rootItself).toEqual(alone.flatMap(({ rootItself }) => rootItself));
    expect(together.dependencies).toEqual(alone.flatMap(({ dependencies }) => dependencies));
    expect(together.resolutions).toEqual(alone.flatMap(({ resolutions }) => resolutions));
    expect(together.all).toEqual(alone.find(({ all }) => all !== undefined)?.all);
  });
});
