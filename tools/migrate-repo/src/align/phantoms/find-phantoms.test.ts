import { describe, expect, test } from '@jest/globals';
import { collectAsks } from '../lock/asks.js';
import { projectOf } from '../project.fixture.js';
import type { ImportedPackage, Monorepo, OldLock } from '../project.js';
import { searchPhantoms } from './find-phantoms.js';
import type { Phantom } from './phantom.js';

interface Fixture {
  readonly manifest?: object;
  /** File texts by path, relative to the imported package's folder. */
  readonly files: Readonly<Record<string, string>>;
  /** The old lockfile, as `a 1.0.0, b 2.0.0`; `undefined` if there is none. */
  readonly lock?: string | undefined;
  readonly binaries?: Readonly<Record<string, string>>;
  /** Dependencies of packages in the old lockfile, as `a b, b c`. */
  readonly asks?: string;
  /** The manifests of other workspaces, by folder. */
  readonly others?: Readonly<Record<string, object>>;
}

function fixtureOf({ manifest = {}, files, lock, binaries = {}, asks = '', others = {} }: Fixture): {
  project: Monorepo;
  importedPackage: ImportedPackage;
} {
  const versions = Object.fromEntries((lock ?? '').split(', ').map((one) => [one.replace(/ .*/, '@*'), one.replace(/.* /, '')]));
  const project = projectOf({
    manifests: { 'packages/x': { name: 'x', ...manifest }, ...others },
    importedPackages: { 'packages/x': versions },
    files: Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/x/${path}`, text])),
  });
  const [only] = project.importedPackages;
  if (only?.oldLock === undefined) throw new Error('there is one imported package');
  const askers = asks.split(', ').map((one) => ({ names: [one.replace(/ .*/, '')], asked: [one.replace(/.* /, '')] }));
  const parts = { binaries: new Map(Object.entries(binaries)), asks: collectAsks(askers) };
  const oldLock: OldLock | undefined = lock === undefined ? undefined : { ...only.oldLock, ...parts };
  return { project, importedPackage: { ...only, oldLock } };
}

function search(fixture: Fixture): readonly string[] {
  const { project, importedPackage } = fixtureOf(fixture);
  return searchPhantoms(project, importedPackage).phantoms.map(format);
}

/** Formats a phantom as `a: import in src/a.ts:1 (production): dependencies ^1.0.0`. */
function format({ package: name, problem, kind, file, line, usedIn, declared }: Phantom): string {
  const declaration = declared === undefined ? 'nothing' : `${declared.block} ${declared.range}`;
  return `${name}${problem === 'third party' ? '' : ` (${problem})`}: ${kind} in ${file.replace('packages/x/', '')}:${line} (${usedIn}): ${declaration}`;
}

describe('what no entry point reaches is for development', () => {
  const USE = `import { a } from 'a'; a()`;
  const EXPORTS = { umd: './dist/x.min.js', default: './src/index.js' };
  test.each<[title: string, block: string, manifest: object, files: Record<string, string>]>([
    ['a file beside the entry', 'devDependencies', { exports: EXPORTS }, { 'src/index.js': `export * from './b.js'`, 'src/b.js': '' }],
    ['over another file', 'dependencies', { exports: EXPORTS }, { 'src/index.js': `export * from './b.js'`, 'src/b.js': `import './a'` }],
    ['without exports', 'dependencies', { main: 'src/index.js' }, { 'src/index.js': '' }],
    ['an entry that is built', 'dependencies', { exports: { '.': EXPORTS, './b': './dist/b.js' } }, { 'src/index.js': '' }],
    ['an entry that was built', 'dependencies', { exports: './dist/x.js' }, { 'dist/x.js': '' }],
    ['a path put together', 'dependencies', { exports: EXPORTS }, { 'src/index.js': `export const f = (n) => import('./' + n)` }],
    ['the folder of the file', 'dependencies', { exports: EXPORTS }, { 'src/index.js': `read(import.meta.dirname, 'a.js')` }],
    ['a path that leads nowhere', 'dependencies', { exports: EXPORTS }, { 'src/index.js': `import './made.js'` }],
    ['a pattern', 'dependencies', { exports: { '.': './src/index.js', './*': './src/*.js' } }, { 'src/index.js': '' }],
    ['the main of old bundlers', 'dependencies', { exports: EXPORTS, module: './src/a.js' }, { 'src/index.js': '' }],
    ['a binary', 'dependencies', { exports: EXPORTS, bin: { x: 'src/a.js' } }, { 'src/index.js': '' }],
    [
      'a binary without an extension',
      'dependencies',
      { exports: EXPORTS, bin: 'bin/x' },
      { 'src/index.js': '', 'bin/x': `require('../src/a')` },
    ],
    ['a folder of exports', 'dependencies', { exports: { '.': './src/index.js', './src/': './src/' } }, { 'src/index.js': '' }],
    ['TypeScript by the name of its output', 'devDependencies', { exports: './src/index.js' }, { 'src/index.ts': '' }],
  ])('%s', (_title, block, manifest, files) => {
    expect(search({ manifest, files: { ...files, 'src/a.js': USE }, lock: 'a 1.0.0' })).toEqual([
      `a: import in src/a.js:1 (production): ${block} ^1.0.0`,
    ]);
  });

  test('declarations that stand beside what an entry point names are reached', () => {
    const files = {
      'index.js': '',
      'index.d.ts': `export * from './lib/b.js'`,
      'lib/b.js': '',
      'lib/b.d.ts': `import type { A } from 'a'`,
    };
    const manifest = { exports: { types: './index.d.ts', default: './index.js' } };
    expect(search({ manifest, files, lock: 'a 1.0.0' })).toEqual([expect.stringMatching(/^a: .* dependencies \^1\.0\.0$/)]);
  });

  test('and of what is there for development nothing is to be decided', () => {
    const files = { 'src/index.js': '', 'src/a.js': USE };
    const manifest = { devDependencies: { a: '1' } };
    expect(search({ manifest, files, lock: 'a 1.0.0' })).toHaveLength(1);
    expect(search({ manifest: { ...manifest, exports: './src/index.js' }, files, lock: 'a 1.0.0' })).toEqual([]);
  });
});

describe('what the old lockfile has is declared as it was', () => {
  test.each<[files: Record<string, string>, lock: string, found: string[]]>([
    [{ 'src/a.ts': `import { a } from 'a'; a()` }, 'a 1.2.3', ['a: import in src/a.ts:1 (production): dependencies ^1.2.3']],
    [{ 'a.js': `require('a/b')` }, 'a 0.2.0-rc.1', ['a: require in a.js:1 (production): dependencies ^0.2.0-rc.1']],
    [{ 'test/a.js': `\nrequire.resolve('a')` }, 'a 1.0.0', ['a: resolve in test/a.js:2 (test): devDependencies ^1.0.0']],
    [{ 'a.test.js': `jest.mock('a')` }, 'a 1.0.0', ['a: mock in a.test.js:1 (test): devDependencies ^1.0.0']],
    [{ 'scripts/a.js': `import('a')` }, 'a 1.0.0', ['a: import in scripts/a.js:1 (script): devDependencies ^1.0.0']],
    [{ 'rollup.config.js': `import a from 'a'` }, 'a 1.0.0', ['a: import in rollup.config.js:1 (config): devDependencies ^1.0.0']],
    [
      { '.babelrc': `{ "presets": ["env"] }` },
      'babel-preset-env 1.7.0',
      ['babel-preset-env: config in .babelrc:1 (config): devDependencies ^1.7.0'],
    ],
    [
      { 'babel.config.js': `module.exports = (api) => ({ plugins: [['@babel/transform-runtime', { corejs: 3 }]] });` },
      '@babel/plugin-transform-runtime 7.0.0, @babel/runtime-corejs3 7.0.1',
      [
        '@babel/plugin-transform-runtime: config in babel.config.js:1 (config): devDependencies ^7.0.0',
        '@babel/runtime-corejs3: config in babel.config.js:1 (config): devDependencies ^7.0.1',
      ],
    ],
    [
      { '.eslintrc.js': `\nmodule.exports = { plugins: ['jest'], settings: { 'import/resolver': { webpack: {} } } };` },
      'jest 29.0.0, eslint-plugin-jest 27.0.0, webpack 5.0.0, eslint-import-resolver-webpack 0.13.0',
      [
        'eslint-import-resolver-webpack: config in .eslintrc.js:2 (config): devDependencies ^0.13.0',
        'eslint-plugin-jest: config in .eslintrc.js:2 (config): devDependencies ^27.0.0',
      ],
    ],
    [{ 'webpack.config.js': `module.exports = { mode: 'none', devtool: 'source-map' };` }, 'source-map 0.7.0, none 1.0.0', []],
    [
      { 'postcss.config.cjs': `module.exports = { plugins: { autoprefixer: {}, cssnano: false } };` },
      'autoprefixer 10.0.0, cssnano 6.0.0',
      ['autoprefixer: config in postcss.config.cjs:1 (config): devDependencies ^10.0.0'],
    ],
    [
      { 'tsconfig.json': `{"compilerOptions":{"importHelpers":true}}` },
      'tslib 2.0.0',
      ['tslib: config in tsconfig.json:1 (production): dependencies ^2.0.0'],
    ],
    [{ 'a.js': `try { require('a') } catch {}` }, 'a 1.0.0', ['a: require in a.js:1 (production): devDependencies ^1.0.0']],
    [{ 'a.js': `/** @type {import('a').A} */` }, 'a 1.0.0', ['a: type in a.js:1 (production): devDependencies ^1.0.0']],
    [
      { 'a.test.js': '/** @jest-environment jsdom */' },
      'jest-environment-jsdom 29.0.0',
      ['jest-environment-jsdom: config in a.test.js:1 (test): devDependencies ^29.0.0'],
    ],
    [{ 'a.test.js': '/** @jest-environment jsdom */' }, 'jest-environment-jsdom 27.0.0', []],
    [
      { 'a.test.js': '/** @vitest-environment happy-dom */', 'b.test.js': '/** @vitest-environment node */' },
      'happy-dom 9.0.0, node 20.0.0',
      ['happy-dom: config in a.test.js:1 (test): devDependencies ^9.0.0'],
    ],
    [{ 'a.js': `import 'b'` }, 'a 1.0.0', []],
  ])('%j with %s: %j', (files, lock, found) => {
    expect(search({ files, lock })).toEqual(found);
  });

  test('whatever builds TypeScript finds the compiler that was locked', () => {
    const fixture = {
      manifest: { devDependencies: { builder: '1' } },
      files: { 'tsconfig.json': '{}', 'src/a.ts': '' },
      lock: 'typescript 5.9.3, builder 1.0.0',
      asks: 'builder core, core typescript',
    };
    expect(search(fixture)).toEqual(['typescript: config in tsconfig.json:1 (config): devDependencies ^5.9.3']);
    const others: readonly [why: string, Partial<Fixture>][] = [
      ['nothing that it depends on asks for one: it is built from elsewhere', { asks: 'builder core, other typescript' }],
      ['there is no code for it: editors read the file', { files: { 'tsconfig.json': '{}', 'a.js': '', 'a.d.ts': '' } }],
      ['the file is for something beside it', { files: { 'test/tsconfig.json': '{}', 'tsconfig.build.json': '{}', 'a.ts': '' } }],
      ['the lockfile has none', { lock: 'builder 1.0.0' }],
    ];
    for (const [why, changed] of others) expect([why, search({ ...fixture, ...changed })]).toEqual([why, []]);
  });

  test('production code counts more than tests, and a use more than a type; else the first counts', () => {
    const files = {
      'a.test.js': `require('a'); require('b')`,
      'b.test.js': `require('b')`,
      'src/a.js': `\nrequire('a')`,
      'src/b.js': `require('a')`,
    };
    expect(search({ files, lock: 'a 1.0.0, b 1.0.0' })).toEqual([
      'a: require in src/a.js:2 (production): dependencies ^1.0.0',
      'b: require in a.test.js:1 (test): devDependencies ^1.0.0',
    ]);
  });

  test('the types of production code are a dependency of those who publish types', () => {
    const files = { 'src/a.ts': `import type { A } from 'a'; export let a: A` };
    expect(search({ files, lock: 'a 1.0.0', manifest: { types: 'a.d.ts' } })).toEqual([
      'a: type in src/a.ts:1 (production): dependencies ^1.0.0',
    ]);
    expect(search({ files, lock: 'a 1.0.0' })).toEqual(['a: type in src/a.ts:1 (production): devDependencies ^1.0.0']);
  });

  test('an import counts as a value unless it says type', () => {
    const files = { 'src/a.ts': `import { A } from 'a'; import type { B } from 'b'; export let a: A` };
    expect(search({ files, lock: 'a 1.0.0, b 1.0.0' })).toEqual([
      'a: import in src/a.ts:1 (production): dependencies ^1.0.0',
      'b: type in src/a.ts:1 (production): devDependencies ^1.0.0',
    ]);
  });

  test('a package under another name is asked for as it was', () => {
    const { project, importedPackage } = fixtureOf({ files: { 'a.js': `require('a')` }, lock: 'a 1.5.0' });
    const requests = [{ name: 'a', range: 'npm:@acme/a@^1.0.0', version: '1.5.0' }];
    const oldLock = importedPackage.oldLock === undefined ? undefined : { ...importedPackage.oldLock, requests };
    expect(searchPhantoms(project, { ...importedPackage, oldLock }).phantoms[0]?.declared?.range).toBe('npm:@acme/a@^1.5.0');
  });
});

describe('fine is', () => {
  test.each<[string, Fixture]>([
    [
      'what is declared',
      {
        manifest: {
          dependencies: { a: '1' },
          optionalDependencies: { b: '1' },
          peerDependencies: { c: '1' },
          peerDependenciesMeta: { d: { optional: true } },
        },
        files: { 'a.js': `require('a'); require('b'); require('c'); require('d')` },
        lock: 'a 1.0.0, b 1.0.0, c 1.0.0, d 1.0.0',
      },
    ],
    [
      'a development dependency in a test',
      { manifest: { devDependencies: { a: '1' } }, files: { 'test/a.js': `require('a')` }, lock: 'a 1.0.0' },
    ],
    ['its own name', { files: { 'a.js': `require('x/b')` }, lock: 'x 1.0.0' }],
    [
      'a module of Node',
      { files: { 'a.js': `require('fs'); require('node:punycode'); require('punycode')` }, lock: 'fs 1.0.0, punycode 1.0.0' },
    ],
    ['a path and a name of imports', { files: { 'a.js': `require('./a'); require('#a')` }, lock: 'a 1.0.0' }],
    [
      'an alias of TypeScript',
      { files: { 'tsconfig.json': `{"compilerOptions":{"paths":{"a/*":["./src/*"]}}}`, 'a.ts': `import 'a/b'` }, lock: 'a 1.0.0' },
    ],
    [
      'what a baseUrl leads to',
      { files: { 'tsconfig.json': `{"compilerOptions":{"baseUrl":"src"}}`, 'src/a/b.ts': '', 'a.ts': `import 'a/b'` }, lock: 'a 1.0.0' },
    ],
    ['a virtual mock', { files: { 'a.test.js': `jest.mock('a', f, { virtual: true }); require('a')` }, lock: 'a 1.0.0' }],
    [
      'what lies in a node_modules folder beside it',
      { files: { 'test/a.js': `require('a')`, 'test/node_modules/a/index.js': `require('b')` }, lock: 'a 1.0.0, b 1.0.0' },
    ],
    [
      'what an example declares itself',
      { files: { 'examples/y/package.json': `{"dependencies":{"a":"1"}}`, 'examples/y/src/a.js': `require('a')` }, lock: 'a 1.0.0' },
    ],
    [
      'a type whose package is declared',
      {
        manifest: { devDependencies: { '@types/a': '1' } },
        files: { 'a.ts': `import type { A } from 'a'` },
        lock: 'a 1.0.0, @types/a 1.0.0',
      },
    ],
    [
      'a type reference whose package is declared',
      { manifest: { devDependencies: { vite: '1' } }, files: { 'a.ts': `/// <reference types="vite/client" />` }, lock: 'vite 1.0.0' },
    ],
    [
      'a folder of its own that a script loads',
      { files: { 'test/a.js': '' }, manifest: { scripts: { test: 'node -r test/a b.js' } }, lock: 'test 1.0.0' },
    ],
    ['code that is built', { files: { 'dist/a.js': `require('a')` }, lock: 'a 1.0.0' }],
  ])('%s', (_what, fixture) => {
    expect(search(fixture)).toEqual([]);
  });

  test('no path that leads into node_modules: the package is needed', () => {
    const files = { 'tsconfig.json': `{"compilerOptions":{"paths":{"a":["./node_modules/a"]}}}`, 'a.ts': `import 'a'` };
    expect(search({ files, lock: 'a 1.0.0' })).toHaveLength(1);
  });
});

describe('types of TypeScript', () => {
  test.each<[code: string, lock: string, found: string[]]>([
    [`import a from 'a'; a()`, '@types/a 1.0.0', ['@types/a: type in a.ts:1 (production): devDependencies ^1.0.0']],
    [`import a from '@b/c'; a()`, '@types/b__c 1.0.0', ['@types/b__c: type in a.ts:1 (production): devDependencies ^1.0.0']],
    [`import fs from 'node:fs'; fs()`, '@types/node 20.0.0', ['@types/node: type in a.ts:1 (production): devDependencies ^20.0.0']],
    [`import 'd'`, '@types/node 20.0.0, d 1.0.0', []],
    [`import 'd'`, '@types/d 4.0.0, d 5.0.0', ['@types/d: type in a.ts:1 (production): devDependencies ^4.0.0']],
    [`import 'd'`, '@types/d 3.0.0, d 5.0.0', []],
    [`import 'd'`, '@types/d 0.1.0, d 1.0.0', []],
  ])('%j with %s: %j', (code, lock, found) => {
    expect(search({ manifest: { dependencies: { a: '1', '@b/c': '1', d: '1' } }, files: { 'a.ts': code }, lock })).toEqual(found);
  });

  test('a package that has nothing but types is found by them', () => {
    expect(search({ files: { 'a.ts': `import { A } from 'estree'; let a: A` }, lock: '@types/estree 1.0.0' })).toEqual([
      '@types/estree: type in a.ts:1 (production): devDependencies ^1.0.0',
    ]);
  });

  test('what a call of require returns has none; Node itself has, for require is one of its own', () => {
    const files = { 'a.ts': `const d = require('d'); jest.mock('d'); require.resolve('d')`, 'b.ts': `const fs = require('fs')` };
    expect(search({ manifest: { dependencies: { d: '1' } }, files, lock: '@types/d 1.0.0, @types/node 20.0.0, d 1.0.0' })).toEqual([
      '@types/node: type in b.ts:1 (production): devDependencies ^20.0.0',
    ]);
    const equals = { 'a.ts': `import d = require('d'); d()` };
    expect(search({ manifest: { dependencies: { d: '1' } }, files: equals, lock: '@types/d 1.0.0, d 1.0.0' })).toHaveLength(1);
  });

  test('a stub, which asks for the package that has types of its own by now, is not wanted', () => {
    const fixture = {
      manifest: { dependencies: { d: '4' } },
      files: { 'a.ts': `import { d } from 'd'; d()` },
      lock: '@types/d 3.0.0, d 4.0.0',
    };
    expect(search(fixture)).toHaveLength(1);
    expect(search({ ...fixture, asks: '@types/d d' })).toEqual([]);
  });

  test('JavaScript wants none', () => {
    expect(
      search({
        manifest: { dependencies: { a: '1' } },
        files: { 'a.js': `import 'a'; import 'fs'` },
        lock: '@types/a 1.0.0, @types/node 1.0.0',
      }),
    ).toEqual([]);
  });
});

describe('binaries of scripts', () => {
  test.each<[scripts: Record<string, string>, lock: string, binaries: Record<string, string>, found: string[]]>([
    [{ build: 'tsc -b' }, 'typescript 5.0.0', {}, ['typescript: binary in package.json:4 (script): devDependencies ^5.0.0']],
    [{ build: 'rollup -c' }, 'rollup 4.0.0', {}, ['rollup: binary in package.json:4 (script): devDependencies ^4.0.0']],
    [{ build: 'b -c' }, 'a 4.0.0, b 1.0.0', { b: 'a' }, ['a: binary in package.json:4 (script): devDependencies ^4.0.0']],
    [{ build: 'b -c' }, 'b 1.0.0', { c: 'a' }, []],
    [{ build: 'which b; rm -r c; echo d' }, 'which 1.0.0, rm 1.0.0, echo 1.0.0', { which: 'which' }, []],
    [{ build: 'yarn tsc', tsc: 'a' }, 'typescript 5.0.0', {}, []],
    [{ postinstall: 'a' }, 'a 1.0.0', { a: 'a' }, ['a: binary in package.json:4 (production): dependencies ^1.0.0']],
    [
      { test: 'mocha -r esm' },
      'mocha 8.0.0, esm 3.0.0',
      {},
      [
        'esm: binary in package.json:4 (script): devDependencies ^3.0.0',
        'mocha: binary in package.json:4 (script): devDependencies ^8.0.0',
      ],
    ],
  ])('%j with %s: %j', (scripts, lock, binaries, found) => {
    expect(search({ manifest: { scripts }, files: {}, lock, binaries })).toEqual(found);
  });

  test('it is enough that one of the packages is declared that bring a binary', () => {
    const manifest = { scripts: { test: 'jest' }, devDependencies: { jest: '29' } };
    expect(search({ manifest, files: {}, lock: 'jest 29.0.0, jest-cli 29.0.0', binaries: { jest: 'jest-cli' } })).toEqual([]);
  });
});

describe('other workspaces', () => {
  const others = { 'packages/y': { name: 'y', version: '2.1.0' } };
  test.each<[lock: string, range: string, ofNpm: string]>([
    ['a 1.0.0', 'workspace:^', '^2.1.0'],
    ['y 2.0.0', 'workspace:^', '^2.0.0'],
    ['y 1.0.0', '^1.0.0', '^1.0.0'],
  ])('with %s one is asked for by %s, and by %s in what npm packs', (lock, range, ofNpm) => {
    const fixture = { others, files: { 'a.js': `require('y')` }, lock };
    expect(search(fixture)).toEqual([`y (workspace): require in a.js:1 (production): dependencies ${ofNpm}`]);
    expect(search({ ...fixture, manifest: { private: true } })).toEqual([
      `y (workspace): require in a.js:1 (production): dependencies ${range}`,
    ]);
  });

  test('the files of one that lies inside are its own', () => {
    expect(search({ others: { 'packages/x/y': { name: 'y' } }, files: { 'y/a.js': `require('a')` }, lock: 'a 1.0.0' })).toEqual([]);
  });
});

test('a compiler leaves what sources import to consumers', () => {
  const manifest = { devDependencies: { a: '1' }, main: 'dist/index.js', files: ['dist'], scripts: { build: 'tsc' } };
  expect(search({ manifest, files: { 'src/index.ts': `import 'a'` }, lock: 'a 1.0.0' })).toHaveLength(1);
});

describe('a development dependency in production code', () => {
  const fixture: Fixture = { manifest: { devDependencies: { a: '1' } }, files: { 'a.js': `require('a')` }, lock: 'a 1.0.0' };
  test('is told and left', () => {
    expect(search(fixture)).toEqual(['a (development only): require in a.js:1 (production): nothing']);
  });

  test.each<[string, Partial<Fixture>]>([
    ['the package is private', { manifest: { devDependencies: { a: '1' }, private: true } }],
    ['the code does without it', { files: { 'a.js': `try { require('a') } catch {}` } }],
    ['it is in a script at the top that is not published', { manifest: { devDependencies: { a: '1' }, files: ['dist', './b.js'] } }],
    ['it is a type', { files: { 'a.ts': `import type { A } from 'a'` } }],
    [
      'a bundler puts it into what is published',
      {
        manifest: { devDependencies: { a: '1' }, main: 'dist/index.js', files: ['dist'], scripts: { build: 'unbuild' } },
        files: { 'src/index.ts': `import 'a'` },
      },
    ],
    ['a benchmark beside package.json needs it', { files: { 'bench.js': `require('a')` } }],
  ])('but not if %s', (_why, changed) => {
    expect(search({ ...fixture, ...changed })).toEqual([]);
  });

  test('is told if the bundler leaves packages out', () => {
    const build = { build: 'esbuild src/index.ts --bundle --packages=external --outfile=dist/index.js' };
    const manifest = { devDependencies: { a: '1' }, main: 'dist/index.js', files: ['dist'], scripts: build };
    expect(search({ ...fixture, manifest, files: { 'src/index.ts': `import 'a'` } })).toHaveLength(1);
  });

  test.each<object>([
    { files: ['./a.js'] },
    { files: ['*.js'] },
    { files: ['.'] },
    { files: ['dist'], main: './a.js' },
    { files: ['dist'], bin: 'a.js' },
    { files: ['dist'], bin: { x: 'a.js' } },
  ])('a script at the top is published by %j', (fields) => {
    expect(search({ ...fixture, manifest: { devDependencies: { a: '1' }, ...fields } })).toHaveLength(1);
  });

  test('and files that `files` does not name may be built into those that it does', () => {
    const files = { 'src/a.js': `require('a')` };
    expect(search({ ...fixture, files, manifest: { devDependencies: { a: '1' }, files: ['dist'] } })).toHaveLength(1);
  });

  test.each<[string, number, Partial<Fixture>]>([
    ['`files` leaves out', 0, { manifest: { files: ['b.js'] }, files: { 'b.js': '' } }],
    ['.npmignore leaves out', 0, { files: { '.npmignore': 'recipes' } }],
    ['`files` names', 1, { manifest: { files: ['recipes'] } }],
    ['a build reads', 1, { manifest: { files: ['dist'], scripts: { build: 'tsc recipes/*.ts' } } }],
    ['a compiler includes', 1, { manifest: { files: ['dist'] }, files: { 'tsconfig.json': '{"include":["recipes"]}' } }],
    ['a compiler without limits reads', 1, { manifest: { files: ['dist'] }, files: { 'tsconfig.json': '{}' } }],
  ])('a folder that %s: %d findings', (_, count, { manifest = {}, files = {} }) => {
    const recipe = { 'recipes/tie.ts': `import a from 'a'; a()` };
    const found = search({ ...fixture, files: { ...recipe, ...files }, manifest: { devDependencies: { a: '1' }, ...manifest } });
    expect(found.filter((one) => one.startsWith('a '))).toHaveLength(count);
  });
});

describe('a folder with programs that scripts run', () => {
  const MADE = { main: 'made/x.js', scripts: { docs: 'cd . && node --no-warnings ./support/docs.js' } };
  const FILES = { 'made/x.js': '', 'support/docs.js': '', 'support/theme/a.js': `require('a')` };
  const SHELL = { main: 'x.js', files: ['x.js'], scripts: { prerelease: '. ./support/make.sh', watch: 'babel support/watch.js | node' } };
  test.each<[title: string, block: string, manifest: object, files: Record<string, string>]>([
    ['is for development', 'devDependencies', MADE, {}],
    ['of shells is', 'devDependencies', SHELL, { 'support/make.sh': '' }],
    ['is published where `files` names it', 'dependencies', { ...MADE, files: ['support'] }, {}],
    ['is published where an entry point is in it', 'dependencies', { ...MADE, bin: 'support/docs.js' }, {}],
    [
      'is published where an entry point loads it',
      'dependencies',
      { ...MADE, exports: './y.js' },
      { 'y.js': `require('./support/theme/a')` },
    ],
    ['is published where the build names it', 'dependencies', { ...MADE, source: 'support/x.ts' }, {}],
    ['is published where consumers run it', 'dependencies', { ...MADE, scripts: { install: 'node support/docs.js' } }, {}],
    ['is an application where it is started', 'dependencies', { ...MADE, scripts: { start: 'node support/docs.js' } }, {}],
    ['is an application where the package is private', 'dependencies', { ...MADE, private: true }, {}],
    [
      'is published where the source folder is',
      'dependencies',
      { ...MADE, scripts: { x: 'node lib/x.js' } },
      { 'lib/x.js': `require('a')` },
    ],
  ])('%s', (_title, block, manifest, files) => {
    const all = { ...FILES, ...files };
    expect(search({ manifest, files: all, lock: 'a 1.0.0' })).toEqual([expect.stringMatching(new RegExp(`: ${block} \\^1\\.0\\.0$`))]);
  });

  test('and of what is there for development nothing is to be decided', () => {
    expect(search({ manifest: { ...MADE, devDependencies: { a: '1' } }, files: FILES, lock: 'a 1.0.0' })).toEqual([]);
  });
});

test.each<[title: string, count: number, manifest: object, files: Record<string, string>]>([
  ['that the sources do not load', 0, {}, { 'src/x.ts': '' }],
  ['that the sources load', 1, {}, { 'src/x.ts': `import '../a.js'` }],
  ['that is the source', 1, { main: 'dist/a.js' }, {}],
  ['that is the source, where code computes a path', 1, { main: 'dist/a.js' }, { 'a.ts': `import a from 'a'; a(require(a))` }],
  ['that a compiler without limits reads', 1, {}, { 'tsconfig.json': '{}' }],
  ['that the build names', 1, { source: './a.ts' }, {}],
])('TypeScript at the top %s: %d findings', (_title, count, manifest, files) => {
  const built = { main: 'dist/x.js', files: ['dist'], devDependencies: { a: '1' }, ...manifest };
  expect(search({ manifest: built, files: { 'a.ts': `import a from 'a'; a()`, ...files }, lock: 'a 1.0.0' })).toHaveLength(count);
});

describe('where a build makes the entry point', () => {
  const BUILT = { main: 'dist/index.js', files: ['dist'] };
  test.each<[title: string, block: string | undefined, file: string, manifest: object, files: Record<string, string>]>([
    ['a folder may be built in', 'dependencies', 'core/a.js', { scripts: { build: 'node build.mjs' } }, { 'build.mjs': '' }],
    ['a folder may be compiled', 'dependencies', 'core/a.ts', {}, { 'tsconfig.json': '{"include":["**/*.ts"]}' }],
    ['a script at the top is named by the build', 'dependencies', 'a.js', { scripts: { dist: 'babel ./a.js -d dist' } }, {}],
    ['all of them are', 'dependencies', 'a.js', { scripts: { build: 'babel *.js -d dist' } }, {}],
    ['the whole folder is', 'dependencies', 'a.js', { scripts: { build: 'babel . -d dist' } }, {}],
    ['a field of the manifest does', 'dependencies', 'a.js', { source: 'a.js' }, {}],
    ['settings do', 'dependencies', 'a.js', {}, { 'rollup.config.cjs': `module.exports = { input: './a' }` }],
    ['a program of the build does', 'dependencies', 'a.js', { scripts: { build: 'node make.js' } }, { 'make.js': `bundle('a.js')` }],
    ['the likely source loads it', 'dependencies', 'core/a.js', {}, { 'src/index.js': `import '../core/a.js'` }],
    ['the likely source does not', 'devDependencies', 'core/a.js', {}, { 'src/index.js': '' }],
    ['another source does', 'dependencies', 'a.js', { source: 'b.js' }, { 'b.js': `import './a.js'` }],
    ['a compiler of scripts may take it', 'dependencies', 'a.js', {}, { 'tsconfig.json': '{"compilerOptions":{"allowJs":true}}' }],
    ['nobody names it', 'devDependencies', 'a.js', { scripts: { build: 'tsc', start: 'node a.js' } }, {}],
    ['only the output has its name', 'devDependencies', 'a.js', { scripts: { build: 'rollup src/a.js -o dist/a.js' } }, {}],
    ['it has the name of a tool', 'dependencies', 'babel-a.js', { source: 'babel-a.js' }, {}],
    ['it is run and built', 'dependencies', 'a.js', { scripts: { build: 'node a.js && babel a.js -d dist' } }, {}],
    ['it is the program', 'devDependencies', 'a.mjs', { scripts: { build: 'node ./a.mjs --minify' } }, {}],
    ['it is the program in a folder', 'devDependencies', 'make/a.js', { scripts: { build: 'node make/a.js' } }, {}],
    [
      'only declarations are built',
      'devDependencies',
      'core/a.js',
      { main: 'b.js', types: './types/b.d.ts', files: ['b.js', 'types'] },
      { 'b.js': 'require(b)' },
    ],
    ['it is for tests', 'devDependencies', 'core/test/a.js', {}, {}],
  ])('%s: %s', (_title, block, file, manifest, files) => {
    const found = search({ manifest: { ...BUILT, ...manifest }, files: { ...files, [file]: `import a from 'a'; a()` }, lock: 'a 1.0.0' });
    expect(found).toEqual([expect.stringContaining(` in ${file}:1 (`)]);
    expect(found).toEqual([expect.stringMatching(new RegExp(`: ${block} \\^1\\.0\\.0$`))]);
  });
});

test('without an old lockfile what code names is told, and nothing is to be declared', () => {
  const files = { 'a.js': `require('a'); require('fs')`, '.babelrc': '{ "presets": ["b"] }' };
  expect(search({ files, manifest: { scripts: { build: 'tsc && c' } } })).toEqual([
    'a: require in a.js:1 (production): nothing',
    'typescript: binary in package.json:4 (script): nothing',
  ]);
});

test('without an old lockfile names that settings map, and paths to own files, are no packages', () => {
  const files = {
    'a.js': ['vite/x', 'roll', 'pack/x', 'jest/x', 'shim', '@app/x', '@other/x', 'lib/b', 'lib/none', 'plain', '~/x']
      .map((name) => `import '${name}';`)
      .join('\n'),
    'lib/b.js': '',
    'vite.config.js': `export default { resolve: { alias: [{ find: 'vite', replacement: 'x' }, { find: /^roll$/, replacement: 'x' }] } };`,
    'webpack.config.js': `module.exports = { resolve: { alias: { pack: 'x', '@app': 'x' }, fallback: ['plain'] } };`,
  };
  const manifest = { jest: { moduleNameMapper: { '^jest/(.*)$': 'x' } }, browser: { shim: './lib/b.js' } };
  expect(search({ files, manifest })).toEqual([
    '@other/x: import in a.js:7 (production): nothing',
    'lib: import in a.js:9 (production): nothing',
    'plain: import in a.js:10 (production): nothing',
  ]);
});

test('what benchmarks and examples use too is told of the script or test that uses it', () => {
  const files = {
    'bench/a.js': `require('a'); require('b'); require('c')`,
    'examples/.babelrc': '{ "presets": ["d"] }',
    'scripts/a.js': `require('b')`,
    'test/c.js': `require('c')`,
  };
  expect(search({ files })).toEqual([
    'a: require in bench/a.js:1 (sample): nothing',
    'b: require in scripts/a.js:1 (script): nothing',
    'c: require in test/c.js:1 (test): nothing',
  ]);
  expect(search({ files, lock: 'a 1.0.0, babel-preset-d 1.0.0' })).toEqual([
    'a: require in bench/a.js:1 (sample): devDependencies ^1.0.0',
    'babel-preset-d: config in examples/.babelrc:1 (sample): devDependencies ^1.0.0',
  ]);
});

test('what fixtures alone use is told and left; what cannot be read in them is not told', () => {
  const files = {
    'test/fixtures/a.js': `require('a'); require('b')`,
    'test/fixtures/.babelrc': '{{',
    'test/c.js': `require('b')`,
  };
  const { project, importedPackage } = fixtureOf({ files, lock: 'a 1.0.0, b 1.0.0' });
  const { phantoms, unread } = searchPhantoms(project, importedPackage);
  expect(phantoms.map(format)).toEqual([
    'a: require in test/fixtures/a.js:1 (fixture): nothing',
    'b: require in test/c.js:1 (test): devDependencies ^1.0.0',
  ]);
  expect(unread).toEqual([]);
});

test('broken code is read, and settings that cannot be read are told', () => {
  const files = { 'a.js': `require('a'); }}}`, '.babelrc': '{{', '.eslintrc.yml': 'a: [b' };
  const { project, importedPackage } = fixtureOf({ files, lock: 'a 1.0.0' });
  const { phantoms, unread } = searchPhantoms(project, importedPackage);
  expect(phantoms.map(format)).toEqual(['a: require in a.js:1 (production): dependencies ^1.0.0']);
  expect(unread).toEqual(['packages/x/.babelrc', 'packages/x/.eslintrc.yml']);
});
