import { describe, expect, test } from '@jest/globals';
import { namesIn } from './names.fixture.js';

type Case = readonly [settings: object, names: readonly string[]];

describe('settings of Jest', () => {
  const modules = ['preset', 'dependencyExtractor', 'filter', 'globalSetup', 'globalTeardown', 'moduleLoader', 'prettierPath', 'resolver'];
  const more = ['runtime', 'setupTestFrameworkScriptFile', 'snapshotResolver', 'testResultsProcessor', 'testRunner'];
  test.each([...modules, ...more])('%s: a module or a path', (key) => {
    expect(namesIn('p/a/jest.config.json', { [key]: '@x/y/z' })).toEqual(['module @x/y/z']);
    expect(namesIn('p/a/jest.config.json', { [key]: '<rootDir>/x' })).toEqual(['<rootDir>/x']);
    expect(namesIn('p/a/jest.config.json', { [key]: './../x' })).toEqual(['./../x']);
  });

  test.each(['setupFiles', 'setupFilesAfterEnv', 'snapshotSerializers', 'reporters'])('%s: a list of them', (key) => {
    expect(namesIn('p/a/jest.config.json', { [key]: ['x', '../y'] })).toEqual(['module x', '../y']);
  });

  test.each(['testEnvironment', 'runner', 'testSequencer'])('%s: a short name', (key) => {
    const prefixes = ['jest-environment', 'jest-runner', 'jest-sequencer', 'jest-watch', 'vitest-environment'];
    const wide = ['module x', ...prefixes.map((prefix) => `module ${prefix}-x`)];
    expect(namesIn('p/a/jest.config.json', { [key]: 'x' })).toEqual(expect.arrayContaining(wide));
    expect(namesIn('p/a/jest.config.json', { [key]: '@x/y' })).toEqual(['module @x/y']);
  });

  const cases: readonly Case[] = [
    [{ roots: ['<rootDir>', '../b', 'src'] }, ['.', '../b', 'src']],
    [
      { modulePaths: ['../b'], moduleDirectories: ['node_modules', 'shared', '<rootDir>/../x'] },
      ['../b/*', 'shared/*', '<rootDir>/../x/*'],
    ],
    [{ rootDir: '../..', setupFiles: ['<rootDir>/s.js', 'x'] }, ['../..', '/<rootDir>/s.js', 'module /x']],
    [{ rootDir: '../../../..', setupFiles: ['./s.js'] }, ['../../../..', './s.js']],
    [{ projects: ['<rootDir>/../b', '../*'] }, ['<rootDir>/../b', '../*']],
    [{ projects: [{ rootDir: '../b', preset: './p' }] }, ['../b', '/p/b/./p']],
    [{ transform: { '\\.ts$': '@x/t', 'a.0': ['../t.js', { configFile: '../c.js' }] } }, ['module @x/t', '../t.js', 'text ../c.js']],
    [{ transform: { a: ['babel-jest', { presets: ['module:p'] }] } }, ['module babel-jest', 'module p']],
    [{ moduleNameMapper: { '^a$': '<rootDir>/../b/$1/src', '^b': ['@m/$1', '../c'] } }, ['<rootDir>/../b/*', 'module @m/*', '../c']],
    [{ haste: { hasteImplModulePath: '../h.js' } }, ['../h.js']],
    [{ watchPlugins: ['@x/w', ['../w.js', {}]], runner: ['@x/r', {}] }, ['module @x/w', '../w.js', 'module @x/r']],
    [{ reporters: ['default', ['../r.js', { x: '../y' }]] }, ['module default', '../r.js', 'text ../y']],
    [{ globals: { 'ts-jest': { tsconfig: '../t.json', babelConfig: '<rootDir>/b.js' } } }, ['text ../t.json', 'text <rootDir>/b.js']],
    [{ testMatch: ['<rootDir>/../b/**/*.js', '**/x.js'], testRegex: '../x' }, ['text <rootDir>/../b/*']],
    [{ coverageProvider: 'v8', displayName: '../x', verbose: true }, []],
  ];
  test.each(cases)('%j', (settings, names) => {
    expect(namesIn('p/a/jest.config.json', settings)).toEqual(names);
  });
});

describe('settings of Mocha', () => {
  const cases: readonly Case[] = [
    [{ require: ['ts-node/register', './s.js', '@x/y'] }, ['module ts-node/register', 'text ts-node/register', './s.js', 'module @x/y']],
    [{ require: 'test/s.js', extends: '../.mocharc.json' }, ['module test/s.js', 'text test/s.js', '../.mocharc.json']],
    [{ spec: ['../b/**/*.js', 'test'], file: '../f.js' }, ['text ../b/*', 'text test', 'text ../f.js']],
    [{ reporter: '@x/r', ui: '@x/u', package: '../package.json' }, ['module @x/r', 'module @x/u', 'text ../package.json']],
    [{ 'node-option': ['import=@x/loader', 'expose-gc'], 'reporter-option': ['configFile=../x.json'] }, ['module @x/loader', '../x.json']],
    [{ 'watch-files': ['../b/**'], config: '../x.yml' }, ['text ../b/*', 'text ../x.yml']],
    [{ extension: ['ts'], timeout: 5 }, []],
  ];
  test.each(cases)('%j', (settings, names) => {
    expect(namesIn('p/a/.mocharc.json', settings)).toEqual(names);
  });

  test('in YAML, with comments', () => {
    expect(namesIn('p/a/.mocharc.yml', '# why\nrequire:\n  - ./s.js\nspec: "../b/*.js"\n')).toEqual(['./s.js', 'text ../b/*']);
  });
});

describe('settings of coverage and other runners', () => {
  const cases: readonly (readonly [path: string, settings: object, names: readonly string[]])[] = [
    ['.nycrc', { extends: '@x/nyc', cwd: '../..' }, ['module @x/nyc', '../..']],
    ['.nycrc.json', { extends: ['base.json'], require: ['./r.js'] }, ['module base.json', 'text base.json', './r.js']],
    ['.c8rc.json', { extends: '../.c8rc.json' }, ['../.c8rc.json']],
    ['vitest.workspace.json', ['packages/*', '!packages/x', '../b/vitest.config.ts'], ['packages/*', '../b/vitest.config.ts']],
    ['cypress.json', { supportFile: '../s.js', pluginsFile: 'p.js', fixturesFolder: '../f' }, ['../s.js', 'p.js', '../f']],
    ['stryker.conf.json', { plugins: ['@x/s'], jest: { configFile: '../j.js' } }, ['module @x/s', '../j.js']],
    ['cypress.json', { e2e: { supportFile: '../s.js' }, videosFolder: '../v' }, ['../s.js', 'text ../v']],
    ['stryker.conf.json', { jest: { config: { preset: '@x/j' } }, buildCommand: 'node ../b.js' }, ['text ../b.js', 'module @x/j']],
    ['stryker.conf.json', { mochaOptions: { require: ['r.js'], spec: ['../t/*'] } }, ['module r.js', 'text r.js', '../t/*']],
    ['package.json', { ava: { require: ['@x/r', ['../r.js', 1]], files: ['../t/*'] } }, ['module @x/r', '../r.js', '../t/*']],
  ];
  test.each(cases)('%s %j', (path, settings, names) => {
    expect(namesIn(`p/a/${path}`, settings)).toEqual(names);
  });
});
