import { describe, expect, test } from '@jest/globals';
import { findModulePaths } from './module-paths.js';
import { projectOf } from './project.fixture.js';

/** Returns findings as `test/a.js:1 dep`. The package has `dep` and `@acme/own` locked, and declares `asked`. */
function found(files: Readonly<Record<string, string>>, scripts: object = {}): readonly string[] {
  const project = projectOf({
    manifests: { 'packages/x': { name: 'x', devDependencies: { asked: '^1.0.0' }, scripts } },
    importedPackages: { 'packages/x': { 'dep@^1.0.0': '1.0.0', '@acme/own@^1.0.0': '1.0.0' } },
    files: Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/x/${path}`, text])),
  });
  return findModulePaths(project).map(({ file, line, package: name }) => `${file}:${line} ${name}`);
}

describe('a package named by its place in node_modules is found in', () => {
  test.each([
    ['test/a.js', 'x();\nread("./node_modules/dep/data.json")', ['test/a.js:2 dep']],
    ['test/a.js', 'read(`$' + '{root}/../node_modules/@acme/own/x`);', ['test/a.js:1 @acme/own']],
    ['src/a.ts', 'const at: string = "node_modules/asked";', ['src/a.ts:1 asked']],
    [
      'test/a.js',
      'read("node_modules/dep/a");\nread("node_modules/dep/b"); read("node_modules/asked/c")',
      ['test/a.js:1 dep', 'test/a.js:2 asked'],
    ],
    ['test/broken.js', 'this is ( no code\n"node_modules/dep/x"', ['test/broken.js:2 dep']],
    ['demo/index.html', '<p>\n<script src="../node_modules/dep/dist/dep.js"></script>', ['demo/index.html:2 dep']],
    ['build.sh', 'cp node_modules/dep/x .', ['build.sh:1 dep']],
  ])('%s %j', (file, text, expected) => {
    expect(found({ [file]: text })).toEqual(expected);
  });

  test('scripts of the manifest, by their line', () => {
    expect(found({}, { build: 'tsc', data: 'cp ./node_modules/dep/x y' })).toEqual(['package.json:8 dep']);
  });
});

test('another project in the package has packages in its own node_modules', () => {
  const file = { 'demo/src/a.js': 'read("../node_modules/dep/x")' };
  expect(found({ ...file, 'demo/package.json': '{ "devDependencies": { "other": "1" } }' })).toEqual([]);
  expect(found({ ...file, 'demo/package.json': '{ "type": "module" }' })).toEqual(['demo/src/a.js:1 dep']);
  const above = { 'demo/src/a.js': 'read("../../node_modules/dep/x")' };
  expect(found({ ...above, 'demo/package.json': '{ "devDependencies": { "other": "1" } }' })).toEqual(['demo/src/a.js:1 dep']);
  expect(found({ ...file, 'demos/package.json': '{ "dependencies": { "dep": "1" } }' })).toEqual(['demo/src/a.js:1 dep']);
});

describe('not in', () => {
  test.each([
    ['src/a.js', '// see node_modules/dep/readme\n/* node_modules/dep */ x();'],
    ['src/a.js', 'ignore(["**/node_modules/**", "node_modules/", "/node_modules/(?!dep)", "node_modules/.bin/dep"])'],
    ['src/a.js', 'read("node_modules/stranger/x")'],
    ['test/fixtures/a.js', 'read("node_modules/dep/x")'],
    ['dist/a.min.js', 'read("node_modules/dep/x")'],
    ['README.md', 'node_modules/dep'],
  ])('%s %j', (file, text) => {
    expect(found({ [file]: text })).toEqual([]);
  });
});
