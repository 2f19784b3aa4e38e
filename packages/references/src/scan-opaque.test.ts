// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are lines of somebody's code
import { describe, expect, test } from '@jest/globals';
import { scanImports } from './scan-imports.js';

/** Returns what a text names and reads as `../a, ..?`: marked are `*` patterns, and `?` opaque places; `~` is the form `text`. */
function formatAll(text: string): string {
  const { names, opaque } = scanImports(text);
  const isOther = ({ specifier }: (typeof names)[number]): boolean => !/^[./]+$/.test(specifier);
  return [
    ...names.filter(isOther).map(({ specifier, form, isPattern }) => `${form === 'text' ? '~' : ''}${specifier}${isPattern ? '*' : ''}`),
    ...opaque.map(({ folder, form }) => `${form === 'text' ? '~' : ''}${folder}?`),
  ].join(' ');
}

describe('an opaque place', () => {
  const marked: readonly (readonly [code: string, found: string])[] = [
    // from the folder of the file
    [`join(__dirname, '../..', name)`, '../..?'],
    [`path.resolve(__dirname, '..', dir, 'x')`, '..?'],
    [`path.join(__dirname, 'a', '..', '..', name)`, '..?'],
    [`path.join(import.meta.dirname, '..', x)`, '..?'],
    [`join(import.meta.dir, '..', x)`, '..?'],
    [`join(\n  __dirname,\n  '..', // up\n  x,\n)`, '..?'],
    ['join(__dirname, `../${name}.json`)', '..?'],
    ['join(__dirname, `../fixtures/${name}`)', '../fixtures ../fixtures?'],
    [`join(__dirname, '../fixtures', name)`, '../fixtures ../fixtures?'],
    [`join(__dirname, name, '..', '..', 'x')`, '~../../x'],
    [`join(__dirname, name, '..', '..', other)`, '~../..?'],
    [`__dirname + '/../' + name`, '..?'],
    [`__dirname + '/../fixtures/a-' + name`, '../fixtures ../fixtures?'],
    ['`${__dirname}/../${x}`', '..?'],
    ['`${import.meta.dirname}/../x/${y}`', '../x ../x?'],
    ['`${__dirname}/..`', '..?'],
    [`join(__filename, '../..', name)`, '..?'],
    [`join(fileURLToPath(import.meta.url), '../../x', name)`, '../x ../x?'],
    [`path.join(dirname(fileURLToPath(import.meta.url)), '..', name)`, '..?'],
    ['`..${path.sep}${name}`', '~..?'],
    [`__dirname.replace('/lib', '')`, '/?'],
    [`__dirname.split(sep).slice(0, -2).join(sep)`, '/?'],
    // from a folder that only dots name
    [`const root = join(__dirname, '..', '..');`, '../..?'],
    [`fileURLToPath(new URL('..', import.meta.url))`, '..?'],
    [`new URL('../../', import.meta.url)`, '../..?'],
    [`dirname(__dirname)`, '..?'],
    [`path.dirname(path.dirname(__dirname))`, '../..?'],
    [`dirname(dirname(fileURLToPath(import.meta.url)))`, '..?'],
    [`dirname(dirname(url.fileURLToPath(import.meta.url)))`, '..?'],
    [`path.dirname(\n  path.dirname(\n    path.dirname(__filename),\n  ),\n)`, '../..?'],
    [`join(dirname(__dirname), name)`, '..?'],
    [`fn(dirname(__dirname), 'utf8')`, '..?'],
    [`dirname(dirname(file))`, '~..?'],
    [`join(dirname(__dirname), '..', 'x', name)`, '../../x ../../x?'],
    // from elsewhere
    ['`../fixtures/${name}`', '~../fixtures ~../fixtures?'],
    ['`../fixture-${name}`', '~..?'],
    [`'../' + name`, '~..?'],
    [`'..' + sep + name`, '~..?'],
    [`a + path.sep + '..' + path.sep + name`, '~..?'],
    [`here + '/../' + name`, '~..?'],
    ['`${here}/../${name}`', '~..?'],
    [`path.resolve('..', x)`, '~..?'],
    [`path.resolve('..')`, '~..?'],
    [`path.join(process.cwd(), '..', x)`, '~..?'],
    [`path.join(process.cwd(), '../fixtures', x)`, '~../fixtures ~../fixtures?'],
    [`process.cwd() + '/../'`, '~..?'],
    [`join(here, '..', '..')`, '~../..?'],
    [`join(dirname(here()), '..', [a, b].join(), name)`, '~..?'],
    [`process.chdir('..'); readdirSync('../..')`, '~..? ~../..?'],
    [`spawnSync('make', { cwd: '..' })`, '~..?'],
    [`const root = '..';`, '~..?'],
    [`module.exports = { rootDir: '../..', roots: ['<rootDir>/..'] }`, '~<rootDir>/.. ~../..? ~..?'],
    ['[`<rootDir>/../libs/${name}`]', '~<rootDir>/../libs/ ~../libs?'],
    [`exec('cd .. && make')`, '~..?'],
    ['exec(`node ../scripts/${name}.js`)', '~../scripts ~../scripts?'],
    [`'../'.repeat(depth)`, '/?'],
    // modules and addresses
    [`require('../' + name)`, '..?'],
    [`require('../lib/' + name + '.js')`, '../lib ../lib?'],
    ['import(`../${x}`)', '..?'],
    ['import(/* webpackChunkName: "a" */ `../locales/${x}.js`)', '../locales ../locales?'],
    ['jest.mock(`../${x}`, () => 1)', '..?'],
    [`new URL('../' + x, import.meta.url)`, '..?'],
    ['new URL(`../${x}`, import.meta.url)', '..?'],
    [`require.context('../', true)`, '..?'],
    // to the root of the project
    [`import { findUp } from 'find-up';`, 'find-up /?'],
    [`const root = require('app-root-path')`, 'app-root-path /?'],
    [`for (;;) dir = path.dirname(dir)`, '/?'],
    [`const parent = path.dirname(dir); if (parent === dir) return; find(parent)`, '/?'],
    [`const up = dirname(dir);\nif (!a) break;\ndir = up;`, '/?'],
    [`if (dirname(dir) === dir) return; if (dir !== path.dirname(dir)) a()`, '/? /?'],
    [`dir = resolve(dir, '..')`, '/? ~..?'],
    // what cannot be read
    [String.raw`import '\x2e\x2e/a'`, '/?'],
    [String.raw`import a from "\u002e./a"`, '/?'],
    [String.raw`require('\x2e./' + a)`, '/?'],
    [`require('../a\\\n')`, '/?'],
    [`require('../a\\\r\n')`, '/?'],
    [`import a from '../\uFFFD.js'`, '../\uFFFD.js /?'],
  ];
  test.each(marked)('in %j: %s', (code, found) => {
    expect(formatAll(code)).toBe(found);
  });

  test('has the line where it begins', () => {
    const { opaque } = scanImports("import 'a';\n\njoin(\n  __dirname,\n  '..',\n  name,\n);\n`${a}\n${b}/../${c}`");
    expect(opaque).toEqual([
      { line: 4, folder: '..', form: 'path' },
      { line: 9, folder: '..', form: 'text', isVague: true },
    ]);
  });
});

describe('no opaque place', () => {
  const unmarked: readonly (readonly [code: string, found: string])[] = [
    [`join(__dirname, 'x', name)`, ''],
    [`join(__dirname, name)`, ''],
    [`join(__dirname, 'a/..', name)`, ''],
    [`join(__dirname, '..', 'x')`, '../x'],
    [`join(dirname(__dirname), 'x')`, '../x'],
    [`join(path.dirname(__dirname), 'a', 'b',\n)`, '../a/b'],
    [`[__dirname + '/../x.js', '--flag']`, '../x.js'],
    [`__dirname + '/..' + '/x'`, '../x'],
    ['`${__dirname}/../x`', '../x'],
    [`dirname(fileURLToPath(import.meta.url))`, ''],
    [`join(fileURLToPath(import.meta.url), '..', name)`, ''],
    [`join(__filename, '..', name)`, ''],
    [`dirname(file); dirname(file, '..')`, ''],
    [`'../x.js'`, '~../x.js'],
    [`'../x' + '/y'`, '~../x/y'],
    [`readdirSync('../x')`, '~../x'],
    [`spawn('../bin/run', args)`, '~../bin/run'],
    [`exec('node ../bin/run.js --all')`, '~../bin/run.js'],
    [`join(here, '..', 'x')`, '~../x'],
    [`'./a/../../x'`, '~../x'],
    [`new URL('.', import.meta.url); new URL('./a', import.meta.url)`, './a'],
    [`import a from '..'; require('../'); import('../..')`, ''],
    [`require(name); readFile(name); import(name); spawn(name); new URL(x, import.meta.url)`, ''],
    ['require(`./${a}`); require(`./a/` + a); import("." + a)', ''],
    [`require.context('../x', true, /a/)`, '../x'],
    [`require('a' + '/b'); require('../a' + '/b')`, 'a/b ../a/b'],
    [`require('@acme/ui/' + name); import(\`ui/\${name}\`); require('@acme/' + name)`, '@acme/ui* ui*'],
    // other uses of dots
    [`a / b + '..'`, ''],
    [`fn(...args); [...a, '...', 'Loading...']`, ''],
    [`part === '..' || '..' !== part || parts.includes('..'); switch (a) { case '..': }`, ''],
    [`a.slice('../'.length); __dirname.replace(/\\\\/g, '/'); __dirname.replace('\\\\', '/')`, ''],
    [`const parent = dirname(dir); mkdir(parent)`, ''],
    [`x.startsWith('../') || '../' === x || x.replace('../', '')`, ''],
    [`const parent = '..' === x; ['.', '..'].indexOf(x); parts.join('..')`, ''],
    ['from + ".." + to; `${from}..${to}`; { operator: ".." }', ''],
    ['"Use .. to go up"', ''],
    [`const a = '\\x2e\\x2e/'; // '../' + name`, ''],
  ];
  test.each(unmarked)('in %j: %s', (code, found) => {
    expect(formatAll(code)).toBe(found);
  });
});

describe('a pattern', () => {
  const patterns: readonly (readonly [code: string, found: string])[] = [
    [`glob('../**')`, ''],
    [`glob('../x/**/*.js'); import.meta.glob('../y/*.ts')`, '~../x* ~../y*'],
    [`fg(['../a/{b,c}', '!../d/*'])`, '~../a*'],
    [`join(__dirname, '../fixtures/*.json')`, '../fixtures*'],
    [`{ replacement: '../libs/$1/src' }`, '~../libs*'],
    [`{ '^@acme/(.*)$': '<rootDir>/../libs/$1/src' }`, '~<rootDir>/../libs*'],
    [`'../caf\uFFFD/a'`, ''],
    [`a('../x.svg?raw')`, '~../x.svg?raw'],
  ];
  test.each(patterns)('in %j: %s', (code, found) => {
    expect(formatAll(code)).toBe(found);
  });

  test('of everything above is marked, too', () => {
    expect(scanImports("glob('../**')")).toEqual({ names: [{ specifier: '..', line: 1, form: 'text', isPattern: true }], opaque: [] });
  });
});

describe('a type import', () => {
  const types: readonly (readonly [code: string, isType: boolean])[] = [
    [`import type A from 'a'`, true],
    [`import type { A } from 'a'`, true],
    [`import type{A}from'a'`, true],
    [`import type * as A from 'a'`, true],
    [`import typeof A from 'a'`, true],
    [`export type { A } from 'a'; `, true],
    [`export type * from 'a'`, true],
    [`import type from from 'a'`, true],
    [`/// <reference types="a" />`, true],
    [`import type from 'a'`, false],
    [`import type, { B } from 'a'`, false],
    [`import { type A, type B } from 'a'`, false],
    [`import typed, * as A from 'a'`, false],
    [`import types from 'a'`, false],
    [`import { type } from 'a'`, false],
    [`import typesOf from 'a'`, false],
    [`let a: import('a').T`, true],
    [`let a: typeof import('a')`, true],
    [`(await import('a')).b`, false],
    [`import('a').then(b)`, false],
    [`import('a')\n  .finally(b)`, false],
    [`import('a').timeout(b)`, false],
    [`import type A = require('a')`, true],
    [`import type = require('a')`, false],
    [`import A = require('a')`, false],
  ];
  test.each(types)('%j: %p', (code, isType) => {
    const [found, ...others] = scanImports(code).names;
    expect(others).toEqual([]);
    expect(found).toMatchObject({ specifier: 'a', line: 1, form: 'module' });
    expect(found?.isType ?? false).toBe(isType);
  });
});

test.each([
  [`readdirSync(new URL('../../', import.meta.url))`, undefined],
  [`readdirSync(fileURLToPath(new URL('..', import.meta.url)))`, undefined],
  [`readdirSync(join(__dirname, '..'))`, undefined],
  [`require.context('..', true)`, undefined],
  [`readdirSync(path.dirname(__dirname))`, undefined],
  [`globSync('*.md', { cwd: new URL('..', import.meta.url) })`, undefined],
  [`root = new URL('..', import.meta.url)`, true],
  [`root = join(__dirname, '..')`, true],
])('a folder that is listed is read as a whole: %s', (code, isVague) => {
  expect(scanImports(code).opaque.at(-1)?.isVague).toBe(isVague);
});
