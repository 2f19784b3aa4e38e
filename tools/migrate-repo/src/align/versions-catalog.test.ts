import { describe, expect, test } from '@jest/globals';
import { projectOf } from './project.fixture.js';
import { alignMany, type Many, report, say } from './versions.fixture.js';
import { alignVersions } from './versions.js';

describe('a catalog', () => {
  const files = { '.yarnrc.yml': 'catalog:\n  x: ^1.0.0\n  y: ^1.0.0\ncatalogs:\n  dev:\n    x: ^2.0.0\n' };
  const root = { packageManager: 'yarn@4.18.1' };

  test('is used where somebody uses it and its entry admits what is locked', () => {
    const one = (range: string, locked: string, given: Partial<Many> = {}): readonly string[] =>
      say(
        alignMany({
          declared: { a: 'catalog:', b: 'catalog:dev', c: '^1.0.0', n: range },
          importedPackages: { n: { [`x@${range}`]: locked } },
          rootLock: { 'x@^1.0.0': '1.2.0', 'x@^2.0.0': '2.2.0' },
          files,
          root,
          ...given,
        }),
      );
    expect(one('^1.0.0', '1.2.0')).toEqual(['x n: ^1.0.0 -> catalog:']);
    expect(one('1', '1.1.0')).toEqual(['x n: 1 -> catalog:, 1.1.0 -> 1.2.0 (minor up)']);
    expect(one('^1.1.0', '1.1.0')).toEqual(['x left at n: lower or wider']);
    expect(one('2', '2.2.0')).toEqual(['x left at n: published']);
    expect(one('2', '2.1.0')).toEqual(['x n: 2 -> catalog:dev, 2.1.0 -> 2.2.0 (minor up)']);
    expect(one('3', '3.0.0')).toEqual(['x left at n: ranges exclude each other']);
    expect(one('1', '1.2.0', { declared: { b: 'catalog:dev', c: '^1.0.0', n: '1' } })).toEqual(['x left at n: published']);
    expect(one('2', '2.2.0', { root: { packageManager: 'yarn@4.9.4' } })).toEqual(['x left at n: ranges exclude each other']);
    expect(one('2', '2.2.0', { root: {} })).toEqual(['x left at n: ranges exclude each other']);
    const committed = { '.yarnrc.yml': `${files['.yarnrc.yml']}yarnPath: .yarn/releases/yarn-4.12.0.cjs\n` };
    expect(one('2', '2.1.0', { root: { packageManager: 'yarn@3.0.0' }, files: committed })).toEqual([
      'x n: 2 -> catalog:dev, 2.1.0 -> 2.2.0 (minor up)',
    ]);
  });

  test('is for packages that Yarn packs, and for what nobody publishes: npm would publish `catalog:` as it is', () => {
    const take = (own: object): readonly string[] => {
      const manifests = {
        '': { name: 'root', workspaces: ['*'], ...root },
        a: { name: 'a', private: true, dependencies: { x: 'catalog:' } },
        n: { name: 'n', ...own },
      };
      const locks = { importedPackages: { n: { 'x@^1.0.0': '1.1.0' } }, rootLock: { 'x@^1.0.0': '1.2.0' } };
      return say(alignVersions(projectOf({ manifests, files, ...locks }), report));
    };
    const dependencies = { x: '^1.0.0' };
    expect(take({ dependencies, scripts: { release: 'np' } })).toEqual(['x left at n: published']);
    expect(take({ dependencies, scripts: { release: 'yarn npm publish' } })).toEqual([
      'x n: ^1.0.0 -> catalog:, 1.1.0 -> 1.2.0 (minor up)',
    ]);
    expect(take({ private: true, dependencies })).toEqual(['x n: ^1.0.0 -> catalog:, 1.1.0 -> 1.2.0 (minor up)']);
    expect(take({ devDependencies: dependencies })).toEqual(['x n: ^1.0.0 -> catalog:, 1.1.0 -> 1.2.0 (minor up)']);
  });

  test('is not used where it admits what the package excluded: published or private, for development or not', () => {
    const wide = { '.yarnrc.yml': 'catalog:\n  x: "1"\n' };
    for (const own of [
      { dependencies: { x: '^1.1.0' } },
      { devDependencies: { x: '^1.1.0' } },
      { private: true, dependencies: { x: '^1.1.0' } },
    ]) {
      const manifests = {
        '': { name: 'root', workspaces: ['*'], ...root },
        a: { name: 'a', dependencies: { x: 'catalog:' } },
        b: { name: 'b', dependencies: { x: '^1.2.0' } },
        n: { name: 'n', ...own },
      };
      const locks = { importedPackages: { n: { 'x@^1.1.0': '1.1.0' } }, rootLock: { 'x@1': '1.4.0', 'x@^1.2.0': '1.4.0' } };
      const took = say(alignVersions(projectOf({ manifests, files: wide, ...locks }), report));
      expect(took).toEqual(['x n: ^1.1.0 -> ^1.2.0, 1.1.0 -> 1.4.0 (minor up)']);
    }
  });

  test('or another workspace may pin what is published, and it is not pinned for that', () => {
    const pinned = { '.yarnrc.yml': 'catalog:\n  x: 1.4.0\n' };
    const take = (block: string): readonly string[] => {
      const manifests = {
        '': { name: 'root', workspaces: ['*'], ...root },
        a: { name: 'a', dependencies: { x: 'catalog:' } },
        n: { name: 'n', [block]: { x: '^1.1.0' } },
      };
      const locks = { importedPackages: { n: { 'x@^1.1.0': '1.4.0' } }, rootLock: { 'x@1.4.0': '1.4.0' } };
      return say(alignVersions(projectOf({ manifests, files: pinned, ...locks }), report));
    };
    expect(take('dependencies')).toEqual(['x left at n: a pin']);
    expect(take('devDependencies')).toEqual(['x n: ^1.1.0 -> catalog:']);
  });

  test('of its own, with another range, is not taken for that of the root', () => {
    const catalogs = { '.yarnrc.yml': 'catalog:\n  x: ^1.0.0\n', 'n/.yarnrc.yml': 'catalog:\n  x: ^1.1.0\n' };
    const given = { declared: { a: '^1.0.1', n: 'catalog:' }, importedPackages: { n: {} }, root };
    expect(alignMany({ ...given, files: catalogs })).toEqual({ edits: new Map(), findings: [] });
    expect(say(alignMany({ ...given, files: { ...catalogs, 'n/.yarnrc.yml': 'catalog:\n  x: ^1.0.0\n' } }))).toEqual([
      'x n: catalog: -> ^1.0.1',
    ]);
  });

  test('that is not YAML is an error with its line', () => {
    const broken = { '.yarnrc.yml': 'catalog:\n  x: [\n' };
    expect(() => alignMany({ declared: { n: '1' }, importedPackages: { n: {} }, files: broken })).toThrow(
      /^\.yarnrc\.yml:\d: it is not YAML/,
    );
  });
});
