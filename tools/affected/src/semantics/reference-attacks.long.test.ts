// Ways in which a stranger's workspace reads a file of the root, or of another workspace, without a manifest that says so. The answer was
// written down first: whoever reads the file is selected, or everybody is.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { manifestOf } from './monorepo.fixture.js';
import { MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

const alone = (files: Files): Files => Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/alone/${path}`, text]));
const code = (text: string, file = 'src/a.test.js'): Files => alone({ [file]: `${text}\n` });
const manifest = (over: Readonly<Record<string, unknown>>): Files => manifestOf('packages/alone', over);

const TESTED = manifest({ scripts: { test: 'x', gen: 'x', lint: 'x' } });

test.each<readonly [what: string, before: Files, changed: string]>([
  ['a preset of jest in a folder', manifest({ jest: { preset: '../../presets/jest' } }), 'presets/jest/jest-preset.json'],
  ['a base of Babel', alone({ '.babelrc': '{ "extends": "../../shared/babel.json" }' }), 'shared/babel.json'],
  ['a second base of TypeScript', alone({ 'tsconfig.json': '{ "extends": ["./a.json", "../../shared/ts.json"] }' }), 'shared/ts.json'],
  ['a path of TypeScript', alone({ 'tsconfig.json': '{ "compilerOptions": { "paths": { "x/*": ["../../stubs/*"] } } }' }), 'stubs/a.ts'],
  ['a file of TypeScript', alone({ 'tsconfig.test.json': '{ "files": ["../../types/a.d.ts"] }' }), 'types/a.d.ts'],
  [
    'a set-up of vitest',
    alone({ 'vitest.config.ts': "export default { test: { setupFiles: ['../../test/setup.ts'] } };\n" }),
    'test/setup.ts',
  ],
  ['a hook of mocha', alone({ '.mocharc.yml': 'require:\n  - ../../hooks.js\n' }), 'hooks.js'],
  ['a name that jest maps', manifest({ jest: { moduleNameMapper: { '^x/(.*)$': '<rootDir>/../../stubs/$1' } } }), 'stubs/deep/a.js'],
  ['an internal import of Node', manifest({ imports: { '#x': '../../x.js' } }), 'x.js'],
  ['what a container copies', alone({ Dockerfile: 'FROM node\nCOPY docker/entry.sh /\n' }), 'docker/entry.sh'],
  ['variables of a container', alone({ 'docker-compose.yml': 'services:\n  a:\n    env_file: ../../env/test.env\n' }), 'env/test.env'],
  ['a link to a link', { 'packages/alone/one': { symlink: './two' }, 'packages/alone/two': { symlink: '../../data' } }, 'data/deep/x.json'],
  ['a plugin by a template', code(`import(\`../../../plugins/\${name}.js\`);`), 'plugins/a.js'],
  ['a folder of webpack', code("require.context('../../../icons', true, /svg$/);"), 'icons/deep/a.svg'],
  ['a pattern', code("glob('../../../cases/**/*.json');"), 'cases/deep/a.json'],
  ['an address', code("new URL('../../../data/x.bin', import.meta.url);"), 'data/x.bin'],
  ['joined names', code("resolve(__dirname, '..', '..', '..', 'data', 'x.json');"), 'data/x.json'],
  ['joined names over lines', code("path.join(\n  __dirname,\n  // up\n  '../../..',\n  'data',\n  'x.json',\n);"), 'data/x.json'],
  ['an import with attributes', code("import x from '../../../data/x.json' with { type: 'json' };"), 'data/x.json'],
  ['an assigned import', code("import x = require('../../../data/x');", 'src/a.test.ts'), 'data/x.ts'],
  ['an imported type', code("type A = import('../../../types/x').A;", 'src/a.test.ts'), 'types/x.ts'],
  ['a mock', code("jest.mock('../../../mocks/x', () => ({}));"), 'mocks/x.js'],
  ['a reference in a comment', code('/// <reference path="../../../types/x.d.ts" />', 'src/a.ts'), 'types/x.d.ts'],
  [
    'a component of Vue',
    alone({ 'src/A.vue': "<template>it's</template>\n<script>\nimport x from '../../../ui/x.js';\n</script>\n" }),
    'ui/x.js',
  ],
  ['prose with imports', alone({ 'a.stories.mdx': "It's `here`\n\nimport X from '../../ui/x.js'\n\n<X/>\n" }), 'ui/x.js'],
  ['Windows line ends and a byte order mark', code("\uFEFF// a\r\nimport '../../../data/x.json';\r\n"), 'data/x.json'],
  ['a script with an option', manifest({ scripts: { test: 'NODE_ENV=test node --require=../../hooks.js a.js' } }), 'hooks.js'],
  ['a script after cd', manifest({ scripts: { test: 'cd ../.. && node tools/run.js' } }), 'tools/run.js'],
  [
    'a shell script and what it runs',
    { ...manifest({ scripts: { test: 'sh ../../ci/test.sh' } }), 'ci/test.sh': 'node tools/x.js\n' },
    'tools/x.js',
  ],
  ['a text for people', code("readFileSync('../../README.md');"), 'README.md'],
  [
    'inputs beside the workspace',
    alone({ 'turbo.json': '{ "extends": ["//"], "tasks": { "test": { "inputs": ["../tool/x.json"] } } }' }),
    'packages/tool/x.json',
  ],
  [
    'inputs of one workspace in the root',
    { 'turbo.json': '{ "tasks": { "alone#test": { "inputs": ["../tool/x.json"] } } }' },
    'packages/tool/x.json',
  ],
  ['an internal import of a package', manifest({ imports: { '#x': { node: 'tool', default: './x.js' } } }), 'packages/tool/x.js'],
  ['a module of which one is loaded', code("require(isFast ? './a' : 'tool');"), 'packages/tool/x.js'],
  ['a module that is loaded first', manifest({ scripts: { test: 'node --import=tool/register a.js' } }), 'packages/tool/x.js'],
  [
    'a task of another workspace that turborepo runs before',
    { ...TESTED, ...alone({ 'turbo.json': '{ "extends": ["//"], "tasks": { "test": { "dependsOn": ["dev-user#build"] } } }' }) },
    'packages/dev-user/x.js',
  ],
  [
    'one that the settings of the root name',
    { ...TESTED, 'turbo.json': '{ "tasks": { "alone#test": { "dependsOn": ["dev-user#build"] } } }' },
    'packages/dev-user/x.js',
  ],
  [
    'one that runs before what all tests need',
    { ...TESTED, 'turbo.json': '{ "tasks": { "test": { "dependsOn": ["gen"] }, "gen": { "dependsOn": ["dev-user#build"] } } }' },
    'packages/dev-user/x.js',
  ],
  [
    'one that runs before a task without a script',
    {
      ...manifest({ scripts: { test: 'x' } }),
      'turbo.json': '{ "tasks": { "test": { "dependsOn": ["gen"] }, "gen": { "dependsOn": ["dev-user#build"] } } }',
    },
    'packages/dev-user/x.js',
  ],
  [
    'a command of another workspace',
    { ...manifest({ scripts: { test: 'tool-cli --x' } }), ...manifestOf('packages/tool', { bin: { 'tool-cli': 'a.js' } }) },
    'packages/tool/a.js',
  ],
  [
    'a file through files of the root',
    { ...code("import '../../../a/b.js';"), 'a/b.js': "export * from './c';\n", 'a/c.ts': "require('../data/x.json');\n" },
    'data/x.json',
  ],
  ['a schema', alone({ 'api.json': '{ "$ref": "../tool/api.json#/User" }' }), 'packages/tool/api.json'],
  ['a schema in YAML', alone({ 'docs/api.yml': 'user:\n  $ref: ../../tool/api.yml#/User\n' }), 'packages/tool/api.yml'],
  ['an import of a style', alone({ 'style/a.css': "@import '../../tool/base.css';\n" }), 'packages/tool/base.css'],
  ['a part of Sass', alone({ 'style/a.scss': "@use '../../tool/colors';\n" }), 'packages/tool/_colors.scss'],
  ['a script of a page', alone({ 'test/a.html': '<script src="../../tool/x.js"></script>\n' }), 'packages/tool/x.js'],
  ['settings of a tool that is not known', alone({ 'bunfig.toml': '[test]\npreload = ["../tool/x.js"]\n' }), 'packages/tool/x.js'],
  ['a target of wireit', manifest({ wireit: { test: { dependencies: ['../tool:build'] } } }), 'packages/tool/x.js'],
  [
    'a recipe of just',
    { ...manifest({ scripts: { test: 'just test' } }), ...alone({ justfile: 'test:\n  node ../tool/x.js\n' }) },
    'packages/tool/x.js',
  ],
  [
    'a program in another language',
    { ...manifest({ scripts: { test: 'python a.py' } }), ...alone({ 'a.py': 'open("../tool/x.txt")\n' }) },
    'packages/tool/x.txt',
  ],
  ['a replacement of Go', alone({ 'go.mod': 'module a\nreplace tool => ../tool\n' }), 'packages/tool/x.go'],
  ['a require of another name', code("const load = createRequire(import.meta.url);\nload('tool/x.js');"), 'packages/tool/x.js'],
  ['a variable', alone({ '.env.test': 'DATA=../tool/x.txt\n' }), 'packages/tool/x.txt'],
  [
    'data through data of another workspace',
    {
      ...code("import '../../tool/a.css';"),
      'packages/tool/a.css': "@import './b.css';\n",
      'packages/tool/b.css': "@import '../lib/c.css';\n",
    },
    'packages/lib/c.css',
  ],
  [
    'an import from the root, by baseUrl',
    { ...alone({ 'tsconfig.json': '{ "compilerOptions": { "baseUrl": "../.." } }' }), ...code("import x from 'packages/tool/x';") },
    'packages/tool/x.js',
  ],
  ['a file that is packed', manifest({ dependencies: { vendored: 'file:../../vendor/x.tgz' } }), 'vendor/x.tgz'],
])('%s is a reference', async (_, before, changed) => {
  const answer = await scene.ask({ before: { ...before, [changed]: 'before\n' }, files: { [changed]: 'after\n' } });
  // Everybody is right, too.
  expect(typeof answer === 'string' ? ['alone'] : answer).toContain('alone');
});

test.each<readonly [what: string, tasks: object, expected: readonly string[]]>([
  ['a task that no test needs', { lint: { dependsOn: ['dev-user#build'] } }, ['dev-user']],
  ['tests of another workspace', { 'inner-user#test': { dependsOn: ['dev-user#build'] } }, ['dev-user', 'inner-user']],
  ['tests that it does not have', { e2e: { dependsOn: ['dev-user#build'] } }, ['dev-user']],
])('what turborepo runs before %s does not count', async (_, tasks, expected) => {
  const before = { ...TESTED, 'turbo.json': JSON.stringify({ tasks }) };
  expect(await scene.ask({ before, files: { 'packages/dev-user/x.js': 'after\n' } })).toEqual(expected);
});

test.each<readonly [what: string, before: Files]>([
  ['names a file of a workspace', { '.tool.yml': 'root: ./packages/tool/x.js\n' }],
  ['names a workspace', { 'tool.config.json': '{ "root": "./packages/tool" }' }],
  ['is prose', alone({ 'x.yml': 'text: wait.../tool, see https://x.test/../tool/x.js.\n' })],
])('data that %s is no reference of others', async (_, before) => {
  expect(await scene.ask({ before, files: { 'packages/tool/x.js': 'after\n' } })).toEqual(['monorepo', 'tool']);
});
