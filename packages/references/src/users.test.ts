import { expect, test } from '@jest/globals';
import { mapOf, type ProjectTexts } from './reference-map.fixture.js';
import { placeText, usersOf } from './users.js';

const PACKAGES = Object.fromEntries(['app', 'lib'].map((name) => [`packages/${name}/package.json`, { name, version: '1.0.0' }]));

/** Returns who uses `data/deep/x.js`; linters are nobody, `*.config.js` everybody. */
function users(files: ProjectTexts, links: Readonly<Record<string, string>> = {}): readonly string[] {
  const map = mapOf({ ...PACKAGES, 'data/deep/x.js': '', ...files }, links);
  const found = usersOf(map, 'data/deep/x.js', (file, key) =>
    file.startsWith('.eslintrc') || key === 'scripts.docs'
      ? 'nobody'
      : file.includes('.config.') || file === 'package.json'
        ? 'everybody'
        : 'readers',
  );
  if (found.who === 'everybody') return [`everybody: ${found.because}`];
  const named = [...found.workspaces].map(
    ([member, { chain, isOpaque }]) =>
      `${map.tree.graph.members[member]?.name} by ${chain.map(placeText).join(' > ')}${isOpaque ? ' perhaps' : ''}`,
  );
  return [...named.toSorted(), ...found.nobody.map((place) => `nobody by ${placeText(place)}`)];
}

const OPAQUE = "readFile(join(__dirname, '../..', name));\n";

test.each<readonly [what: string, files: ProjectTexts, users: readonly string[]]>([
  ['nothing', {}, ['everybody: nothing that can be read refers to it']],
  ['a workspace', { 'packages/app/a.js': "import '../../data/deep/x';\n" }, ['app by packages/app/a.js:1']],
  [
    'a workspace that names a folder above',
    { 'packages/app/a.js': "list(join(__dirname, '../../data'));\n" },
    ['app by packages/app/a.js:1'],
  ],
  [
    'a workspace, and another one that may start in the root',
    { 'packages/app/a.js': "import '../../data/deep/x';\n", 'packages/lib/a.js': "readFile('data/deep/x.js');\n" },
    ['app by packages/app/a.js:1', 'lib by packages/lib/a.js:1 perhaps'],
  ],
  [
    'a workspace, and another one that may start in the root, with a folder',
    { 'packages/app/a.js': "import '../../data/deep/x';\n", 'packages/lib/a.js': "readFile(join('data', name));\n" },
    ['app by packages/app/a.js:1', 'lib by packages/lib/a.js:1 perhaps'],
  ],
  [
    'only a workspace that may start in the root',
    { 'packages/lib/a.js': "readFile('data/deep/x.js');\n" },
    ['everybody: nothing that can be read refers to it'],
  ],
  [
    'two workspaces',
    { 'packages/app/a.js': "import '../../data/deep/x';\n", 'packages/lib/a.js': "import '../../data/deep/x.js';\n" },
    ['app by packages/app/a.js:1', 'lib by packages/lib/a.js:1'],
  ],
  [
    'a file of the root that a workspace names',
    { 'packages/app/a.js': "import '../../tests/t.js';\n", 'tests/t.js': "import '../data/deep/x.js';\n" },
    ['app by packages/app/a.js:1 > tests/t.js:1'],
  ],
  [
    'a file of the root that nothing names',
    { 'packages/app/a.js': "import '../../data/deep/x';\n", 'tests/t.js': "import '../data/deep/x.js';\n" },
    ['everybody: tests/t.js refers to it, and nothing that can be read refers to tests/t.js'],
  ],
  [
    'files of the root that name each other',
    { 'tests/t.js': "import '../data/deep/x.js';\nimport './u.js';\n", 'tests/u.js': "import './t.js';\n" },
    [],
  ],
  ['a setting that tools find', { 'a.config.js': "require('./data/deep/x.js');\n" }, ['everybody: a.config.js:1 refers to it']],
  [
    'a setting of the root with a pattern for all',
    { 'packages/app/a.js': "import '../../data/deep/x';\n", 'tsconfig.json': { include: ['**/*.js'] }, 'ci.sh': 'ls **/*.xml\n' },
    ['app by packages/app/a.js:1'],
  ],
  [
    'only a script for releases',
    {
      'packages/app/package.json': {
        name: 'app',
        version: '1.0.0',
        scripts: { test: 'jest', 'changelog:update': 'node ../../data/deep/x.js' },
      },
    },
    ['everybody: nothing that can be read refers to it'],
  ],
  ['a setting of a linter', { '.eslintrc.js': "require('./data/deep/x.js');\n" }, ['nobody by .eslintrc.js:1']],
])('%s refers to a file', (_, files, expected) => {
  expect(users(files)).toEqual(expected);
});

test('a symbolic link is a reference', () => {
  expect(users({}, { 'packages/app/linked': '../../data' })).toEqual(['app by packages/app/linked']);
  expect(users({ 'packages/lib/a.js': "import './l/x.js';\n" }, { 'packages/lib/l': '../../data/deep' })).toEqual([
    'lib by packages/lib/l',
  ]);
});

test('a place that may read anything selects its workspace, but proves nothing', () => {
  const byLib = { 'packages/lib/a.js': "import '../../data/deep/x';\n" };
  expect(users({ 'packages/app/a.js': OPAQUE })).toEqual(['everybody: nothing that can be read refers to it']);
  expect(users({ ...byLib, 'packages/app/a.js': OPAQUE })).toEqual(['app by packages/app/a.js:1 perhaps', 'lib by packages/lib/a.js:1']);
  expect(users({ ...byLib, 'tests/a.js': "readFile(join(__dirname, '..', name));\n" })).toEqual([
    'everybody: tests/a.js may read it, and nothing that can be read refers to tests/a.js',
  ]);
});
