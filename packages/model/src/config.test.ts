import { describe, expect, test } from '@jest/globals';
import { DEFAULT_CONFIG, parseConfig } from './config.js';
import type { KeyPath } from './config-reading.js';

function fail(path: KeyPath, message: string): never {
  throw new Error(`${path.join('.') || '(top)'} ${message}`);
}

test('nothing said is the default', () => {
  expect(parseConfig({}, fail)).toEqual(DEFAULT_CONFIG);
  expect(parseConfig({ $schema: './x.json' }, fail)).toEqual(DEFAULT_CONFIG);
  expect(parseConfig({ migrate: {}, affected: {} }, fail)).toEqual(DEFAULT_CONFIG);
});

test('every key of the block for migrate-repo is read, and a default stands for each that is missing', () => {
  const migrate = {
    path: 'libs/{name}',
    tags: '{shortName}-{version}-{tag}',
    packages: {
      '@acme/ui': { source: 'https://host.example/ui', path: 'ui', branch: 'main', subdirectory: 'lib' },
      core: { source: '../core' },
    },
    internal: { range: 'workspace:*', convert: 'all', packer: 'yarn' },
    versions: { policy: 'highest', exceptions: { eslint: 'keep', react: 'workspace' } },
    decided: { '0a1b2c3d': 'We looked.' },
  };
  expect(parseConfig({ migrate }, fail)).toEqual({ ...DEFAULT_CONFIG, migrate });
  for (const key of ['path', 'tags', 'packages', 'internal', 'versions', 'decided'] as const) {
    expect(parseConfig({ migrate: { ...migrate, [key]: undefined } }, fail)).toEqual({
      ...DEFAULT_CONFIG,
      migrate: { ...migrate, [key]: DEFAULT_CONFIG.migrate[key] },
    });
  }
});

test('a policy alone stands for the block of versions', () => {
  expect(parseConfig({ migrate: { versions: 'workspace' } }, fail).migrate.versions).toEqual({ policy: 'workspace', exceptions: {} });
  expect(parseConfig({ migrate: { versions: {}, internal: {} } }, fail).migrate).toEqual(DEFAULT_CONFIG.migrate);
});

test('every key of the block for affected is read, and a default stands for each that is missing', () => {
  const affected = {
    base: 'origin/main',
    rules: [
      { files: ['docs/**', '!docs/api/**'], affects: 'none' },
      { files: ['schema/*.json'], affects: ['@acme/api', 'core'], because: 'nothing else names it' },
    ],
    always: ['@acme/app'],
    rootOnlyDependencies: ['husky', '@commitlint/*'],
    edges: { '@acme/api': { workspaces: { core: 'api/a.ts:1' }, files: { 'data/x.json': 'api/a.ts:2', '.': 'api/a.ts:3' } } },
    dropped: [{ name: '@acme/old', task: 'e2e', because: 'its browser is gone' }],
    turboInputs: 'ignore',
    reach: { documentation: 'dependents', versions: 'itself', testDependencies: 'itself', tests: 'dependents' },
    strictScripts: true,
  } as const;
  expect(parseConfig({ affected }, fail)).toEqual({ ...DEFAULT_CONFIG, affected });
  for (const key of [
    'base',
    'rules',
    'always',
    'rootOnlyDependencies',
    'edges',
    'dropped',
    'turboInputs',
    'reach',
    'strictScripts',
  ] as const) {
    expect(parseConfig({ affected: { ...affected, [key]: undefined } }, fail).affected).toEqual({
      ...affected,
      [key]: DEFAULT_CONFIG.affected[key],
    });
  }
});

test('a name that only the root uses may have its reason', () => {
  const rootOnlyDependencies = ['husky', { name: 'site', because: 'only scripts.docs uses it' }];
  const { affected } = parseConfig({ affected: { rootOnlyDependencies } }, fail);
  expect(affected.rootOnlyDependencies).toEqual(['husky', 'site']);
  expect(() => parseConfig({ affected: { rootOnlyDependencies: [{ name: 'site' }] } }, fail)).toThrow('rootOnlyDependencies.0.because');
});

test('a dropped task is the tests where nothing else stands, and needs a reason', () => {
  const read = (entry: object): unknown => parseConfig({ affected: { dropped: [entry] } }, fail).affected.dropped;
  expect(read({ name: 'old', because: 'x' })).toEqual([{ name: 'old', task: 'test', because: 'x' }]);
  expect(() => read({ name: 'old' })).toThrow('affected.dropped.0.because must be a non-empty string');
  expect(() => read({ because: 'x' })).toThrow('affected.dropped.0.name must be a non-empty string');
});

test('one glob may stand without a list', () => {
  const rules = [{ files: '.github/**', affects: 'owner' }];
  expect(parseConfig({ affected: { rules } }, fail).affected.rules).toEqual([{ files: ['.github/**'], affects: 'owner' }]);
});

test.each(['a', '**', '.env', '..a/b', 'a..', '.a/.b', '!(a|b)/*.js', 'a/{b,c}/**', 'a.', '*', 'with space/ü'])('%j is a glob', (files) => {
  expect(parseConfig({ affected: { rules: [{ files, affects: 'all' }] } }, fail).affected.rules).toEqual([
    { files: [files], affects: 'all' },
  ]);
});

test('false brings no tags', () => {
  expect(parseConfig({ migrate: { tags: false } }, fail).migrate.tags).toBe(false);
});

test('a pattern may have a brace that opens no hole', () => {
  expect(parseConfig({ migrate: { path: '{name}/a{' } }, fail).migrate.path).toBe('{name}/a{');
});

test('a package that is called like something every object has is there only if it was named', () => {
  expect(DEFAULT_CONFIG.migrate.packages['constructor']).toBeUndefined();
  expect(parseConfig({ migrate: { packages: {} } }, fail).migrate.packages['toString']).toBeUndefined();
  const named = JSON.parse('{"migrate":{"packages":{"__proto__":{"source":"../x"}}}}');
  expect(Object.entries(parseConfig(named, fail).migrate.packages)).toEqual([['__proto__', { source: '../x' }]]);
});

describe('what is wrong is named with its key', () => {
  const source = (entry: unknown): unknown => ({ migrate: { packages: { '@acme/ui': entry } } });
  const rule = (entry: unknown): unknown => ({ affected: { rules: [{ files: 'a', affects: 'all' }, entry] } });
  const glob = (files: unknown): unknown => rule({ files, affects: 'all' });
  const effect = (affects: unknown): unknown => rule({ files: 'a', affects });
  const noPath = 'must be a path from the root of the project, without an empty part, "." or "..", not';
  const cases: readonly (readonly [value: unknown, message: string])[] = [
    [null, '(top) must be an object, not null'],
    [[], '(top) must be an object, not a list'],
    ['x', '(top) must be an object, not "x"'],
    [undefined, '(top) must be an object, not undefined'],
    [{ affect: {} }, 'affect is not a known key; known here: migrate, affected'],
    [JSON.parse('{"__proto__":{}}'), '__proto__ is not a known key; known here: migrate, affected'],
    [{ migrate: null }, 'migrate must be an object, not null'],
    [{ migrate: { pth: 'x' } }, 'migrate.pth is not a known key; known here: path, tags, packages, internal, versions, decided'],
    [{ migrate: { decided: { '0a1b2c3d': true } } }, 'migrate.decided.0a1b2c3d must be a non-empty string, not true'],
    [{ migrate: { internal: 'all' } }, 'migrate.internal must be an object, not "all"'],
    [
      { migrate: { internal: { range: '^' } } },
      'migrate.internal.range must be one of "workspace:^", "workspace:~", "workspace:*", not "^"',
    ],
    [{ migrate: { internal: { packer: 'pnpm' } } }, 'migrate.internal.packer must be one of "detect", "yarn", "npm", not "pnpm"'],
    [{ migrate: { internal: { convert: 'none' } } }, 'migrate.internal.convert must be one of "admitted", "all", not "none"'],
    [{ migrate: { versions: 'newest' } }, 'migrate.versions must be one of "report", "highest", "workspace", not "newest"'],
    [{ migrate: { versions: { policy: 'keep' } } }, 'migrate.versions.policy must be one of "report", "highest", "workspace", not "keep"'],
    [
      { migrate: { versions: { exceptions: { eslint: 1 } } } },
      'migrate.versions.exceptions.eslint must be one of "report", "highest", "workspace", "keep", not 1',
    ],
    [{ migrate: { path: null } }, 'migrate.path must be a non-empty string, not null'],
    [{ migrate: { path: '' } }, 'migrate.path must be a non-empty string, not an empty one'],
    [{ migrate: { path: 7 } }, 'migrate.path must be a non-empty string, not 7'],
    [{ migrate: { path: false } }, 'migrate.path must be a non-empty string, not false'],
    [{ migrate: { path: 'x/{version}' } }, 'migrate.path has {version}, which is unknown here; known: {name}, {shortName}'],
    [{ migrate: { path: 'x/{}' } }, 'migrate.path has {}, which is unknown here'],
    [{ migrate: { tags: null } }, 'migrate.tags must be a non-empty string, not null'],
    [{ migrate: { tags: true } }, 'migrate.tags must be a non-empty string, not true'],
    [{ migrate: { tags: {} } }, 'migrate.tags must be a non-empty string, not an object'],
    [{ migrate: { tags: '{nam}' } }, 'migrate.tags has {nam}, which is unknown here; known: {name}, {shortName}, {version}, {tag}'],
    [{ migrate: { packages: null } }, 'migrate.packages must be an object, not null'],
    [{ migrate: { packages: [] } }, 'migrate.packages must be an object, not a list'],
    [source(null), 'migrate.packages.@acme/ui must be an object, not null'],
    [source('../ui'), 'migrate.packages.@acme/ui must be an object, not "../ui"'],
    [source({}), 'migrate.packages.@acme/ui needs "source", the address or path of the repository'],
    [source({ source: null }), 'migrate.packages.@acme/ui.source must be a non-empty string, not null'],
    [source({ source: 'x', branch: null }), 'migrate.packages.@acme/ui.branch must be a non-empty string, not null'],
    [source({ source: 'x', path: '' }), 'migrate.packages.@acme/ui.path must be a non-empty string, not an empty one'],
    [source({ source: 'x', subdirectory: ['a'] }), 'migrate.packages.@acme/ui.subdirectory must be a non-empty string, not a list'],
    [source({ source: 'x', url: 'y' }), 'migrate.packages.@acme/ui.url is not a known key; known here: source, path, branch, subdirectory'],
    [{ affected: null }, 'affected must be an object, not null'],
    [{ affected: { rule: [] } }, 'affected.rule is not a known key; known here: base, rules, always, rootOnlyDependencies, edges, dropped'],
    [{ affected: { base: '' } }, 'affected.base must be a non-empty string, not an empty one'],
    [{ affected: { base: null } }, 'affected.base must be a non-empty string, not null'],
    [{ affected: { always: 'app' } }, 'affected.always must be a list, not "app"'],
    [{ affected: { always: ['app', ''] } }, 'affected.always.1 must be a non-empty string, not an empty one'],
    [{ affected: { always: [null] } }, 'affected.always.0 must be a non-empty string, not null'],
    [{ affected: { reach: { tests: 'none' } } }, 'affected.reach.tests must be one of "itself", "dependents", not "none"'],
    [{ affected: { turboInputs: 'trust' } }, 'affected.turboInputs must be one of "respect", "ignore", not "trust"'],
    [{ affected: { strictScripts: 'yes' } }, 'affected.strictScripts must be true or false, not "yes"'],
    [{ affected: { observed: 'add' } }, 'affected.observed was removed: delete it. What tests read goes into affected.edges'],
    ...['terminal', 'transitive'].map(
      (dev) =>
        [{ affected: { dev } }, 'affected.dev was removed: delete it. A change follows every dependency, dev dependencies too'] as const,
    ),
    [{ affected: { rootOnlyDependencies: {} } }, 'affected.rootOnlyDependencies must be a list, not an object'],
    [{ affected: { dropped: ['old'] } }, 'affected.dropped.0 must be an object, not "old"'],
    [{ affected: { rules: {} } }, 'affected.rules must be a list, not an object'],
    [{ affected: { rules: null } }, 'affected.rules must be a list, not null'],
    [rule('docs/**'), 'affected.rules.1 must be an object, not "docs/**"'],
    [rule({ files: 'a' }), 'affected.rules.1 needs "files" and "affects"'],
    [
      rule({ files: 'a', affects: 'all', tasks: ['deploy'] }),
      'affected.rules.1.tasks.0 must be one of test, build, lint, format, not "deploy"',
    ],
    [rule({ files: 'a', affects: 'all', tasks: [] }), 'affected.rules.1.tasks must name at least one kind of task'],
    [rule({ files: 'a', affects: 'all', tasks: 'test' }), 'affected.rules.1.tasks must be a list'],
    [rule({ affects: 'all' }), 'affected.rules.1 needs "files" and "affects"'],
    [rule({ files: 'a', affects: 'all', why: 'x' }), 'affected.rules.1.why is not a known key; known here: files, affects, tasks, because'],
    [glob(''), 'affected.rules.1.files must be a non-empty string, not an empty one'],
    [glob(7), 'affected.rules.1.files must be a list, not 7'],
    [glob([]), 'affected.rules.1.files must name at least one pattern that does not begin with "!"'],
    [glob('!a'), 'affected.rules.1.files must name at least one pattern that does not begin with "!"'],
    [glob(['!a', '!b/**']), 'affected.rules.1.files must name at least one pattern that does not begin with "!"'],
    [glob(['a', 7]), 'affected.rules.1.files.1 must be a non-empty string, not 7'],
    [glob('docs/'), 'affected.rules.1.files names a folder; for its contents, write "docs/**"'],
    [glob(['a', '!docs/']), 'affected.rules.1.files.1 names a folder; for its contents, write "!docs/**"'],
    ...['/a', './a', '.././a', '..//a', 'a/../b', 'a/./b', 'a//b', '.', '..', 'a/..', '/'].map(
      (path) => [glob(path), `files ${noPath} "${path}"`] as const,
    ),
    ...['!/a', '!./a', '!'].map((path) => [glob(['a', path]), `files.1 ${noPath} "${path}"`] as const),
    [effect('core'), 'affected.rules.1.affects must be "all", "none", "owner" or a list of names of workspaces, not "core"'],
    [effect(null), 'affected.rules.1.affects must be "all", "none", "owner" or a list of names of workspaces, not null'],
    [effect([]), 'affected.rules.1.affects must name at least one workspace; to select nothing, write "none"'],
    [effect(['core', '']), 'affected.rules.1.affects.1 must be a non-empty string, not an empty one'],
  ];
  test.each(cases.map(([value, message]) => [JSON.stringify(value), message, value]))('%s: %s', (_, message, value) => {
    expect(() => parseConfig(value, fail)).toThrow(message as string);
  });
});
