// What a file of a workspace is decides how far a change of it reaches. The answers were written down first.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { LIB_AND_USERS, manifestOf } from './monorepo.fixture.js';
import { MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

const lib = (files: Files): Files => Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/lib/${path}`, text]));
const manifest = (over: Readonly<Record<string, unknown>>): Files => manifestOf('packages/lib', over);

const alone = (text: string, file = 'src/a.test.js'): Files => ({ [`packages/alone/${file}`]: `${text}\n` });
const mapped = (to: string): Files => alone(`module.exports = { moduleNameMapper: { '^~/([^/]*)/?(.*)$': '${to}' } };`, 'jest.config.js');

type Case = readonly [what: string, before: Files, after: Files];

describe('only its workspace', () => {
  test.each<Case>([
    ['a README', lib({ 'README.md': 'a' }), lib({ 'README.md': 'b' })],
    ['a CHANGELOG without an ending', {}, lib({ CHANGELOG: 'a' })],
    ['a licence that goes', lib({ LICENSE: 'a' }), lib({ LICENSE: null })],
    ['a picture of the documentation', lib({ 'docs/a.svg': 'a' }), lib({ 'docs/a.svg': 'b' })],
    ['a test', lib({ 'src/a.test.ts': '1;' }), lib({ 'src/a.test.ts': '2;' })],
    ['a test in a folder', lib({ 'test/deep/a.js': '1;' }), lib({ 'test/deep/a.js': '2;' })],
    [
      'a test with the name of a source',
      lib({ 'src/a.ts': "import './b';", 'src/b.ts': '1;', 'src/b.test.ts': '1;' }),
      lib({ 'src/b.test.ts': '2;' }),
    ],
    ['a snapshot', lib({ 'src/__snapshots__/a.test.js.snap': '1' }), lib({ 'src/__snapshots__/a.test.js.snap': '2' })],
    [
      'a fixture that tests read',
      lib({ 'test/a.test.js': "readFile(join(__dirname, 'fixtures', name));", 'test/fixtures/a.json': '1' }),
      lib({ 'test/fixtures/a.json': '2' }),
    ],
    ['settings of a test runner', lib({ 'jest.config.js': '1;' }), lib({ 'jest.config.js': '2;' })],
    ['settings of a linter', lib({ '.eslintrc.json': '{}' }), lib({ '.eslintrc.json': '{ "root": true }' })],
    ['a version', {}, manifest({ version: '1.0.1' })],
    ['what describes the package', {}, manifest({ description: 'a', keywords: ['b'], author: { name: 'c' } })],
    ['a development dependency for tests', {}, manifest({ devDependencies: { jest: '^1.0.0' } })],
    ['a version that a compiler lists', lib({ 'tsconfig.json': '{ "include": ["src", "package.json"] }' }), manifest({ version: '1.0.1' })],
    ['a test that a compiler lists', lib({ 'tsconfig.json': '{ "files": ["test/a.ts"] }', 'test/a.ts': '1;' }), lib({ 'test/a.ts': '2;' })],
    ['a version that is left out of a package', lib({ '.npmignore': '/package.json\n' }), manifest({ version: '1.0.1' })],
    [
      'a version that comments name',
      lib({ 'src/a.js': '/**\n * As in `package.json`, and \'package.json\'.\n */\n// "package.json"\n1;' }),
      manifest({ version: '1.0.1' }),
    ],
    ['a helper of tests that comments name', lib({ 'src/a.js': '// See `test/b.sh`.\n1;', 'test/b.sh': '1' }), lib({ 'test/b.sh': '2' })],
    [
      'a release',
      lib({ 'CHANGELOG.md': '', 'CHANGELOG.json': '[]' }),
      { ...manifest({ version: '1.0.1' }), ...lib({ 'CHANGELOG.md': '# 1.0.1', 'CHANGELOG.json': '["1.0.1"]' }) },
    ],
  ])('%s reaches only its workspace', async (_, before, files) => {
    await scene.answers({ before, files }, ['lib']);
  });
});

describe('further', () => {
  test.each<Case>([
    ['a source', {}, lib({ 'src/index.js': '2;' })],
    [
      'a README that a source reads',
      lib({ 'README.md': 'a', 'src/a.js': "readFile(join(__dirname, '../README.md'));" }),
      lib({ 'README.md': 'b' }),
    ],
    [
      'a README that a source reads from where it starts',
      lib({ 'README.md': 'a', 'src/a.js': "readFile('README.md');" }),
      lib({ 'README.md': 'b' }),
    ],
    [
      'a README that a source reads from the root',
      lib({ 'README.md': 'a', 'src/a.js': "readFile('packages/lib/README.md');" }),
      lib({ 'README.md': 'b' }),
    ],
    [
      'a README that a source joins to its folder elsewhere',
      lib({ 'README.md': 'a', 'a.js': "const ROOT = __dirname;\nreadFile(ROOT + '/README.md');" }),
      lib({ 'README.md': 'b' }),
    ],
    [
      'a helper of tests for one platform that a source imports',
      lib({ 'src/a.ts': "import '../test/helper';", 'test/helper.native.ts': '1;' }),
      lib({ 'test/helper.native.ts': '2;' }),
    ],
    [
      'a document that a template includes',
      lib({ 'docs/a.md': 'a', 'src/page.mustache': '{{> ../docs/a.md}}' }),
      lib({ 'docs/a.md': 'b' }),
    ],
    ['a README that a source imports', lib({ 'a.md': 'a', 'src/a.js': "import a from '../a.md?raw';" }), lib({ 'a.md': 'b' })],
    [
      'documentation of a folder that a source reads',
      lib({ 'docs/a.md': 'a', 'src/a.js': "glob('../docs/**');" }),
      lib({ 'docs/a.md': 'b' }),
    ],
    [
      'a changelog that a source requires',
      lib({ 'CHANGELOG.json': '1', 'a.js': "require('./CHANGELOG');" }),
      lib({ 'CHANGELOG.json': '2' }),
    ],
    ['a changelog that is code', lib({ 'CHANGELOG.js': '1;' }), lib({ 'CHANGELOG.js': '2;' })],
    ['a README that is a link', lib({ 'README.md': { symlink: 'a' } }), lib({ 'README.md': { symlink: 'b' } })],
    [
      'a file in a folder that a source reads',
      lib({ 'src/a.js': 'readdirSync(__dirname);', 'src/b.test.js': '1;' }),
      lib({ 'src/b.test.js': '2;' }),
    ],
    [
      'a test that a source imports',
      lib({ 'src/a.js': "export * from './b.test';", 'src/b.test.ts': '1;' }),
      lib({ 'src/b.test.ts': '2;' }),
    ],
    [
      'a helper of such a test',
      lib({ 'src/a.js': "export * from '../test/a.js';", 'test/a.js': "import './b';", 'test/b.js': '1;' }),
      lib({ 'test/b.js': '2;' }),
    ],
    [
      'what the package is entered by',
      { ...manifest({ exports: { './testing': './test/api.js' } }), ...lib({ 'test/api.js': '1;' }) },
      lib({ 'test/api.js': '2;' }),
    ],
    [
      'what a build runs',
      { ...manifest({ scripts: { build: 'node test/build.js' } }), ...lib({ 'test/build.js': '1;' }) },
      lib({ 'test/build.js': '2;' }),
    ],
    ['a version that a source reads', lib({ 'src/a.js': "import { version } from '../package.json';" }), manifest({ version: '1.0.1' })],
    ['a version that a source looks for', lib({ 'src/a.js': "readFile(join(root, 'package.json'));" }), manifest({ version: '1.0.1' })],
    [
      'a version that a source looks for after what is no comment',
      lib({ 'src/a.jsx': "<p>src/*</p>;\n<a>https://a</a>; readFile(join(root, 'package.json')); /* */" }),
      manifest({ version: '1.0.1' }),
    ],
    [
      'a version that a source looks for behind a comment',
      lib({ 'src/a.js': "/* the version */ readFile(join(root, 'package.json'));" }),
      manifest({ version: '1.0.1' }),
    ],
    [
      'types of tests that a source imports in a comment',
      lib({ 'src/a.js': "/** @type {import('../test/types').A} */\nexport const a = 1;", 'test/types.ts': '1;' }),
      lib({ 'test/types.ts': '2;' }),
    ],
    [
      'types of tests that a compiler adds to every file',
      lib({ 'tsconfig.json': '{ "compilerOptions": { "types": ["./test/types.d.ts"] } }', 'test/types.d.ts': '1;' }),
      lib({ 'test/types.d.ts': '2;' }),
    ],
    [
      'global declarations that a compiler lists',
      lib({ 'tsconfig.json': '{ "files": ["test/globals.d.ts"] }', 'test/globals.d.ts': '1;' }),
      lib({ 'test/globals.d.ts': '2;' }),
    ],
    ...[
      `const a = (l) => \`$\{l.map((x) => \`\n/*.log\n/$\{x}\`)}\`;\nread('package.json');\n/** More. */`,
      "const a = (s) => { return /`/.test(s); };\nconst b = `\n/*.log\n`;\nread('package.json');\n/** More. */",
      "const a = () => <pre>\n/*.log\n</pre>;\nread('package.json');\n/** More. */",
      "/* a\nread('package.json');\n*/",
    ].map(
      (text): Case => [
        `a version after what looks like a comment: ${text.split('\n', 1)[0]}`,
        lib({ 'src/a.jsx': text }),
        manifest({ version: '1.0.1' }),
      ],
    ),
    [
      'a version in a list of a compiler that is broken',
      lib({ 'tsconfig.json': '{ "include": ["package.json"], }}' }),
      manifest({ version: '1.0.1' }),
    ],
    [
      'a version that a source reads by its own name',
      lib({ 'src/a.js': "require('lib/package.json').version;" }),
      manifest({ version: '1.0.1' }),
    ],
    [
      'a version that a source read before',
      lib({ 'src/a.js': "require('../package.json');" }),
      { ...manifest({ version: '1.0.1' }), ...lib({ 'src/a.js': '1;' }) },
    ],
    ['an entry of the package', {}, manifest({ version: '1.0.1', main: 'src/index.js' })],
    ['a script', {}, manifest({ scripts: { build: 'tsc' } })],
    ['a key that nobody knows', {}, manifest({ someTool: true })],
    ['a development dependency that is a compiler', {}, manifest({ devDependencies: { typescript: '^1.0.0' } })],
    [
      'a development dependency for tests that a source imports',
      lib({ 'src/testing.js': "import 'jest';" }),
      manifest({ devDependencies: { jest: '^1.0.0' } }),
    ],
    [
      'a development dependency for tests that a build runs',
      manifest({ devDependencies: { typedoc: '^1.0.0' }, scripts: { build: 'typedoc --json src/a.json' } }),
      manifest({ devDependencies: { typedoc: '^2.0.0' }, scripts: { build: 'typedoc --json src/a.json' } }),
    ],
    ['a dependency', {}, manifest({ dependencies: { jest: '^1.0.0' } })],
    [
      'a helper that a source imports by an alias of its tsconfig',
      lib({
        'tsconfig.json': '{ "compilerOptions": { "paths": { "@t/*": ["./test/*"] } } }',
        'src/a.ts': "import '@t/helper';",
        'test/helper.ts': '1;',
      }),
      lib({ 'test/helper.ts': '2;' }),
    ],
    [
      'a helper that a source imports by a name of the package alone',
      { ...manifest({ imports: { '#*': './*' } }), ...lib({ 'src/a.js': "import '#test/helper.js';", 'test/helper.js': '1;' }) },
      lib({ 'test/helper.js': '2;' }),
    ],
    [
      'an entry whose pattern ends within a name',
      { ...manifest({ exports: { './testing/*': './src/test-*.js' } }), ...lib({ 'src/test-a.js': '1;' }) },
      lib({ 'src/test-a.js': '2;' }),
    ],
    [
      'the entry of a folder with a manifest',
      lib({ 'testing/package.json': '{ "main": "../test/api.js" }', 'test/api.js': '1;' }),
      lib({ 'test/api.js': '2;' }),
    ],
    [
      'a licence that a script copies which the build calls',
      { ...manifest({ scripts: { build: 'yarn license', license: 'cp LICENSE src/license.txt' } }), ...lib({ LICENSE: 'a' }) },
      lib({ LICENSE: 'b' }),
    ],
    ['a README that a shell script copies', lib({ 'README.md': 'a', 'build.sh': 'cp README.md dist/' }), lib({ 'README.md': 'b' })],
    [
      'a schema that settings name',
      lib({ 'codegen.yml': 'schema: ./spec/a.graphql', 'spec/a.graphql': 'type A' }),
      lib({ 'spec/a.graphql': 'type B' }),
    ],
    [
      'a style that a style imports',
      lib({ 'src/main.scss': "@import './notice.scss';", 'src/notice.scss': 'a {}' }),
      lib({ 'src/notice.scss': 'b {}' }),
    ],
    [
      'a version that a command without an extension reads',
      lib({ 'bin/a': "require('../package.json');" }),
      manifest({ version: '1.0.1' }),
    ],
    [
      'a version in a folder that is listed',
      lib({ 'src/a.js': "readdirSync(new URL('../', import.meta.url));" }),
      manifest({ version: '1.0.1' }),
    ],
    [
      'a version that a build gets from the environment',
      manifest({ scripts: { build: 'esbuild --define:V=$npm_package_version' } }),
      manifest({ version: '1.0.1', scripts: { build: 'esbuild --define:V=$npm_package_version' } }),
    ],
    ['a version in the environment', lib({ 'a.config.js': 'process.env.npm_package_version;' }), manifest({ version: '1.0.1' })],
    [
      'a version that a search upwards finds',
      lib({ 'src/a.js': "import { readPackageUp } from 'read-pkg-up';" }),
      manifest({ version: '1.0.1' }),
    ],
    [
      'a README that a loader reads',
      lib({ 'README.md': 'a', 'src/a.js': "import a from '!!raw-loader!../README.md';" }),
      lib({ 'README.md': 'b' }),
    ],
    [
      'a document that is joined to the folder of a source',
      lib({ 'src/a.js': "readFile(join(here, 'template.md'));", 'src/template.md': 'a' }),
      lib({ 'src/template.md': 'b' }),
    ],
    [
      'a folder of documentation that a source copies',
      lib({ 'docs/a.md': 'a', 'src/a.js': "cpSync('docs', 'dist');" }),
      lib({ 'docs/a.md': 'b' }),
    ],
    ['a source without an encoding', lib({ 'src/a.js': Buffer.from('\uFEFF1;', 'utf16le'), 'README.md': 'a' }), lib({ 'README.md': 'b' })],
  ])('%s reaches the dependents', async (_, before, files) => {
    const answer = await scene.ask({ before, files });
    if (typeof answer !== 'string') expect(answer).toEqual(expect.arrayContaining([...LIB_AND_USERS]));
  });
});

describe('whoever refers to it', () => {
  test.each<Case>([
    ['by a path', alone("readFile(join(__dirname, '../../lib/README.md'));"), lib({ 'README.md': 'b' })],
    ['by the name of the package', alone("require('lib/package.json').version;"), manifest({ version: '1.0.1' })],
    ['to a helper of tests', alone("import '../../lib/test/helper';"), lib({ 'test/helper.ts': '2;' })],
    ['to a helper of tests by the name of the package', alone("import 'lib/test/helper.js';"), lib({ 'test/helper.js': '2;' })],
    [
      'to a test by the name of the package, without an extension',
      alone("import { A } from 'lib/src/a.stories';"),
      lib({ 'src/a.stories.tsx': '2;' }),
    ],
    ['to a README by the name of the package, with a query', alone("import a from 'lib/README.md?raw';"), lib({ 'README.md': 'b' })],
    ['to a folder by the name of the package', alone("require('lib/test/' + name);"), lib({ 'test/a.js': '2;' })],
    ['to a mock beside the entry', alone("jest.mock('lib');"), lib({ 'src/__mocks__/index.js': '2;' })],
    ['to a mock beside a file', alone("jest.mock('../../lib/src/index');"), lib({ 'src/__mocks__/index.js': '2;' })],
    ['to a document whose name is put together', alone("require('lib/posts/' + name);"), lib({ 'posts/a.md': '2' })],
    ['to a document by where the package is installed', alone("glob('node_modules/lib/posts/*.md');"), lib({ 'posts/a.md': '2' })],
    ['to a folder', alone("readdirSync('../../lib/docs');"), lib({ 'docs/a.md': '2' })],
    ['to a folder above', alone("glob('../../*/README.md');"), lib({ 'README.md': 'b' })],
    [
      'to what is below a folder that is not known',
      alone("readFile(join(__dirname, '../..', name, 'README.md'));"),
      lib({ 'README.md': 'b' }),
    ],
    ['from the root, where tests may start', alone("readFile('packages/lib/README.md');"), lib({ 'README.md': 'b' })],
    [
      'through a file of the root',
      { ...alone("import '../../../tools/a.js';"), 'tools/a.js': "readFile('../packages/lib/README.md');" },
      lib({ 'README.md': 'b' }),
    ],
    [
      'beside a manifest that it finds',
      alone("readFile(join(dirname(require.resolve('lib/package.json')), 'README.md'));"),
      lib({ 'README.md': 'b' }),
    ],
    [
      'in settings',
      { 'packages/alone/jest.config.js': "module.exports = { setupFiles: ['../lib/test/a.js'] };" },
      lib({ 'test/a.js': '2;' }),
    ],
    [
      'by an edge',
      { 'tributary.json': '{ "affected": { "edges": { "alone": { "workspaces": { "lib": "a" } } } } }' },
      lib({ 'README.md': 'b' }),
    ],
    ['by a script', manifestOf('packages/alone', { scripts: { test: 'yarn workspace lib test' } }), lib({ 'test/a.js': '2;' })],
    [
      'in settings of a runner, beside a declared dependency',
      {
        ...manifestOf('packages/alone', { dependencies: { deep: '^1.0.0', lib: 'workspace:^' } }),
        'packages/alone/.mocharc.json': '{ "spec": ["../lib/test/**/*.js"] }',
      },
      lib({ 'test/a.js': '2;' }),
    ],
    [
      'in paths of a tsconfig, beside a declared dependency',
      {
        ...manifestOf('packages/alone', { dependencies: { deep: '^1.0.0', lib: 'workspace:^' } }),
        'packages/alone/tsconfig.json': '{ "compilerOptions": { "paths": { "@t": ["../lib/test/helper.ts"] } } }',
      },
      lib({ 'test/helper.ts': '2;' }),
    ],
    [
      'in inputs of a task, beside a declared dependency',
      {
        ...manifestOf('packages/alone', { dependencies: { deep: '^1.0.0', lib: 'workspace:^' } }),
        'packages/alone/turbo.json': '{ "extends": ["//"], "tasks": { "test": { "inputs": ["../lib/docs/**"] } } }',
      },
      lib({ 'docs/a.md': '2' }),
    ],
    [
      'in what a container copies, beside a declared dependency',
      {
        ...manifestOf('packages/alone', { dependencies: { deep: '^1.0.0', lib: 'workspace:^' } }),
        'packages/alone/Dockerfile': 'FROM node\nCOPY packages/lib/docs /docs\n',
      },
      lib({ 'docs/a.md': '2' }),
    ],
    ['by a command', manifestOf('packages/alone', { scripts: { build: 'cp -r ../lib/docs .' } }), lib({ 'docs/a.md': '2' })],
    [
      'by a name that it maps to a folder with tests',
      { ...alone("import '~/lib';"), ...mapped('<rootDir>/../$1/test') },
      lib({ 'test/index.ts': '2;' }),
    ],
    [
      'by a name that it maps anywhere',
      { ...alone("import '~/lib/a';"), ...mapped('<rootDir>/../$1/test/$2') },
      lib({ 'test/a.js': '2;' }),
    ],
    [
      'in stories',
      alone("export default { stories: ['../../lib/src/**/*.stories.tsx'] };", '.storybook/main.ts'),
      lib({ 'src/a.stories.tsx': '2;' }),
    ],
  ])('%s is selected', async (_, before, files) => {
    const answer = await scene.ask({
      before: {
        ...lib({ 'README.md': 'a', 'docs/a.md': '1', 'test/helper.ts': '1;', 'test/helper.js': '1;', 'test/a.js': '1;' }),
        ...lib({ 'src/a.stories.tsx': '1;', 'src/__mocks__/index.js': '1;' }),
        ...before,
      },
      files,
    });
    expect(answer).toEqual(expect.arrayContaining(['alone', 'lib']));
  });
});

describe('a mock of a package', () => {
  const source = lib({ 'src/index.js': '2;' });
  test.each<[what: string, text: string, files: Files, reads: boolean]>([
    ['made up by a function', "jest.mock('lib', () => ({ a: 1 }));", source, false],
    ['made up later', "vi.doMock('lib', async () => {});", source, false],
    ['made up by a function that knows its arguments', "vi.mock('lib', function () { return arguments[0](); });", source, true],
    ['made up, of a package that changes its entry', "jest.mock('lib', () => ({}));", manifest({ exports: './b.js' }), true],
    ['made up beside an import', "jest.mock('lib', () => ({}));\nimport 'lib';", source, true],
    ['made up of the package', "jest.mock('lib', () => ({ ...jest.requireActual('lib') }));", source, true],
    ['made up of what the runner passes', "vi.mock('lib', async (load) => load());", source, true],
    ['made up by a function that is elsewhere', "jest.mock('lib', make);", source, true],
    ['of which the runner makes one', "jest.mock('lib');", source, true],
    ['of a file of it', "jest.mock('lib/src/index', () => ({}));", source, true],
  ])('%s', async (_, text, files, reads) => {
    const answer = await scene.ask({ before: { ...lib({ 'src/index.js': '1;' }), ...alone(text, 'test-utils/mock.js') }, files });
    expect(answer.includes('alone')).toBe(reads);
  });
});

describe('whoever refers to it through a helper of tests', () => {
  const reads = (from: string): string => `readFile(join(__dirname, '${from}/lib/README.md'));`;
  const tool = (path: string, text: string): Files => ({ [`packages/ring-b/${path}`]: text });

  test.each<Case>([
    [
      'of another workspace',
      { ...tool('test/a.js', reads('../..')), ...alone("import '../../ring-b/test/a.js';") },
      lib({ 'README.md': 'b' }),
    ],
    [
      'that a folder holds',
      { ...tool('test/all/a.js', reads('../../..')), ...alone("readdirSync('../../ring-b/test');") },
      lib({ 'README.md': 'b' }),
    ],
  ])('%s is selected', async (_, before, files) => {
    expect(await scene.ask({ before: { ...lib({ 'README.md': 'a' }), ...before }, files })).toEqual(
      expect.arrayContaining(['alone', 'lib', 'ring-b']),
    );
  });

  test('that sources use is selected with dependents', async () => {
    const before = { ...tool('test/a.js', reads('../..')), ...tool('src/a.js', "import '../test/a.js';"), ...lib({ 'README.md': 'a' }) };
    await scene.answers({ before, files: lib({ 'README.md': 'b' }) }, ['lib', 'ring-a', 'ring-b']);
  });
});

test('a version that leaves the range of a dependent reaches the dependents', async () => {
  const answer = await scene.ask({ before: { 'yarn.lock': null }, files: manifest({ version: '2.0.0' }) });
  expect(answer).toEqual(expect.arrayContaining(['by-alias', 'by-semver', 'lib']));
});

test('a range that leads to the workspace no longer reaches the dependents', async () => {
  const files = manifestOf('packages/by-dev', { devDependencies: { lib: '^9.0.0' } });
  expect(await scene.ask({ before: { 'yarn.lock': null }, files })).toEqual(['by-dev', 'dev-user']);
});

test('what may read anything is selected, too, where the dependents are', async () => {
  const before = {
    ...lib({ 'README.md': 'a', 'src/a.js': "import '../README.md';" }),
    ...alone("readFile(join(__dirname, '../..', name, 'README.md'));"),
  };
  expect(await scene.ask({ before, files: lib({ 'README.md': 'b' }) })).toEqual(expect.arrayContaining(['alone', ...LIB_AND_USERS]));
  const inner = { ...lib({ 'src/a.js': "readFile(join(__dirname, '..', name));", 'inner/README.md': 'a' }) };
  expect(await scene.ask({ before: inner, files: lib({ 'inner/README.md': 'b' }) })).toEqual(
    expect.arrayContaining(['inner', ...LIB_AND_USERS]),
  );
});

test('a test that another one imports, by way of a helper, is selected with it', async () => {
  const before = { ...alone("import '../../lib/test/a.js';"), ...lib({ 'test/a.js': "import './b.js';", 'test/b.js': '1;' }) };
  expect(await scene.ask({ before, files: lib({ 'test/b.js': '2;' }) })).toEqual(expect.arrayContaining(['alone', 'lib']));
});

test.each([
  ['documentation', lib({ 'README.md': 'b' })],
  ['tests', lib({ 'test/a.js': '2;' })],
  ['versions', manifest({ version: '1.0.1' })],
  ['testDependencies', manifest({ devDependencies: { jest: '^1.0.0' } })],
])('the row %s can be switched off', async (row, files) => {
  const config = { 'tributary.json': JSON.stringify({ affected: { reach: { [row]: 'dependents' } } }) };
  await scene.answers({ before: { ...lib({ 'README.md': 'a', 'test/a.js': '1;' }), ...config }, files }, LIB_AND_USERS);
});

describe('what a script of the root names', () => {
  const CHECK = manifestOf('', { scripts: { check: "node --test './packages/lib/test/**'" } });
  const tests = (script: string): Files => manifestOf('packages/alone', { scripts: { test: script } });
  test.each<[who: string, before: Files, reads: boolean]>([
    ['who reads the manifest', alone("require('../../../package.json').version;", 'src/a.js'), false],
    ['who calls it from the root', tests('cd ../.. && yarn check'), true],
    ['who calls it by an option', tests('yarn --cwd ../.. check'), true],
    ['who calls it at the top', tests('yarn run -T check'), true],
    ['whose code calls it', alone("execSync('yarn check', { cwd: join(__dirname, '../../..') });"), true],
    ['whose shell file calls it', { ...tests('sh test.sh'), ...alone('cd ../.. && yarn check', 'test.sh') }, true],
  ])('%s', async (_, before, reads) => {
    const files = lib({ 'test/a.js': '2;' });
    await scene.answers({ before: { ...CHECK, ...lib({ 'test/a.js': '1;' }), ...before }, files }, [
      ...(reads ? ['alone'] : []),
      'lib',
      'monorepo',
    ]);
  });
});

test('a test of the root reaches the root alone', async () => {
  await scene.answers({ before: { 'e2e/a.test.js': '1;' }, files: { 'e2e/a.test.js': '2;' } }, ['monorepo']);
  await scene.answers(
    { before: { 'e2e/a.test.js': '1;', ...alone("import '../../../e2e/a.test.js';") }, files: { 'e2e/a.test.js': '2;' } },
    ['alone', 'monorepo'],
  );
  const setup = { 'jest.config.js': "module.exports = { setupFiles: ['./test/setup.js'] };", 'test/setup.js': '1;' };
  await scene.answers({ before: setup, files: { 'test/setup.js': '2;' } }, 'all: FILE_UNCLAIMED');
});

test('a reason tells whether a place names the very file', async () => {
  const reasonsFor = async (text: string): Promise<unknown> => {
    const { workspaces } = await scene.resultOf({
      before: { ...alone(text), ...lib({ 'docs/a.md': '1' }) },
      files: lib({ 'docs/a.md': '2' }),
    });
    return workspaces.find(({ name }) => name === 'alone')?.reasons;
  };
  const reason = { kind: 'read', file: 'packages/lib/docs/a.md' };
  expect(await reasonsFor("readFile(join(__dirname, '../../lib/docs/a.md'));")).toEqual([
    { ...reason, by: 'packages/alone/src/a.test.js:1' },
  ]);
  expect(await reasonsFor("readFile(join(__dirname, '../..', name));")).toEqual([
    { ...reason, by: 'packages/alone/src/a.test.js:1 perhaps' },
  ]);
});

test('the reason names the source that reads a document', async () => {
  const before = lib({ 'README.md': 'a', 'src/a.js': "\nreadFile(join(__dirname, '../README.md'));" });
  const { workspaces } = await scene.resultOf({ before, files: lib({ 'README.md': 'b' }) });
  const [reason] = workspaces.find(({ name }) => name === 'lib')?.reasons ?? [];
  expect(reason).toEqual({ kind: 'file', file: 'packages/lib/README.md', others: 0, by: 'packages/lib/src/a.js:2' });
});

// The dependency alone would not select it.
test.each<Case>([
  [
    'maps a folder of its tests in a tsconfig',
    { 'tsconfig.json': '{ "compilerOptions": { "paths": { "@tests/*": ["../lib/test/*"] } } }\n' },
    lib({ 'test/deep.js': '2;' }),
  ],
  ['reads a document where it is installed', { 'a.test.js': "readFile('../../node_modules/lib/README.md');\n" }, lib({ 'README.md': 'b' })],
])('who declares a workspace and %s is selected', async (_, own, files) => {
  const ownFiles = Object.fromEntries(Object.entries(own).map(([path, text]) => [`packages/by-dependency/${path}`, text]));
  const before = { ...lib({ 'test/deep.js': '1;', 'README.md': 'a' }), ...ownFiles };
  expect(await scene.ask({ before, files })).toEqual(expect.arrayContaining(['lib', 'by-dependency']));
});
