import { describe, expect, test } from '@jest/globals';
import yarn from '@yarnpkg/core';
import { npath } from '@yarnpkg/fslib';
import { parseSyml } from '@yarnpkg/parsers';
import fc from 'fast-check';
import { diffYarnSettings, NO_SETTINGS, parseYarnSettings, type SettingsDiff, type YarnSettings } from './yarn-settings.js';

function read(text: string): YarnSettings {
  const reading = parseYarnSettings(text);
  if ('problem' in reading) throw new Error(reading.problem);
  return reading;
}

function diff(base: string, head: string): SettingsDiff {
  return diffYarnSettings(read(base), read(head));
}

const NOTHING: SettingsDiff = { all: undefined, catalogs: [], packageExtensions: [], ignored: [] };

describe('a .yarnrc.yml', () => {
  test.each(['', '\n', '# nothing\n', '\uFEFF', 'null_is_a_name:\n'])('that says nothing of interest is read: %j', (text) => {
    expect({ ...read(text), raw: {} }).toEqual(NO_SETTINGS);
  });

  test('gives its catalogs by name, the one without a name under the empty one', () => {
    const { catalogs } = read('catalog:\n  "@a/b": ^1.0.0\n  c: 1.10\ncatalogs:\n  dev:\n    c: ^2\n  none:\n');
    expect([...catalogs].map(([name, ranges]) => [name, Object.fromEntries(ranges)])).toEqual([
      ['', { '@a/b': '^1.0.0', c: '1.10' }],
      ['dev', { c: '^2' }],
      ['none', {}],
    ]);
  });

  test('with catalogs of a wrong shape has none of them', () => {
    expect(read('catalog: [a]\ncatalogs: x\n').catalogs).toEqual(new Map([['', new Map()]]));
    expect(read('catalogs:\n  "":\n    a: 1\n').catalogs).toEqual(new Map());
  });

  const transparent: Readonly<Record<string, 'on' | 'off'>> = {
    '': 'on',
    'enableTransparentWorkspaces: true': 'on',
    'enableTransparentWorkspaces: false': 'off',
    'enableTransparentWorkspaces: "false"': 'off',
    'enableTransparentWorkspaces: 0': 'off',
    'enableTransparentWorkspaces:': 'on',
    // The environment of the install decides; more edges are the safe side.
    'enableTransparentWorkspaces: "${TRANSPARENT:-false}"': 'on',
  };
  test.each(Object.entries(transparent))('%j leaves plain ranges to workspaces %s', (text, expected) => {
    expect(read(text).transparentWorkspaces).toBe(expected);
  });

  const texts = [
    'a: ~\nb:\nc: true\nd: 1.10\ne: 0x10\nf: 2001-01-01\ng: null\n',
    '<<: {a: 1}\n',
    'a: &x\n  b: 1\nc: *x\n',
    "a: \"x\\ty\"\nb: 'it''s'\nc: >-\n  two\n  lines\nd: |\n  kept\n",
    'a: [1, {b: c}, "d"]\nb:\n- 1\n- 2\n',
    '"": 1\n"a b": 2\n',
    'a:\r\n  b: 1\r\n',
    '__proto__: {a: 1}\nconstructor: 1\n',
    'a: -x\n? b\n: 1\n',
  ];
  test.each(texts)('is read as Yarn reads it: %j', (text) => {
    expect(JSON.stringify(read(text).raw)).toBe(JSON.stringify(parseSyml(text)));
  });

  // Each line names the one before it twice.
  const bomb = Array.from(
    { length: 12 },
    (_, depth) => `a${depth}: &a${depth} [${depth === 0 ? 'x' : `*a${depth - 1}, *a${depth - 1}`}]\n`,
  ).join('');
  test.each(['"', '!x '])('a text of nothing but %j takes no time', (text) => {
    // A message with the line for each error would take longer than the test may.
    expect(parseYarnSettings(text.repeat(200_000 / text.length))).toHaveProperty('problem');
  });

  const broken: readonly (readonly [text: string, line: number, problem: string])[] = [
    ['a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n', 2, 'conflict markers'],
    ['a: 1\nb: 2\na: 3\n', 3, 'Map keys must be unique'],
    ['a:\n  b: 1\n  b: 1\n', 3, 'Map keys must be unique'],
    ['- a\n', 1, 'a map of settings'],
    ['text\n', 1, 'a map of settings'],
    ['a: 1\n---\nb: 2\n', 2, 'multiple documents'],
    ['a: {b: 1\n', 2, ''],
    ['a: *gone\n', 1, 'alias'],
    ['a: &x [*x]\n', 1, ''],
    ['a: 1\nb: !!int 5\n', 2, 'tag'],
    ['a: "open\n', 2, ''],
    [bomb, 1, 'alias'],
  ];
  test.each(broken)('that is broken is a problem with a line: %j', (text, line, problem) => {
    const reading = parseYarnSettings(text);
    expect('problem' in reading && [reading.line, reading.problem.includes(problem) ? problem : reading.problem]).toEqual([line, problem]);
  });

  test('never makes the reader throw', () => {
    const piece = fc.constantFrom(
      'a',
      ':',
      ' ',
      '\n',
      '- ',
      '"',
      "'",
      '{',
      '}',
      '[',
      ']',
      '&x',
      '*x',
      '!',
      '|',
      '>',
      '#',
      '?',
      '\t',
      '%',
      '---',
      ',',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const reading = parseYarnSettings(pieces.join(''));
        expect('problem' in reading ? reading.line >= 1 : typeof reading.raw).toBe('problem' in reading ? true : 'object');
      }),
    );
  });
});

describe('a change of .yarnrc.yml', () => {
  test('of nothing but order, comments and quotes is none', () => {
    const base = 'nodeLinker: pnp\nsupportedArchitectures:\n  os: [linux]\n  cpu: [x64]\n';
    expect(diff(base, '# sorted\nsupportedArchitectures:\n  cpu: ["x64"]\n  os: [linux]\n"nodeLinker": "pnp"\n')).toEqual(NOTHING);
  });

  test('of settings that change nothing that runs affects nobody', () => {
    expect(diff('enableTelemetry: false\nhttpTimeout: 1\n', 'enableTelemetry: true\nnpmRegistryServer: "https://npm.example"\n')).toEqual({
      ...NOTHING,
      ignored: ['enableTelemetry', 'httpTimeout', 'npmRegistryServer'],
    });
  });

  test.each([
    'nodeLinker',
    'plugins',
    'yarnPath',
    'nmHoistingLimits',
    'pnpMode',
    'supportedArchitectures',
    'injectEnvironmentFiles',
    'patchFolder',
    'enableTransparentWorkspaces',
    'enableScripts',
    'checksumBehavior',
    'conditions',
    'somethingNew',
    '__proto__',
  ])('of %s affects all, and it is named', (key) => {
    expect(diff('', `${key}: x\n`)).toEqual({
      ...NOTHING,
      all: { code: 'YARN_SETTING_CHANGED', reason: `${key} in .yarnrc.yml changed.` },
    });
    expect(diff(`${key}: x\n`, `${key}: [x]\n`).all).toBeDefined();
  });

  test('of several names them all, sorted', () => {
    expect(diff('plugins: [a]\n', 'nodeLinker: pnp\n').all?.reason).toBe('nodeLinker, plugins in .yarnrc.yml changed.');
  });

  test('of a list is one where only its order differs', () => {
    expect(diff('plugins: [a, b]\n', 'plugins: [b, a]\n').all).toBeDefined();
  });

  test('from an empty text to nothing at all is one', () => {
    expect(diff('defaultProtocol: ""\n', 'defaultProtocol:\n').all).toBeDefined();
  });

  test('of catalogs counts for the entries that changed, in one catalog only', () => {
    const base = 'catalog:\n  a: 1\n  b: 1\n  gone: 1\ncatalogs:\n  dev:\n    a: 1\n    b: 1\n  old:\n    x: 1\n';
    const head = 'catalog:\n  b: 2\n  a: 1\n  new: 1\ncatalogs:\n  dev:\n    a: 2\n    b: 1\n  young:\n    y: 1\n';
    expect(diff(base, head)).toEqual({
      ...NOTHING,
      catalogs: [
        { catalog: '', name: 'b' },
        { catalog: '', name: 'gone' },
        { catalog: '', name: 'new' },
        { catalog: 'dev', name: 'a' },
        { catalog: 'old', name: 'x' },
        { catalog: 'young', name: 'y' },
      ],
    });
  });

  test('of packageExtensions counts for the keys that changed', () => {
    const base = 'packageExtensions:\n  "a@*":\n    dependencies:\n      x: 1\n      y: 1\n  "b@1":\n    dependencies:\n      x: 1\n';
    const head =
      'packageExtensions:\n  "b@1":\n    dependencies:\n      x: 2\n  "a@*":\n    dependencies:\n      y: 1\n      x: 1\n  c@2: {}\n';
    expect(diff(base, head)).toEqual({ ...NOTHING, packageExtensions: ['b@1', 'c@2'] });
  });

  test.each(['catalog', 'catalogs', 'packageExtensions'])('of %s to a wrong shape affects all', (key) => {
    expect(diff('', `${key}: [a]\n`).all?.reason).toBe(`${key} in .yarnrc.yml changed.`);
    expect(diff(`${key}: text\n`, '').all?.reason).toBe(`${key} in .yarnrc.yml changed.`);
  });

  test('of one of the catalogs to a wrong shape affects all', () => {
    expect(diff('catalogs:\n  dev: {}\n', 'catalogs:\n  dev: [a]\n').all?.reason).toBe('catalogs in .yarnrc.yml changed.');
  });

  test('is empty exactly where nothing changed, and the same backwards', () => {
    const key = fc.constantFrom('catalog', 'catalogs', 'packageExtensions', 'nodeLinker', 'enableTelemetry', 'other', '__proto__');
    const text = fc.constantFrom('a', 'b', 'c');
    const value = fc.oneof(text, fc.dictionary(text, fc.oneof(text, fc.dictionary(text, text))), fc.array(text));
    const file = fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name }).map((entries) => {
      return read(entries.map(([name, it]) => `${name}: ${JSON.stringify(it)}\n`).join(''));
    });
    fc.assert(
      fc.property(file, file, (base, head) => {
        expect(diffYarnSettings(base, base)).toEqual(NOTHING);
        const found = diffYarnSettings(base, head);
        expect(diffYarnSettings(head, base)).toEqual(found);
        if (base.raw['nodeLinker'] !== undefined && head.raw['nodeLinker'] === undefined) expect(found.all?.reason).toContain('nodeLinker');
      }),
    );
  });
});

// A string is an invalid value for `packageExtensions`.
test('every setting of @yarnpkg/core was looked at: a change to a text of these counts for all', () => {
  const { settings } = yarn.Configuration.create(npath.toPortablePath('/'), null, new Map());
  const forAll = [...settings.keys()].filter((key) => diff('', `${key}: x\n`).all !== undefined);
  expect(forAll.sort()).toEqual([
    'checksumBehavior',
    'defaultLanguageName',
    'defaultProtocol',
    'enableScripts',
    'enableTransparentWorkspaces',
    'ignorePath',
    'injectEnvironmentFiles',
    'packageExtensions',
    'rcFilename',
    'supportedArchitectures',
    'virtualFolder',
    'yarnPath',
  ]);
});
