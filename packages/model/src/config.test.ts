import { describe, expect, test } from '@jest/globals';
import { DEFAULT_CONFIG, type KeyPath, parseConfig } from './config.js';

function fail(path: KeyPath, message: string): never {
  throw new Error(`${path.join('.') || '(top)'} ${message}`);
}

test('nothing said is the default', () => {
  expect(parseConfig({}, fail)).toEqual(DEFAULT_CONFIG);
  expect(parseConfig({ $schema: './x.json' }, fail)).toEqual(DEFAULT_CONFIG);
  expect(parseConfig({ migrate: {} }, fail)).toEqual(DEFAULT_CONFIG);
});

test('every key of the block is read, and a default stands for each that is missing', () => {
  const migrate = {
    path: 'libs/{name}',
    tags: '{shortName}-{version}-{tag}',
    packages: {
      '@acme/ui': { source: 'https://host.example/ui', path: 'ui', branch: 'main', subdirectory: 'lib' },
      core: { source: '../core' },
    },
  };
  expect(parseConfig({ migrate }, fail)).toEqual({ migrate });
  for (const key of ['path', 'tags', 'packages'] as const) {
    expect(parseConfig({ migrate: { ...migrate, [key]: undefined } }, fail)).toEqual({
      migrate: { ...migrate, [key]: DEFAULT_CONFIG.migrate[key] },
    });
  }
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
  const cases: readonly (readonly [value: unknown, said: string])[] = [
    [null, '(top) must be an object, not null'],
    [[], '(top) must be an object, not a list'],
    ['x', '(top) must be an object, not "x"'],
    [undefined, '(top) must be an object, not undefined'],
    [{ affected: {} }, 'affected is not a known key; known here: migrate'],
    [JSON.parse('{"__proto__":{}}'), '__proto__ is not a known key; known here: migrate'],
    [{ migrate: null }, 'migrate must be an object, not null'],
    [{ migrate: { pth: 'x' } }, 'migrate.pth is not a known key; known here: path, tags, packages'],
    [{ migrate: { path: null } }, 'migrate.path must be a text that is not empty, not null'],
    [{ migrate: { path: '' } }, 'migrate.path must be a text that is not empty, not an empty one'],
    [{ migrate: { path: 7 } }, 'migrate.path must be a text that is not empty, not 7'],
    [{ migrate: { path: false } }, 'migrate.path must be a text that is not empty, not false'],
    [{ migrate: { path: 'x/{version}' } }, 'migrate.path has {version}, which means nothing here; known: {name}, {shortName}'],
    [{ migrate: { path: 'x/{}' } }, 'migrate.path has {}, which means nothing here'],
    [{ migrate: { tags: null } }, 'migrate.tags must be a text that is not empty, not null'],
    [{ migrate: { tags: true } }, 'migrate.tags must be a text that is not empty, not true'],
    [{ migrate: { tags: {} } }, 'migrate.tags must be a text that is not empty, not an object'],
    [{ migrate: { tags: '{nam}' } }, 'migrate.tags has {nam}, which means nothing here; known: {name}, {shortName}, {version}, {tag}'],
    [{ migrate: { packages: null } }, 'migrate.packages must be an object, not null'],
    [{ migrate: { packages: [] } }, 'migrate.packages must be an object, not a list'],
    [source(null), 'migrate.packages.@acme/ui must be an object, not null'],
    [source('../ui'), 'migrate.packages.@acme/ui must be an object, not "../ui"'],
    [source({}), 'migrate.packages.@acme/ui needs "source", the address or path of the repository'],
    [source({ source: null }), 'migrate.packages.@acme/ui.source must be a text that is not empty, not null'],
    [source({ source: 'x', branch: null }), 'migrate.packages.@acme/ui.branch must be a text that is not empty, not null'],
    [source({ source: 'x', path: '' }), 'migrate.packages.@acme/ui.path must be a text that is not empty, not an empty one'],
    [source({ source: 'x', subdirectory: ['a'] }), 'migrate.packages.@acme/ui.subdirectory must be a text that is not empty, not a list'],
    [source({ source: 'x', url: 'y' }), 'migrate.packages.@acme/ui.url is not a known key; known here: source, path, branch, subdirectory'],
  ];
  test.each(cases.map(([value, said]) => [JSON.stringify(value), said, value]))('%s: %s', (_, said, value) => {
    expect(() => parseConfig(value, fail)).toThrow(said as string);
  });
});
