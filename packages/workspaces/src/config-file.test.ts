import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { DEFAULT_CONFIG } from '@tributary/model/config';
import { isToolError } from '@tributary/model/errors';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { Ajv } from 'ajv';
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
  'packages as a list': { migrate: { packages: ['core'] } },
  'packages: null': { migrate: { packages: null } },
  'a package as a text': { migrate: { packages: { core: '../core' } } },
  'a package without a source': { migrate: { packages: { core: { branch: 'main' } } } },
  'an empty source': { migrate: { packages: { core: { source: '' } } } },
  'a branch that is null': { migrate: { packages: { core: { source: '../core', branch: null } } } },
  'an unknown key of a package': { migrate: { packages: { core: { source: '../core', sorce: '' } } } },
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

  test('on what is meant where nothing is said', () => {
    const defaults = schema as { properties: { migrate: { properties: Record<string, { default: unknown }> } } };
    const said = Object.entries(defaults.properties.migrate.properties).map(([key, value]) => [key, value.default]);
    expect(Object.fromEntries(said)).toEqual(DEFAULT_CONFIG.migrate);
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
    'a wrong type': [pack('"branch": 7'), 'tributary.json:6: migrate.packages.d3-array.branch must be a text that is not empty, not 7'],
    'something missing': [
      '{\n  "migrate": {\n    "packages": {\n      "@a/b": {}\n    }\n  }\n}',
      'tributary.json:4: migrate.packages["@a/b"] needs "source", the address or path of the repository',
    ],
    'no object': ['\n[]', 'tributary.json:2: it must be an object, not a list'],
    'a key twice': [
      '{\n  "migrate": {\n    "path": "a",\n    "tags": false,\n    "path": "b"\n  }\n}',
      'tributary.json:5: migrate.path stands there twice, first on line 3',
    ],
    'a comma too many': ['{\n  "migrate": {},\n}', 'tributary.json:3: it is not JSON: property name expected'],
    'a comment': ['// mine\n{}', 'tributary.json:1: it is not JSON: invalid comment token'],
    'an empty file': ['', 'tributary.json:1: it is empty'],
    'a merge that was not finished': [
      '{\n<<<<<<< HEAD\n}',
      'tributary.json:2: it has the conflict markers of a merge that was not finished',
    ],
  };
  test.each(Object.entries(cases))('%s', (_, [text, message]) => {
    const error = thrownBy(() => parseConfigFile(text, 'tributary.json'));
    expect(isToolError(error) && [error.code, error.message]).toEqual(['CONFIG_INVALID', message]);
  });

  test('also behind a byte order mark and with Windows line ends', () => {
    expect(() => parseConfigFile('\uFEFF{\r\n  "x": 1\r\n}', 'tributary.json')).toThrow(
      'tributary.json:2: x is not a known key; known here: migrate',
    );
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
