// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are settings of somebody
import { describe, expect, test } from '@jest/globals';
import { keyedNames, namesIn } from './names.fixture.js';

type Case = readonly [settings: object, names: readonly string[]];

describe('a tsconfig', () => {
  const cases: readonly Case[] = [
    [{ extends: '../../tsconfig.base.json' }, ['../../tsconfig.base.json']],
    [{ extends: ['@x/tsconfig/base.json', './b.json'] }, ['module @x/tsconfig/base.json', './b.json']],
    [{ references: [{ path: '../b' }], files: ['../x.ts'], include: ['src', '../types/**'] }, ['../b', '../x.ts', 'src', '../types/*']],
    [{ include: ['${configDir}/src', '${configDir}/../x'] }, ['${configDir}/src', '${configDir}/../x']],
    [{ compilerOptions: { paths: { 'fx/*': ['stubs/*'], 'a.b': ['../c'] } } }, ['stubs/*', '../c']],
    [{ compilerOptions: { baseUrl: '..', paths: { x: ['c'] } } }, ['../*', '/p/c']],
    [{ compilerOptions: { rootDirs: ['../g'], typeRoots: ['../types'] } }, ['../g', '../types']],
    [
      { compilerOptions: { types: ['jest', '@a/b', '@types/c', '../d'] } },
      ['module @types/jest', 'module jest', 'module @types/a__b', 'module @a/b', 'module @types/c', '../d'],
    ],
    [
      { compilerOptions: { plugins: [{ name: '@x/p', transform: '../t.ts' }], jsxImportSource: '@x/j' } },
      ['module @x/p', '../t.ts', 'module @x/j'],
    ],
    [{ 'ts-node': { require: ['tsconfig-paths/register'], compiler: '@x/c' } }, ['module tsconfig-paths/register', 'module @x/c']],
    [{ compilerOptions: { outDir: '../out', rootDir: '..' }, exclude: ['../x'] }, []],
  ];
  test.each(cases)('%j', (settings, names) => {
    expect(namesIn('p/a/tsconfig.build.json', settings)).toEqual(names);
  });

  test('keeps the key, so that a reader can tell a base from a reference', () => {
    const settings = { extends: ['./b'], references: [{ path: '../c' }], compilerOptions: { paths: { 'x.y': ['../d'] } } };
    expect(keyedNames('p/a/tsconfig.json', settings).map(([key]) => key)).toEqual([
      'extends.0',
      'references.0.path',
      'compilerOptions.paths.x.y.0',
    ]);
  });
});

describe('settings of Babel', () => {
  const cases: readonly Case[] = [
    [{ presets: ['foo'] }, ['module babel-preset-foo', 'module foo', 'module babel-plugin-foo']],
    [{ plugins: [['babel-plugin-foo', {}]] }, ['module babel-plugin-foo', 'module babel-preset-babel-plugin-foo']],
    [{ presets: ['@x'] }, ['module @x/babel-preset', 'module @x', 'module @x/babel-plugin']],
    [{ plugins: ['@x/foo'] }, ['module @x/babel-plugin-foo', 'module @x/foo', 'module @x/babel-preset-foo']],
    [{ presets: ['module:@x/p', '../p.js', './q'] }, ['module @x/p', '../p.js', './q']],
    [{ extends: '../babel.config.json', babelrcRoots: ['.', '../*'] }, ['../babel.config.json', '.', '../*']],
    [{ env: { test: { plugins: ['module:a'] } }, overrides: [{ presets: [['module:b']] }] }, ['module a', 'module b']],
    [
      { plugins: [['module:r', { root: ['../s'], alias: { x: './y' }, importSource: '@x/j' }]] },
      ['module r', 'text ../s', './y', 'module @x/j'],
    ],
  ];
  test.each(cases)('%j', (settings, names) => {
    expect(namesIn('p/a/.babelrc', settings)).toEqual(expect.arrayContaining([...names]));
  });

  test("Babel's own short names", () => {
    expect(namesIn('babel.config.json', { presets: ['@babel/env'] })).toContain('module @babel/preset-env');
    expect(namesIn('babel.config.json', { plugins: ['@babel/foo'] })).toContain('module @babel/plugin-foo');
  });

  test('JSON5 is read by its strings, and is not opaque', () => {
    expect(namesIn('p/a/.babelrc', "{ presets: ['foo', './p.js'] }")).toEqual(
      expect.arrayContaining(['module babel-preset-foo', 'text ./p.js']),
    );
  });
});

describe('settings of builders', () => {
  const cases: readonly (readonly [path: string, settings: object, names: readonly string[]])[] = [
    ['.swcrc', { jsc: { experimental: { plugins: [['@x/p', { a: '../b' }]] } } }, ['module @x/p', 'text ../b']],
    ['.swcrc', { jsc: { baseUrl: '..', paths: { x: ['c/*'] } } }, ['..', '/p/c/*']],
    ['.swcrc', { jsc: { transform: { react: { importSource: '@x/j' } } } }, ['module @x/j']],
    ['typedoc.json', { extends: ['../t.json'], entryPoints: ['../b/*'], plugin: ['@x/t'] }, ['../t.json', '../b/*', 'module @x/t']],
    ['api-extractor.json', { extends: '../a.json', mainEntryPointFilePath: '<projectFolder>/d.ts' }, ['../a.json', 'd.ts']],
    ['api-extractor.base.json', { extends: '@x/a/a.json', bundledPackages: ['@x/b'] }, ['module @x/a/a.json', 'module @x/b']],
    [
      'lerna.json',
      { extends: '@x/lerna', packages: ['../*'], command: { version: { changelogPreset: '@x/p' } } },
      ['module @x/lerna', 'module @x/p'],
    ],
    ['.parcelrc', { extends: '@x/parcel' }, ['module @x/parcel']],
  ];
  test.each(cases)('%s %j', (path, settings, names) => {
    expect(namesIn(`p/a/${path}`, settings)).toEqual(expect.arrayContaining([...names]));
  });

  test('what TypeDoc writes is not read', () => {
    const settings = { out: '../../docs', json: '../d.json', outputs: [{ name: 'html', path: '../site' }], readme: '../README.md' };
    expect(namesIn('p/a/typedoc.json', settings)).toEqual(['../README.md']);
  });
});
