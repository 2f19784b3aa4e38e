// Checks the oracle against answers found by hand. If it does not claim a workspace, the random tests beside this file cannot find it
// missing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { formatManifest, type Manifest, monorepoFiles } from '@tributary/test-repo/temp-monorepo';
import { LIB_AND_USERS, MONOREPO, manifestOf, PATCH_FILE, USERS_OF_DEEP, YARNRC } from '../semantics/monorepo.fixture.js';
import { mustSelect } from './must-select.fixture.js';
import { type OracleProject, readProject } from './project.fixture.js';
import { scanReads } from './reads.fixture.js';
import { sideOf } from './side.fixture.js';

const LOCK = readFileSync(join(findProjectRoot(), 'tools/affected/src/semantics/monorepo.fixture.lock'), 'utf8');
const BASE = texts({ ...monorepoFiles(MONOREPO), 'yarn.lock': LOCK });

/** Returns the names in order, or why everything must be selected. */
function must(changes: Readonly<Record<string, unknown>>, before: Readonly<Record<string, unknown>> = {}): string | string[] {
  const base = { ...BASE, ...texts(before) };
  const after = projectOf({ ...base, ...texts(changes) });
  const { all, selected } = mustSelect({ before: projectOf(base), after, readsOf: (project) => scanReads(project, new Map()) });
  return all ?? [...selected.keys()].toSorted();
}

function projectOf(files: Readonly<Record<string, string>>): OracleProject {
  const project = readProject(sideOf(files));
  if (project === undefined) throw new Error('there is no root');
  return project;
}

function texts(files: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function config(affected: Manifest): Record<string, string> {
  return { 'tributary.json': formatManifest({ affected }) };
}

describe('edges', () => {
  test.each<[file: string, expected: readonly string[]]>([
    ['packages/lib/src/index.js', LIB_AND_USERS],
    ['packages/alone/src/index.js', ['alone']],
    ['packages/lib/inner/src/index.js', ['inner', 'inner-user']],
    ['packages/tool/src/index.js', ['monorepo', 'tool']],
    ['packages/ring-a/src/index.js', ['ring-a', 'ring-b']],
  ])('%s', (file, expected) => {
    expect(must({ [file]: 'changed\n' })).toEqual(expected);
  });

  test('those of the base count too', () => {
    const classic = { 'yarn.lock': '# yarn lockfile v1\n' };
    const lost = must(manifestOf('packages/lib', { version: '2.0.0' }), classic);
    expect(lost).toEqual(expect.arrayContaining(['by-alias', 'by-semver', 'lib']));
    expect(lost).not.toContain('by-dependency');
  });

  test('files that get another owner count for both', () => {
    const dissolved = { ...manifestOf('', { workspaces: ['packages/*'] }), ...manifestOf('packages/inner-user', { dependencies: {} }) };
    expect(must(dissolved)).toEqual([...LIB_AND_USERS, 'inner-user'].toSorted());
    expect(must(manifestOf('', {}), dissolved)).toEqual([...LIB_AND_USERS, 'inner'].toSorted());
  });

  test('those that are written down count', () => {
    const edges = { alone: { workspaces: { tool: 'packages/alone/a.js:1' }, files: { 'README.md': 'packages/alone/a.js:2' } } };
    expect(must({ 'packages/tool/src/index.js': 'changed\n' }, config({ edges }))).toEqual(['alone', 'monorepo', 'tool']);
    expect(must({ 'README.md': 'changed\n' }, config({ edges }))).toEqual(['alone']);
  });
});

describe('what a file is', () => {
  const lib = (files: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/lib/${path}`, text]));

  test.each<[what: string, files: Readonly<Record<string, unknown>>]>([
    ['documentation', lib({ 'README.md': '', LICENSE: '', 'docs/a.svg': '' })],
    ['tests and their settings', lib({ 'src/a.test.ts': '', 'test/a.js': '', 'src/__snapshots__/a.snap': '', 'jest.config.js': '' })],
    ['a version', manifestOf('packages/lib', { version: '1.0.1', description: 'a' })],
    ['a tool for tests', manifestOf('packages/lib', { devDependencies: { jest: '^1.0.0' } })],
  ])('%s', (_, files) => {
    expect(must(files)).toEqual(['lib']);
  });

  test('with dependents', () => {
    expect(must(lib({ 'CHANGELOG.js': '' }))).toEqual(LIB_AND_USERS);
    expect(must(manifestOf('packages/lib', { dependencies: { extra: '^1.0.0' } }))).toEqual(LIB_AND_USERS);
    expect(must(lib({ 'test/a.js': '1' }), manifestOf('packages/lib', { exports: { './testing': './test/a.js' } }))).toEqual(LIB_AND_USERS);
    expect(must(lib({ 'README.md': '1' }), config({ reach: { documentation: 'dependents' } }))).toEqual(LIB_AND_USERS);
  });

  test('a range that leads to the same workspace', () => {
    expect(must(manifestOf('packages/by-dev', { devDependencies: { lib: 'workspace:^' } }))).toEqual(['by-dev']);
  });

  test('whoever imports it, directly or through others', () => {
    const before = lib({ 'src/b.js': "export * from '../test/a';", 'test/a.js': "import './b.js';", 'test/b.js': '', 'README.md': '' });
    expect(must(lib({ 'test/b.js': '1' }), before)).toEqual(LIB_AND_USERS);
    const alone = { 'packages/alone/src/a.test.js': "require('../../lib/README.md');" };
    expect(must(lib({ 'README.md': '1' }), { ...before, ...alone })).toEqual(['alone', 'lib']);
    expect(must(lib({ 'README.md': '1' }), { 'packages/alone/a.js': "// import '../lib/README.md';" })).toEqual(['lib']);
  });
});

describe('the lockfile', () => {
  test('an entry that resolves differently, also through packages', () => {
    const lock = LOCK.replace('resolution: "deep@npm:1.0.0"', 'resolution: "deep@npm:1.0.5"');
    expect(lock).not.toBe(LOCK);
    expect(must({ 'yarn.lock': lock })).toEqual(USERS_OF_DEEP);
  });

  test('its order and its comments say nothing', () => {
    expect(must({ 'yarn.lock': `${LOCK}\n# a comment\n` })).toEqual([]);
  });

  test('written in other ways it says the same', () => {
    expect(must({ 'yarn.lock': LOCK.replaceAll('  dependencies:', "  'dependencies' : ") })).toEqual([]);
  });

  test('one that cannot be read', () => {
    expect(must({ 'yarn.lock': `<<<<<<< ours\n${LOCK}` })).toBe('yarn.lock cannot be read');
  });
});

describe('files outside of workspaces', () => {
  test.each<[title: string, files: Readonly<Record<string, unknown>>, expected: string | string[]]>([
    ['settings of the tools', config({ always: ['tool'] }), 'tributary.json changed'],
    ['the version of Node', { '.nvmrc': '20\n' }, '.nvmrc changed'],
    ['a file that no rule claims', { 'data/prices.json': '{}' }, 'data/prices.json changed'],
    ['Markdown', { 'docs/guide.md': 'changed\n' }, []],
    ['a patch', { [PATCH_FILE]: 'changed\n' }, ['by-portal']],
    [
      'a setting of Yarn',
      { '.yarnrc.yml': `${YARNRC}nodeLinker: pnp\n`.replace('nodeLinker: node-modules\n', '') },
      'nodeLinker of .yarnrc.yml changed',
    ],
    ['a catalog', { '.yarnrc.yml': YARNRC.replace('shelf: ~1.0.0', 'shelf: ^1.0.0') }, ['by-link']],
    ['a key of the root for everybody', manifestOf('', { engines: { node: '>=20' } }), 'engines of the root package.json changed'],
    ['a key of the root for its importers', manifestOf('', { exports: './index.js' }), ['monorepo']],
    [
      'a workflow with tests',
      { '.github/workflows/ci.yml': 'jobs:\n  a:\n    steps:\n      - run: yarn test\n' },
      '.github/workflows/ci.yml runs tests',
    ],
    ['a workflow without', { '.github/workflows/label.yml': 'jobs:\n  a:\n    steps:\n      - run: echo\n' }, []],
  ])('%s', (_, files, expected) => {
    expect(must(files)).toEqual(expected);
  });

  test('scripts of the root affect those that call them', () => {
    const before = {
      ...manifestOf('', { scripts: { gen: 'node gen.js', prep: 'yarn gen' } }),
      ...manifestOf('packages/alone', { scripts: { test: 'yarn run -T prep && jest' } }),
    };
    expect(must(manifestOf('', { scripts: { gen: 'node other.js', prep: 'yarn gen' } }), before)).toEqual(['alone']);
  });

  test('a tsconfig of the root affects those that extend it', () => {
    const before = { 'tsconfig.base.json': '{}', 'packages/alone/tsconfig.json': '{"extends": "../../tsconfig.base.json"}' };
    expect(must({ 'tsconfig.base.json': '{"a": 1}' }, before)).toEqual(['alone']);
  });

  test.each<[key: string, expected: string | string[]]>([
    ['engines', []],
    ['version', 'babel.config.js reads what changed'],
  ])('settings that read %s of the manifest', (key, expected) => {
    const before = { 'babel.config.js': `const pkg = require('./package.json');\nuse(pkg.${key});` };
    expect(must(manifestOf('', { version: '9.0.0' }), before)).toEqual(expected);
  });
});

test('rules and always', () => {
  const before = config({
    rules: [
      { files: '**/*.md', affects: 'none' },
      { files: '**/*.test.js', affects: 'owner' },
      { files: 'data/**', affects: ['tool'] },
    ],
    always: ['ring-a'],
  });
  expect(must({ 'packages/lib/a.md': '' }, before)).toEqual(['ring-a']);
  expect(must({ 'packages/lib/a.test.js': '' }, before)).toEqual(['lib', 'ring-a']);
  expect(must({ 'data/a.json': '' }, before)).toEqual(['monorepo', 'ring-a', 'tool']);
});
