import { describe, expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { readReferences } from '../read-references.js';
import { keyedNames, namesIn } from './names.fixture.js';

describe('a manifest', () => {
  const cases: readonly (readonly [manifest: object, names: readonly string[]])[] = [
    [
      { main: '../x.js', types: './x.d.ts', bin: { x: '../bin.js' }, files: ['dist', '../y'] },
      ['text ../x.js', 'text ../bin.js', 'text ../y'],
    ],
    [{ exports: { '.': { import: '../a.mjs' } }, imports: { '#x': '../b.js' } }, ['text ../a.mjs', 'text ../b.js']],
    [{ imports: { '#x': { node: '@x/a', default: './x.js' } }, alias: { b: '@x/b/c' } }, ['module @x/a', 'module @x/b/c']],
    [{ browser: { './a': '../a.js' }, module: 'x/../../y.js' }, ['text ../a.js', 'text x/../../y.js']],
    [{ workspaces: ['../a'], repository: '../x', homepage: '../x', author: '../x', bugs: { url: '../x' } }, []],
    [{ 'lint-staged': { '*.js': '--config=../x' } }, ['text ../x']],
    [{ jest: { preset: '<rootDir>/../p', setupFiles: ['./s.js'] } }, ['<rootDir>/../p', './s.js']],
    [{ jest: '../jest.config.js' }, ['../jest.config.js']],
    [{ babel: { presets: ['module:x'] }, prettier: '@x/prettier' }, ['module x', 'module @x/prettier']],
    [{ eslintConfig: { parser: '../p.js' }, stylelint: { extends: '../s.json' } }, ['../p.js', '../s.json']],
    [
      { mocha: { require: '@x/r' }, nyc: { extends: '@x/nyc' }, c8: { require: '@x/c8' } },
      ['module @x/r', 'module @x/nyc', 'module @x/c8'],
    ],
    [{ ava: { require: ['./r.js'] }, nx: { implicitDependencies: ['b'] } }, ['./r.js', 'module b']],
    [{ typedocOptions: { extends: '../t.json' } }, ['../t.json']],
    [{ volta: { extends: '../../package.json' } }, []],
    [{ volta: { extends: '../b/package.json' } }, ['text ../b/package.json']],
    [{ browserslist: ['extends @x/browsers', '> 1%'] }, ['module @x/browsers']],
  ];
  test.each(cases)('%j', (manifest, names) => {
    expect(namesIn('p/a/package.json', manifest)).toEqual(names);
  });

  test('keeps the whole key of a tool, and the line', () => {
    const text = '{\n  "jest": {\n    "preset": "../p"\n  }\n}';
    expect(keyedNames('p/a/package.json', text)).toEqual([['jest.preset', '../p']]);
    expect(readReferences('p/a/package.json' as RepoPath, text).names[0]?.line).toBe(3);
  });

  test('tells its scripts, the names that it declares, and its commands', () => {
    const manifest = {
      name: '@x/a',
      scripts: { 'a.b': 'tsc' },
      dependencies: { 'b.js': '1' },
      peerDependencies: { c: 'link:../c' },
      bin: 'a.js',
    };
    expect(readReferences('p/a/package.json' as RepoPath, JSON.stringify(manifest)).manifest).toEqual({
      scripts: [{ name: 'a.b', text: 'tsc', line: 1 }],
      declared: ['b.js', 'c'],
      binaries: ['a'],
    });
    const commands = readReferences('package.json' as RepoPath, '{"bin":{"a.b":"x","c":"y"}}').manifest;
    expect(commands?.binaries).toEqual(['a.b', 'c']);
  });
});
