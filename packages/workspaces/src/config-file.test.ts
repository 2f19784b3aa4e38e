import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { DEFAULT_CONFIG } from '@tributary/model/config';
import { isToolError } from '@tributary/model/errors';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { parseConfigFile } from './config-file.js';

const schema = JSON.parse(readFileSync(join(findProjectRoot(), 'packages/model/schema/tributary.schema.json'), 'utf8')) as object;
const validate = new Ajv({ allErrors: true }).compile(schema);

const good: Readonly<Record<string, unknown>> = {
  'nothing at all': {},
  'a schema for editors': { $schema: './node_modules/tributary.schema.json' },
  'an empty block': { migrate: {} },
  'all there is': {
    migrate: {
      path: 'libs/{name}',
      tags: '{shortName}-{version}-{tag}-{name}',
      packages: {
        '@acme/ui': { source: 'https://example.org/ui.git', path: 'libs/ui', branch: 'main', subdirectory: 'src' },
        core: { source: '../core' },
      },
    },
  },
  'no tags': { migrate: { tags: false } },
  'a path without a hole': { migrate: { path: 'packages' } },
  'a brace that is not closed': { migrate: { path: 'a{name' } },
  'no packages': { migrate: { packages: {} } },
  'a policy for versions': { migrate: { versions: 'highest' } },
  'a policy with exceptions': { migrate: { versions: { policy: 'report', exceptions: { eslint: 'keep' } } } },
  'other ranges between workspaces': { migrate: { internal: { range: 'workspace:~', convert: 'all' } } },
  'an empty block for affected': { affected: {} },
  'all there is for affected': {
    affected: {
      base: 'origin/main',
      rules: [
        { files: 'docs/**', affects: 'none' },
        { files: ['schema/**', '!schema/**/*.md'], affects: ['@acme/api', 'core'] },
        { files: ['.env*'], affects: 'all' },
        { files: '**/*.test.ts', affects: 'owner' },
      ],
      always: ['@acme/app'],
      dev: 'terminal',
      rootOnlyDependencies: ['husky', '@commitlint/*'],
      edges: {
        '@acme/api': { workspaces: { core: 'api/a.test.ts:1' }, files: { 'tests/x.js': 'api/a.test.ts:2' } },
        core: {},
        constructor: { workspaces: {}, files: {} },
      },
      dropped: [
        { name: 'old', because: 'x' },
        { name: 'old', task: 'e2e', because: 'x' },
      ],
    },
  },
  'an empty block for commit-to-publish': { publish: {} },
  'all there is for commit-to-publish': {
    publish: {
      record: 'events',
      channels: ['latest'],
      ready: 'approved',
      sources: ['tags', 'versions'],
      tags: ['{name}@{version}', 'release-{version}'],
      registry: 'https://npm.example/a/',
      teams: { web: ['ui-*'] },
      bots: ['robot'],
    },
  },
  ...Object.fromEntries(
    ['.', 'a', 'a/b.c', '.env', '..a/b', 'a..', 'a/..b', '[id].ts', 'a b', 'a\nb', '...'].map((file) => [
      `an edge to the file ${JSON.stringify(file)}`,
      { affected: { edges: { a: { files: { [file]: 'a:1' } } } } },
    ]),
  ),
  'empty lists for affected': { affected: { rules: [], always: [], rootOnlyDependencies: [], dev: 'transitive' } },
  ...Object.fromEntries(
    ['a', '**', '.env', '..a/b', 'a..', '.a/.b', '!(a|b)/*.js', 'a/{b,c}', 'a.', '*', 'a\nb'].map((files) => [
      `the glob ${JSON.stringify(files)}`,
      { affected: { rules: [{ files, affects: 'all' }] } },
    ]),
  ),
};

const bad: Readonly<Record<string, unknown>> = {
  'a list': [],
  'a text': 'migrate',
  null: null,
  'an unknown block': { migrat: {} },
  'a block that is a list': { migrate: [] },
  'a block that is null': { migrate: null },
  'an unknown key': { migrate: { paths: 'x' } },
  'an empty path': { migrate: { path: '' } },
  'a path that is a number': { migrate: { path: 3 } },
  'a hole that means nothing': { migrate: { path: 'packages/{version}' } },
  'a hole in a hole': { migrate: { path: 'packages/{a{name}' } },
  'an empty hole': { migrate: { tags: '{}' } },
  'tags: true': { migrate: { tags: true } },
  'empty tags': { migrate: { tags: '' } },
  'a policy that there is not': { migrate: { versions: 'newest' } },
  'an exception that there is not': { migrate: { versions: { exceptions: { eslint: 'drop' } } } },
  'a range that there is not': { migrate: { internal: { range: '^' } } },
  'packages as a list': { migrate: { packages: ['core'] } },
  'packages: null': { migrate: { packages: null } },
  'a package as a text': { migrate: { packages: { core: '../core' } } },
  'a package without a source': { migrate: { packages: { core: { branch: 'main' } } } },
  'an empty source': { migrate: { packages: { core: { source: '' } } } },
  'a branch that is null': { migrate: { packages: { core: { source: '../core', branch: null } } } },
  'an unknown key of a package': { migrate: { packages: { core: { source: '../core', sorce: '' } } } },
  'a list for affected': { affected: [] },
  'an unknown key for affected': { affected: { rule: [] } },
  'an empty base': { affected: { base: '' } },
  'a base that is null': { affected: { base: null } },
  'always as a text': { affected: { always: 'app' } },
  'an empty name in always': { affected: { always: [''] } },
  'an unknown policy for dev': { affected: { dev: 'none' } },
  'dev: true': { affected: { dev: true } },
  'rootOnlyDependencies as an object': { affected: { rootOnlyDependencies: {} } },
  'a dropped name alone': { affected: { dropped: ['old'] } },
  'a dropped name without a reason': { affected: { dropped: [{ name: 'old' }] } },
  'a dropped task without a name': { affected: { dropped: [{ name: 'old', task: '', because: 'x' }] } },
  'a number in rootOnlyDependencies': { affected: { rootOnlyDependencies: [1] } },
  'rules as an object': { affected: { rules: {} } },
  'a rule as a text': { affected: { rules: ['docs/**'] } },
  'a rule without an effect': { affected: { rules: [{ files: 'a' }] } },
  'a rule without files': { affected: { rules: [{ affects: 'all' }] } },
  'an unknown key of a rule': { affected: { rules: [{ files: 'a', affects: 'all', why: '' }] } },
  'a rule for no files': { affected: { rules: [{ files: [], affects: 'all' }] } },
  'a rule that only takes out': { affected: { rules: [{ files: ['!a'], affects: 'all' }] } },
  'files as a number': { affected: { rules: [{ files: 1, affects: 'all' }] } },
  'a number among the files': { affected: { rules: [{ files: ['a', 1], affects: 'all' }] } },
  'a name as an effect': { affected: { rules: [{ files: 'a', affects: 'core' }] } },
  'an effect on nobody named': { affected: { rules: [{ files: 'a', affects: [] }] } },
  'an empty name as an effect': { affected: { rules: [{ files: 'a', affects: [''] }] } },
  'an effect that is null': { affected: { rules: [{ files: 'a', affects: null }] } },
  'edges as a list': { affected: { edges: [] } },
  'edges of a workspace as a list': { affected: { edges: { a: ['b'] } } },
  'an unknown key of edges': { affected: { edges: { a: { packages: {} } } } },
  'an edge without a place': { affected: { edges: { a: { workspaces: { b: '' } } } } },
  'an edge that is true': { affected: { edges: { a: { workspaces: { b: true } } } } },
  'workspaces of edges as a list': { affected: { edges: { a: { workspaces: ['b'] } } } },
  'files of edges as a text': { affected: { edges: { a: { files: 'b' } } } },
  ...Object.fromEntries(
    ['', '/', '/a', 'a/', './a', 'a/./b', '..', '../a', 'a/../b', 'a//b', 'a/**', '*.js', 'a/.', 'a/..'].map((file) => [
      `an edge to the file ${JSON.stringify(file)}`,
      { affected: { edges: { a: { files: { [file]: 'a:1' } } } } },
    ]),
  ),
  'a list for commit-to-publish': { publish: [] },
  'an unknown key for commit-to-publish': { publish: { channel: 'latest' } },
  'channels as a text': { publish: { channels: 'latest' } },
  'a moment that there is not': { publish: { ready: 'opened' } },
  'a source that there is not': { publish: { sources: ['npm'] } },
  'a tag without a version': { publish: { tags: ['v1'] } },
  'a tag with a hole that means nothing': { publish: { tags: ['{tag}{version}'] } },
  'a registry without https': { publish: { registry: 'npm.example' } },
  'a registry with a credential': { publish: { registry: 'https://a:b@npm.example' } },
  'a team as a text': { publish: { teams: { web: 'ui' } } },
  'an empty bot': { publish: { bots: [''] } },
  'an empty record': { publish: { record: '' } },
  ...Object.fromEntries(
    [
      '',
      '/a',
      './a',
      '..//a',
      '.././a',
      'a/',
      'a/../b',
      'a/./b',
      'a//b',
      '.',
      '..',
      'a/..',
      '/',
      '!',
      '!a',
      '!/a',
      '!./a',
      'a\n/../b',
    ].flatMap((glob) => [
      [`the glob ${JSON.stringify(glob)}`, { affected: { rules: [{ files: glob, affects: 'all' }] } }],
      ...(glob === '!a'
        ? []
        : [[`the glob ${JSON.stringify(glob)} in a list`, { affected: { rules: [{ files: ['b', glob], affects: 'all' }] } }]]),
    ]),
  ),
};

describe('parser and published schema agree', () => {
  test.each(Object.entries(good))('that %s is right', (_, document) => {
    expect(() => parseConfigFile(JSON.stringify(document), 'tributary.json')).not.toThrow();
    expect([validate(document), validate.errors]).toEqual([true, null]);
  });

  test.each(Object.entries(bad))('that %s is wrong', (_, document) => {
    expect(() => parseConfigFile(JSON.stringify(document), 'tributary.json')).toThrow(/^tributary\.json:1: /);
    expect(validate(document)).toBe(false);
  });

  test('nested without end', () => {
    expect(() => parseConfigFile('{"a":'.repeat(50_000), 'tributary.json')).toThrow('nested too deeply');
  });

  test('on every glob', () => {
    const piece = fc.constantFrom('.', '..', '/', '!', '(', 'a', '*', '\n', ' ');
    const glob = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.oneof(glob, fc.array(glob, { maxLength: 3 })), (files) => {
        const document = { affected: { rules: [{ files, affects: 'all' }] } };
        const refused = isToolError(resultOf(() => parseConfigFile(JSON.stringify(document), 'tributary.json')));
        expect(refused).toBe(!validate(document));
      }),
      { numRuns: 500 },
    );
  });

  test('on what is meant where nothing is said', () => {
    expect(defaultsOf('migrate')).toEqual(DEFAULT_CONFIG.migrate);
    // Without a base, it is auto-detected.
    expect({ base: undefined, rootOnlyBecause: {}, ...defaultsOf('affected') }).toEqual(DEFAULT_CONFIG.affected);
    expect(parseConfigFile('{}', 'tributary.json')).toEqual(DEFAULT_CONFIG);
  });
});

describe('what is wrong is named by file, line and key', () => {
  const pack = (line: string): string =>
    `{\n  "migrate": {\n    "packages": {\n      "d3-array": {\n        "source": "../d3-array",\n        ${line}\n      }\n    }\n  }\n}\n`;
  const cases: Readonly<Record<string, readonly [text: string, message: string]>> = {
    'an unknown key': [
      pack('"sorce": "x"'),
      'tributary.json:6: migrate.packages.d3-array.sorce is not a known key; known here: source, path, branch, subdirectory',
    ],
    'a wrong type': [pack('"branch": 7'), 'tributary.json:6: migrate.packages.d3-array.branch must be a non-empty string, not 7'],
    'something missing': [
      '{\n  "migrate": {\n    "packages": {\n      "@a/b": {}\n    }\n  }\n}',
      'tributary.json:4: migrate.packages["@a/b"] needs "source", the address or path of the repository',
    ],
    'no object': ['\n[]', 'tributary.json:2: it must be an object, not a list'],
    'a key twice': [
      '{\n  "migrate": {\n    "path": "a",\n    "tags": false,\n    "path": "b"\n  }\n}',
      'tributary.json:5: migrate.path is duplicated, first on line 3',
    ],
    'a key twice in a rule': [
      '{\n  "affected": {\n    "rules": [\n      { "files": "a", "affects": "all" },\n      { "files": "a",\n        "files": "b", "affects": "none" }\n    ]\n  }\n}',
      'tributary.json:6: affected.rules[1].files is duplicated, first on line 5',
    ],
    'a rule that misses something': [
      '{\n  "affected": {\n    "rules": [\n      { "files": "a", "affects": "all" },\n      { "files": "b" }\n    ]\n  }\n}',
      'tributary.json:5: affected.rules[1] needs "files" and "affects"',
    ],
    'a glob among others': [
      '{\n  "affected": {\n    "rules": [\n      {\n        "files": [\n          "a",\n          "docs/"\n        ],\n        "affects": "none"\n      }\n    ]\n  }\n}',
      'tributary.json:7: affected.rules[0].files[1] names a folder; for its contents, write "docs/**"',
    ],
    'a list in a list with a key twice': [
      '{"affected": {"rules": [[{"a": 1,\n"a": 2}]]}}',
      'tributary.json:2: affected.rules[0][0].a is duplicated, first on line 1',
    ],
    'two commas': ['{\n  "migrate": {},,\n}', 'tributary.json:2: it is not JSON: property name expected'],
    'a comment that does not end': ['{}\n/* mine', 'tributary.json:2: it is not JSON: unexpected end of comment'],
    'text behind the end': ['{}\n{}', 'tributary.json:2: it is not JSON: end of file expected'],
    'an empty file': ['', 'tributary.json:1: it is empty'],
    'a comment alone': ['// mine\n', 'tributary.json:2: it is not JSON: value expected'],
    'edges of a workspace that are a list': [
      '{"affected": {"edges": {\n"@acme/a": []}}}',
      'tributary.json:2: affected.edges["@acme/a"] must be an object, not a list',
    ],
    'an edge without a place': [
      '{"affected": {"edges": {"a": {"workspaces": {\n"b": ""}}}}}',
      'tributary.json:2: affected.edges.a.workspaces.b must be a non-empty string, not an empty one',
    ],
    'an edge of a kind that is none': [
      '{"affected": {"edges": {"a": {\n"packages": {}}}}}',
      'tributary.json:2: affected.edges.a.packages is not a known key; known here: workspaces, files',
    ],
    'a key twice that is called as what every object has': [
      '{"affected": {"edges": {\n"__proto__": {},\n"__proto__": {}}}}',
      'tributary.json:3: affected.edges.__proto__ is duplicated, first on line 2',
    ],
    'a merge that was not finished': ['{\n<<<<<<< HEAD\n}', 'tributary.json:2: it has conflict markers of an unfinished merge'],
  };
  test.each(Object.entries(cases))('%s', (_, [text, message]) => {
    const error = thrownBy(() => parseConfigFile(text, 'tributary.json'));
    expect(isToolError(error) && [error.code, error.message]).toEqual(['CONFIG_INVALID', message]);
  });

  test('none of comments and of commas behind the last', () => {
    const text = '// mine\r\n{ "affected": { /* why */ "always": ["a",], }, }\r\n';
    expect(parseConfigFile(`\uFEFF${text}`, 'tributary.json').affected.always).toEqual(['a']);
  });

  test('none of names that every object has: they are edges as all others', () => {
    const { edges } = parseConfigFile(
      '{"affected": {"edges": {"__proto__": {"workspaces": {"constructor": "a:1"}}}}}',
      'tributary.json',
    ).affected;
    expect(Object.entries(edges)).toEqual([['__proto__', { workspaces: { constructor: 'a:1' }, files: {} }]]);
    expect(edges['constructor']).toBeUndefined();
  });

  test('also behind a byte order mark and with Windows line ends', () => {
    expect(() => parseConfigFile('\uFEFF{\r\n  "x": 1\r\n}', 'tributary.json')).toThrow(
      'tributary.json:2: x is not a known key; known here: migrate, affected',
    );
  });
});

/** Returns the schema's defaults for missing keys of a block. */
function defaultsOf(block: string): Readonly<Record<string, unknown>> {
  const { properties } = schema as { properties: Record<string, { properties: Record<string, { default?: unknown }> }> };
  const keys = Object.entries(properties[block]?.properties ?? {}).filter(([, value]) => 'default' in value);
  return Object.fromEntries(keys.map(([key, value]) => [key, value.default]));
}

function thrownBy(work: () => unknown): unknown {
  const result = resultOf(work);
  if (!isToolError(result)) throw new Error('nothing was thrown');
  return result;
}

/** Returns the result, or the error that it throws. */
function resultOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
