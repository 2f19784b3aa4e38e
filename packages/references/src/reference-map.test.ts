import { describe, expect, test } from '@jest/globals';
import { mapOf, type ProjectTexts } from './reference-map.fixture.js';
import { undeclaredReadings } from './undeclared.js';
import { placeText } from './users.js';

const PACKAGES = Object.fromEntries(['app', 'lib', 'other'].map((name) => [`packages/${name}/package.json`, { name, version: '1.0.0' }]));

/** Returns lines such as `app reads lib by tests/fake.js:1`, without those of the root. */
function edges(files: ProjectTexts, links: Readonly<Record<string, string>> = {}): readonly string[] {
  const map = mapOf({ ...PACKAGES, ...files }, links);
  const nameOf = (member: number): string => map.tree.graph.members[member]?.name ?? '';
  return undeclaredReadings(map)
    .filter(({ from }) => from !== map.tree.root)
    .map(({ from, target, chain }) => {
      const last = chain.at(-1);
      const to = target.kind === 'workspace' ? nameOf(target.member) : target.path;
      return `${nameOf(from)} reads ${to} by ${last === undefined ? '' : placeText(last)}`;
    })
    .toSorted();
}

const TEST = 'packages/app/src/util.test.ts';
const FAKE = 'tests/fake-provider.ts';
/** A test imports a file of the root, which imports another workspace. */
const THROUGH_ROOT: ProjectTexts = {
  [TEST]: "import { fake } from '../../../tests/fake-provider.js';\n",
  [FAKE]: "import type { Provider } from 'lib';\nexport const fake = 1;\n",
};
const BOTH = [`app reads lib by ${FAKE}:1`, `app reads ${FAKE} by ${TEST}:1`];

const APP = 'packages/app/package.json';
const SOURCE = 'packages/app/src/a.js';
const MINE = { 'packages/lib/src/x.js': '', [SOURCE]: "import 'lib/src/x';\nimport 'react';\n" };
const APART: ProjectTexts = {
  'packages/lib/package.json': { name: '@x/lib', bin: { libtool: './src/x.js' } },
  ...MINE,
};

const CASES: readonly (readonly [sentence: string, files: ProjectTexts, found: readonly string[]])[] = [
  ['a file of the root that imports a workspace', THROUGH_ROOT, BOTH],
  [
    'a file of the root that imports another one that imports a workspace',
    {
      [TEST]: "import '../../../tests/a';\n",
      'tests/a.js': "// first\nexport * from './deep/b.js';\n",
      'tests/deep/b.ts': "import 'lib/part';\n",
    },
    ['app reads lib by tests/deep/b.ts:1', `app reads tests/a.js by ${TEST}:1`, 'app reads tests/deep/b.ts by tests/a.js:2'],
  ],
  [
    'files of the root that import each other',
    { [TEST]: "import '../../../tests/a';\n", 'tests/a.js': "import './b';\nimport 'lib';\n", 'tests/b.js': "import './a';\n" },
    ['app reads lib by tests/a.js:2', `app reads tests/a.js by ${TEST}:1`, 'app reads tests/b.js by tests/a.js:1'],
  ],
  [
    'a file of the root that imports back into the same workspace',
    {
      [TEST]: "import '../../../tests/a';\n",
      'tests/a.js': "import '../packages/app/src/x.js';\nimport 'app';\n",
      'packages/app/src/x.js': '',
    },
    [`app reads tests/a.js by ${TEST}:1`],
  ],
  [
    'a file of the root that reads a workspace by its path',
    { [TEST]: "import '../../../tests/a';\n", 'tests/a.js': "import '../packages/lib/src/x.js';\n", 'packages/lib/src/x.ts': '' },
    ['app reads lib by tests/a.js:1', `app reads tests/a.js by ${TEST}:1`],
  ],
  [
    'a file of the root that starts a file of a workspace from the root',
    {
      [TEST]: "import '../../../tests/a';\n",
      'tests/a.js': "execSync('node packages/lib/src/x.js --all');\n",
      'packages/lib/src/x.js': '',
    },
    ['app reads lib by tests/a.js:1', `app reads tests/a.js by ${TEST}:1`],
  ],
  [
    'a folder of the root with an index file',
    { [TEST]: "import '../../../tests';\n", 'tests/index.ts': "import 'lib';\n", 'tests/other.ts': "import 'other';\n" },
    ['app reads lib by tests/index.ts:1', `app reads tests/index.ts by ${TEST}:1`],
  ],
  [
    'a folder of the root without one, of which everything counts',
    { [TEST]: "readdirSync(join(__dirname, '../../../tests'));\n", 'tests/a.ts': "import 'lib';\n", 'tests/b.json': '{}' },
    ['app reads lib by tests/a.ts:1', `app reads tests by ${TEST}:1`],
  ],
  [
    'data of the root, and data of another workspace',
    {
      [TEST]: "import a from '../../../data/a.json';\nimport b from '../../lib/b.json';\nimport p from '../../lib/package.json';\n",
      'data/a.json': '{}',
      'packages/lib/b.json': '{}',
    },
    [
      `app reads data/a.json by ${TEST}:1`,
      `app reads packages/lib/b.json by ${TEST}:2`,
      `app reads packages/lib/package.json by ${TEST}:3`,
    ],
  ],
  [
    'code of another workspace by its path: all of that workspace',
    { [TEST]: "import '../../lib/src/x';\n", 'packages/lib/src/x.ts': "import './y';\n" },
    [`app reads lib by ${TEST}:1`],
  ],
  ['what is built of another workspace', { [TEST]: "import '../../lib/dist/x.js';\n" }, [`app reads lib by ${TEST}:1`]],
  [
    'every way to name a module',
    {
      [TEST]: [
        "jest.mock('../../../tests/a');",
        "require.resolve('../../../tests/b');",
        "await import('../../../tests/c.mjs');",
        "const d = new URL('../../../tests/d.txt', import.meta.url);",
        "import type { E } from '../../../tests/e';",
      ].join('\n'),
      ...Object.fromEntries(['a.js', 'b.js', 'c.mjs', 'e.d.ts'].map((name) => [`tests/${name}`, ''])),
      'tests/d.txt': '',
    },
    ['a.js', 'b.js', 'c.mjs', 'd.txt', 'e.d.ts'].map((name, at) => `app reads tests/${name} by ${TEST}:${at + 1}`),
  ],
  ['an import that only the root declares', { [TEST]: "import 'lib';\n" }, [`app reads lib by ${TEST}:1`]],
  [
    'a text for people, if code reads it',
    { [TEST]: "readFile(join(__dirname, '../../../README.md'));\n", 'README.md': '' },
    [`app reads README.md by ${TEST}:1`],
  ],
  [
    'a setting of the root, and what it imports',
    {
      'packages/app/jest.config.js': "require('../../jest.config.js');\n",
      'jest.config.js': "require('./packages/lib/preset.js');\n",
      'packages/lib/preset.js': '',
    },
    ['app reads jest.config.js by packages/app/jest.config.js:1', 'app reads lib by jest.config.js:1'],
  ],
  [
    'a tsconfig of the root, but not what it lists as its members',
    {
      'packages/app/tsconfig.json': '{"extends": "../../tsconfig.json"}',
      'tsconfig.json': '{"references": [{"path": "packages/lib"}], "compilerOptions": {"paths": {"lib": ["packages/lib/src"]}}}',
      'packages/lib/src/a.ts': '',
    },
    ['app reads tsconfig.json by packages/app/tsconfig.json:1'],
  ],
  [
    'what its own imports mean by the tsconfig that it extends',
    {
      'packages/app/tsconfig.json': '{"extends": "../../tsconfig.json"}',
      'packages/app/a.ts': "import '~lib/a'; import 'exact';",
      'tsconfig.json':
        '{"compilerOptions": {"paths": {"~lib/*": ["packages/lib/*"], "exact": ["packages/other"], "x": ["packages/far"], "*": ["packages/far"]}}}',
    },
    ['app reads lib by tsconfig.json:1', 'app reads other by tsconfig.json:1', 'app reads tsconfig.json by packages/app/tsconfig.json:1'],
  ],
  [
    'the tsconfig of a workspace, and what that extends, but not the workspace',
    {
      'packages/app/tsconfig.json': '{"extends": "../lib/tsconfig.json"}',
      'packages/lib/tsconfig.json': '{"extends": "./tsconfig.base.json", "include": ["src"]}',
      'packages/lib/tsconfig.base.json': '{"extends": "../other/tsconfig.json"}',
      'packages/other/tsconfig.json': '{}',
      'packages/lib/src/a.ts': '',
    },
    [
      'app reads packages/lib/tsconfig.base.json by packages/lib/tsconfig.json:1',
      'app reads packages/lib/tsconfig.json by packages/app/tsconfig.json:1',
      'app reads packages/other/tsconfig.json by packages/lib/tsconfig.base.json:1',
      'lib reads packages/other/tsconfig.json by packages/lib/tsconfig.base.json:1',
    ],
  ],
  [
    'a command of another workspace in a script',
    {
      'packages/app/package.json': { name: 'app', scripts: { test: 'NODE_ENV=test lib-run --all && ./node_modules/.bin/more' } },
      'packages/lib/package.json': { name: 'lib', bin: { 'lib-run': 'a.js' } },
      'packages/other/package.json': { name: 'other', bin: { more: 'a.js' } },
    },
    ['app reads lib by packages/app/package.json:4', 'app reads other by packages/app/package.json:4'],
  ],
  [
    'material of tests, which the tests may run',
    { 'packages/app/__fixtures__/a.js': "import 'lib';\n" },
    ['app reads lib by packages/app/__fixtures__/a.js:1'],
  ],
  [
    'nothing below another package.json',
    { 'packages/app/examples/e/package.json': {}, 'packages/app/examples/e/a.js': "import 'lib';\n" },
    [],
  ],
  [
    'a name that is looked up in the folder of a setting',
    { ...APART, 'packages/app/tsconfig.json': '{"compilerOptions": {"baseUrl": ".."}}' },
    ['app reads @x/lib by packages/app/tsconfig.json:1'],
  ],
  [
    'a name that is looked up in the folder of a setting which another one extends',
    {
      ...APART,
      'packages/app/tsconfig.json': '{"extends": "../../tsconfig.base.json"}',
      'tsconfig.base.json': '{"compilerOptions": {"baseUrl": "packages"}}',
    },
    ['app reads @x/lib by tsconfig.base.json:1', 'app reads tsconfig.base.json by packages/app/tsconfig.json:1'],
  ],
  [
    'a name that a test runner looks up in a folder',
    { ...APART, 'packages/app/jest.config.js': "module.exports = { modulePaths: ['<rootDir>/..'] };\n" },
    ['app reads @x/lib by packages/app/jest.config.js:1'],
  ],
  [
    'a name that Node looks up in a folder',
    { ...APART, [APP]: { name: 'app', scripts: { test: 'NODE_PATH=.. node --test' } } },
    [`app reads @x/lib by ${APP}:4`],
  ],
  [
    'the path of an installed package in pieces',
    { ...APART, [SOURCE]: "join(__dirname, 'node_modules', '@x', 'lib', 'src');\njoin(__dirname, 'node_modules', name);\n" },
    [`app reads @x/lib by ${SOURCE}:1`],
  ],
  [
    'a command of a workspace that code starts',
    { ...APART, [SOURCE]: "execa('libtool', ['x']);\nspawnSync('../node_modules/.bin/libtool');\n" },
    [`app reads @x/lib by ${SOURCE}:1`],
  ],
  [
    'what a script of the root runs for a task',
    {
      ...APART,
      [SOURCE]: '',
      [APP]: { name: 'app', scripts: { test: 'node --test' } },
      'package.json': { scripts: { gen: 'node packages/lib/src/x.js' } },
      'turbo.json': '{"tasks": {"test": {"dependsOn": ["//#gen"]}, "//#gen": {}}}',
    },
    ['app reads @x/lib by package.json:3'],
  ],
];

test.each(CASES)('it finds %s', (_, files, found) => {
  expect(edges(files)).toEqual([...found].toSorted());
});

test.each([
  ['a pattern over a workspace', "glob.sync('../../lib/**/*', { cwd: __dirname });\n"],
  ['a folder of a workspace', "cpSync(join(__dirname, '../../lib/parts'), out, { recursive: true });\n"],
])('%s reads the workspaces inside, too', (_, text) => {
  const inner = { 'packages/lib/parts/inner/package.json': { name: 'inner' }, 'packages/lib/parts/inner/index.js': '' };
  const files = { ...inner, 'packages/app/src/a.js': text };
  expect(edges(files)).toEqual(['app reads inner by packages/app/src/a.js:1', 'app reads lib by packages/app/src/a.js:1']);
});

test('a setting that names the folder of a workspace does not read the workspaces inside', () => {
  const files = {
    'packages/lib/inner/package.json': { name: 'inner' },
    'packages/app/package.json': { name: 'app', dependencies: { lib: 'link:../lib' } },
  };
  expect(edges(files)).toEqual([]);
});

describe('symbolic links', () => {
  test('of a workspace to a folder of the root that imports another workspace', () => {
    const links = { 'packages/app/shared': '../../shared' };
    expect(edges({ 'shared/a.js': "import 'lib';\n" }, links)).toEqual([
      'app reads lib by shared/a.js:1',
      'app reads shared by packages/app/shared',
    ]);
  });

  test('of the root into another workspace', () => {
    const files = { [TEST]: "import '../../../tests/a.js';\n", 'packages/lib/a.js': '' };
    expect(edges(files, { 'tests/a.js': '../packages/lib/a.js' })).toEqual([
      `app reads lib by ${TEST}:1`,
      `app reads tests/a.js by ${TEST}:1`,
    ]);
  });

  test('that lead back, in a circle or out of the project are no reference', () => {
    const links = { 'packages/app/a': '../app/b', 'packages/app/c': 'd', 'packages/app/d': 'c', 'packages/app/e': '../../../x' };
    expect(edges({}, links)).toEqual([]);
  });
});

describe('what an edge of a manifest carries is not listed', () => {
  test('by a dependency that the manifest declares', () => {
    const declared = { 'packages/app/package.json': { name: 'app', dependencies: { lib: '*' } } };
    expect(edges({ ...THROUGH_ROOT, ...declared })).toEqual([BOTH[1]]);
  });

  test('not by a dependency of the name that leads to the registry: a file of the root gets the workspace', () => {
    const registry = { 'packages/app/package.json': { name: 'app', dependencies: { lib: '^9.0.0' } } };
    expect(edges({ [TEST]: "import 'lib';\n", ...registry })).toEqual([]);
    expect(edges({ ...THROUGH_ROOT, ...registry })).toEqual([...BOTH].toSorted());
    const path = { [TEST]: "import 'lib';\nimport '../../lib/src/x.js';\n", 'packages/lib/src/x.js': '' };
    expect(edges({ ...path, ...registry })).toEqual([`app reads lib by ${TEST}:2`]);
    const both = { ...THROUGH_ROOT, [TEST]: `import 'lib';\n${THROUGH_ROOT[TEST] as string}` };
    expect(edges({ ...both, ...registry })).toContain(BOTH[0]);
  });
});

test('a path that captures a part of an imported name leads to the workspaces that such a name has', () => {
  const map = mapOf({
    'packages/app/package.json': { name: 'app', version: '1.0.0' },
    'packages/app/jest.config.js': "module.exports = { moduleNameMapper: { '^~/(.*)$': '<rootDir>/../$1/src' } };\n",
    'packages/app/a.test.js': "import '~/lib';\n",
    'packages/lib/package.json': { name: '@x/lib', version: '1.0.0' },
    'packages/lib/src/index.js': '',
    'packages/other/package.json': { name: '@x/other', version: '1.0.0' },
    'packages/other/src/index.js': '',
  });
  const { members } = map.tree.graph;
  const read = map.readings.filter(({ from }) => members[from]?.name === 'app').map(({ target }) => target);
  expect(read).toEqual([{ kind: 'workspace', member: members.findIndex(({ name }) => name === '@x/lib') }]);
});
