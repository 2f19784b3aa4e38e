import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { namesIn, opaqueIn } from './names.fixture.js';

const EVERY_KIND = [
  'package.json',
  'p/a/package.json',
  'tsconfig.json',
  'turbo.json',
  'jest.config.json',
  '.babelrc',
  '.swcrc',
  '.eslintrc',
  '.mocharc.yml',
  '.nycrc',
  'project.json',
  '.yarnrc.yml',
  'compose.yml',
  'Dockerfile',
  'x.config.js',
];

describe('a broken file gives what can be read, and may reach everything', () => {
  const cases: readonly (readonly [path: string, text: string, names: readonly string[]])[] = [
    ['p/a/package.json', '{"main": "../x", "types": ', ['text ../x']],
    ['p/a/tsconfig.json', '<<<<<<< HEAD\n{"extends": "../x"}\n=======\n', []],
    [
      'p/a/tsconfig.json',
      '{"extends": "../x",\n<<<<<<< HEAD\n"files": ["../y"]\n=======\n"files": ["../z"]\n>>>>>>> b\n}',
      ['../x', '../y', '../z'],
    ],
    ['p/a/compose.yml', 'services: { a: { build: ../b }\n  x', ['../b']],
    ['p/a/compose.yml', '<<<<<<< HEAD\na: 1\n=======\n', []],
    ['p/a/.mocharc.yml', 'require: *missing', []],
  ];
  test.each(cases)('%s %j', (path, text, names) => {
    expect(namesIn(path, text)).toEqual(expect.arrayContaining([...names]));
    expect(opaqueIn(path, text)).toEqual(['../..']);
  });

  test('a file that can be read is not opaque, nor is an empty one', () => {
    for (const text of ['', ' \n', '\uFEFF{"main": "../x"}', '// no\n{"main": "../x",}'])
      expect(opaqueIn('p/a/package.json', text)).toEqual([]);
    expect(namesIn('p/a/package.json', '\uFEFF{"main": "../x"}')).toEqual(['text ../x']);
    for (const text of ['', '# no\n', 'a: 1']) expect(opaqueIn('.yarnrc.yml', text)).toEqual([]);
    expect(opaqueIn('package.json', '{')).toEqual(['.']);
  });
});

describe('a large file is read to its end', () => {
  // Time squared would be minutes. Longer YAML is opaque.
  const length = 50_000;
  const pieces: readonly string[] = [
    '[',
    '{"a":',
    '{',
    '"',
    '"a",',
    '["../",',
    'a: ',
    'a: b\n',
    '- ',
    '? ',
    '&a ',
    '*a ',
    '- &a b\n- *a\n',
    '<<: *a\n',
    '---\n',
    '%x\n',
    '\n',
    '../',
    '$',
    '\\',
    'COPY a ',
    "'a' ",
  ];
  test.each(pieces)('of %j', (piece) => {
    const text = piece.repeat(length / piece.length);
    for (const path of ['p/a/package.json', 'turbo.json', '.babelrc', 'compose.yml', 'Dockerfile', 'x.config.js'])
      expect(() => namesIn(path, text)).not.toThrow();
  });

  const values: readonly string[] = [
    '../',
    '../ ',
    'cd .. ',
    'cd a ',
    'a/',
    'patch:',
    'patch:a@',
    '#',
    '::',
    '&',
    '!',
    '@a/',
    '$PROJECT_CWD/',
    '*',
    '{',
    '..\\',
    '"../a ',
  ];
  test.each(values)('with %j in one value', (value) => {
    const long = value.repeat(length / value.length);
    for (const folder of ['', 'p/a/']) {
      const ranges = { x: long, y: `patch:${long}`, z: `workspace:${long}` };
      namesIn(`${folder}package.json`, { scripts: { x: long }, dependencies: ranges, main: long });
      namesIn(`${folder}jest.config.json`, { moduleNameMapper: { x: long }, preset: long, rootDir: long, [long]: long });
      namesIn(`${folder}turbo.json`, { tasks: { x: { inputs: [long] }, [long]: { inputs: [long] } } });
      namesIn(`${folder}.babelrc`, { presets: [[long, { x: long }]] });
      expect(() => namesIn(`${folder}.eslintrc`, { extends: [long, `plugin:${long}`] })).not.toThrow();
    }
  });

  test('below one long key', () => {
    const text = JSON.stringify({ [`p${'a'.repeat(1_000_000)}`]: Array.from({ length: 50_000 }, () => '..') });
    expect(namesIn('p/a/package.json', text)).toHaveLength(50_000);
  });

  test('of two megabytes on one line', () => {
    expect(namesIn('p/a/package.json', `{"x": "${'a'.repeat(2_000_000)}", "main": "../x"}`)).toEqual(['text ../x']);
    expect(namesIn('p/a/x.config.js', `x = '${'a'.repeat(2_000_000)}'; y = '../x'`)).toEqual(['text ../x']);
    expect(opaqueIn('p/a/compose.yml', `x: ${'a'.repeat(2_000_000)}`)).toEqual(['../..']);
  });
});

test('a million nested brackets are opaque', () => {
  for (const path of ['p/a/package.json', 'p/a/compose.yml', 'p/a/.eslintrc']) {
    expect(opaqueIn(path, '['.repeat(1_000_000))).toEqual(['../..']);
    expect(opaqueIn(path, `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`)).toEqual(['../..']);
  }
  expect(opaqueIn('p/a/package.json', `${'['.repeat(300)}"../x"${']'.repeat(300)}`)).toEqual(['../..']);
});

test('aliases that stand for billions of nodes are opaque', () => {
  const levels = Array.from(
    { length: 12 },
    (_, at) => `a${at}: &a${at} [${Array.from({ length: 10 }, () => (at === 0 ? '../x' : `*a${at - 1}`)).join(', ')}]`,
  );
  expect(opaqueIn('p/a/compose.yml', levels.join('\n'))).toEqual(['../..']);
  expect(opaqueIn('p/a/compose.yml', 'a: &a [*a]')).toEqual(['../..']);
});

test('no text makes it throw', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '"scripts"',
    '"extends"',
    '"../x"',
    "'a'",
    '\n',
    '- ',
    '  ',
    '&a',
    '*a',
    '<<',
    '#',
    '\\',
    '\u2028',
    '/*',
    '//',
    '|',
    '>',
    '%',
    '@',
    '!!',
    'COPY ',
    '$',
  );
  fc.assert(
    fc.property(fc.constantFrom(...EVERY_KIND), fc.array(piece, { maxLength: 40 }), (path, pieces) => {
      expect(() => namesIn(path, pieces.join(''))).not.toThrow();
    }),
  );
});
