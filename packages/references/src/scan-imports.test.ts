// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are lines of somebody's code
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scanImports } from './scan-imports.js';

/** Returns imports as `module ./a:1, text ../b:3`. */
function formatImports(text: string): string {
  return scanImports(text)
    .names.map(({ form, specifier, line }) => `${form === 'module' ? '' : `${form} `}${specifier}:${line}`)
    .join(', ');
}

describe('what is imported', () => {
  const cases: readonly (readonly [code: string, imports: string])[] = [
    [`import a from 'a';`, 'a:1'],
    [`import 'a';\nimport "./b.css"`, 'a:1, ./b.css:2'],
    [`import a, { b as c, type D } from "@acme/ui/button";`, '@acme/ui/button:1'],
    [`import * as a from 'a'; import type { B } from 'b';`, 'a:1, b:1'],
    [`import{a}from'a';import*as b from"b";export*from'c'`, 'a:1, b:1, c:1'],
    [`import {\n  a, // from 'no'\n  b, /* from "no" */\n} from 'a';`, 'a:4'],
    [`import a /* why */ from /* here */ 'a';`, 'a:1'],
    [`export * from 'a';\nexport * as b from 'b';\nexport { c } from 'c';\nexport type { D } from 'd';`, 'a:1, b:2, c:3, d:4'],
    [`export { "odd name" as a, b as "from" } from 'a'; export { a as 'it', 'c' } from 'b'`, 'a:1, b:1'],
    [`import from from 'a';`, 'a:1'],
    [`import a = require('a');`, 'a:1'],
    [`import json from './a.json' with { type: 'json' };`, './a.json:1'],
    [`const a = await import('a'); const b = import( /* webpackChunkName: "x" */ './b' );`, 'a:1, ./b:1'],
    [`let a: typeof import('a'); let b: import("b").B;`, 'a:1, b:1'],
    ['import(`a`); import(`${a}`); import(`./a/${b}`); import(a); import("a" + b)', 'a:1'],
    [`require('a'); require.resolve("b"); import.meta.resolve('c');`, 'a:1, b:1, c:1'],
    [`require('a', { with: 1 }); require(a); require('a' + b); foo.require('no'); require<X<Y>>('c')`, 'a:1, c:1'],
    [
      `await import(dev ? 'a' : "./b"); require(env.x === 'no' ? './c' : d); import(a.b ?? 'e'); import(f('no') ? 'no' : no)`,
      'a:1, ./b:1, ./c:1, e:1',
    ],
    [`require(a) ? 'no' : 'no'; require(a, b ? 'no' : 'no'); require(a ? 'no'`, ''],
    [`createRequire(import.meta.url)('a'); Module.createRequire(join(b, 'x')).resolve("c"); createRequire(d); ('no')`, 'a:1, c:1'],
    [`jest.mock('a', () => 1);\njest.requireActual<typeof import('b')>('b');\nvi.mock("c"); jest.fn('no')`, 'a:1, b:2, c:3'],
    [`jest\n  .mock('a')`, 'a:2'],
    [`require\n  .resolve('a'); import.meta\n  .resolve('b'); import.defer('c'); import.source('d')`, 'a:2, b:3, c:3, d:3'],
    [`import.meta.url; import { a } from 'a'`, 'a:1'],
    [`...require('a'), [...require('b')]`, 'a:1, b:1'],
    [`const $import = 'x'; $require('no'); Array.from('no'); const from = 'no';`, ''],
    [`export const a = 1; export default from_('no'); export class B { from = 'no' }`, ''],
    [`declare module 'ambient' { export const a: 1; }`, ''],
    [`/// <reference path="a.d.ts" />\n/// <reference types="node" />\n// <reference path="no" />`, 'path a.d.ts:1, node:2'],
    [`/**\n * @jest-environment @acme/env\n */\nimport 'a'`, '@acme/env:1, a:4'],
    [`new URL('./worker.js', import.meta.url); new URL('https://no')`, 'path ./worker.js:1'],
    [`path.join(__dirname, '..', "other/a.txt"); __dirname + '/../b'; join(__dirname, 'inside')`, 'path ../other/a.txt:1, path ../b:1'],
    [`path.resolve(import.meta.dirname, '../x', name)`, 'path ../x:1'],
    ['const a = `${__dirname}/../../x/y`;', 'path ../../x/y:1'],
    [`readFileSync('../other/a.txt'); const b = ['../c'];`, 'text ../other/a.txt:1, text ../c:1'],
    [`{ preset: '<rootDir>/../preset' }`, 'text <rootDir>/../preset:1'],
    [`import { B } from 'ä';\nconst ü = require('./ö')`, 'ä:1, ./ö:2'],
    [`import 'a\\nb'; import ''; import 'c'`, 'c:1'],
    [`#!/usr/bin/env node\nimport 'a'`, 'a:2'],
    [`\uFEFFimport 'a'\r\nimport 'b'\r\n`, 'a:1, b:2'],
  ];
  test.each(cases)('in %j: %s', (code, imports) => {
    expect(formatImports(code)).toBe(imports);
  });
});

test.each([
  [`import 'a'; export * from 'b'; import('c'); import.defer('d')`, 'undefined, undefined, undefined, undefined'],
  [`require('a'); require.resolve('b'); import.meta.resolve('c'); require('d/' + e)`, 'require, resolve, resolve, require'],
  [`import a = require('a'); export = require('b'); const c = require('c')`, 'undefined, undefined, require'],
  [`jest.mock('a'); vi.importActual('b')`, 'mock, mock'],
  ['/** @jest-environment jsdom */\n/// <reference types="a" />', '@jest-environment, /// <reference types>'],
  ['/* @vitest-environment jsdom */', '@vitest-environment'],
  ['// @vitest-environment jsdom\n', '@vitest-environment'],
  ['/** @jsxImportSource a */', '@jsxImportSource'],
])('%j is named by %s', (text, by) => {
  const found = scanImports(text).names.map((name) => String(name.by));
  expect(found.join(', ')).toBe(by);
});

test.each<[text: string, madeUp: boolean]>([
  ["jest.mock('a', () => 1)", true],
  ["vi\n  .doMock('a',\n  async () => {})", true],
  ["jest.unstable_mockModule('a', async () => {})", true],
  ["vi.mock('a', async function () { return arguments[0](); })", false],
  ["jest.mock('a')", false],
  ["jest.mock('a', make)", false],
  ["jest.mock('a', (load) => load())", false],
  ["jest.mock('a', { spy: true })", false],
  ["jest.mock(import('a'), () => 1)", false],
  ["require('a', () => 1)", false],
])('%j: a function makes it up: %s', (text, madeUp) => {
  expect(scanImports(text).names.map(({ isMadeUp = false }) => isMadeUp)).toEqual([madeUp]);
});

describe('what looks like an import and is none', () => {
  const nothing: readonly string[] = [
    `// import 'no'`,
    `/* import 'no' \n require('no') */`,
    `"import 'no'"; 'require("no")'; 'it\\'s require("no")'`,
    "`import 'no'; require('no')`",
    "`${a} import 'no' ${`require('no') ${b}`} require('no')`",
    `/import 'no'/.test(x); x = /[/]require('no')/; return /require("no")/`,
    `(a) => /'/ && /"/ && /require('no')/`,
    'const html = `<script>import "no"</script>`;',
  ];
  test.each(nothing)('%j', (code) => {
    expect(formatImports(code)).toBe('');
  });
});

describe('what follows something that is hard to read', () => {
  const before: readonly string[] = [
    `a / b / c`,
    `i++ / 2; j-- / 3`,
    `x = (a + b) / 2 + arr[0] / 3`,
    `/['"\`]/.test(a)`,
    `a.replace(/\\//g, "'")`,
    `[ // don't\n  /['"]/,\n]`,
    `/* ' */ /"/ /* \` */`,
    `typeof /'/`,
    `<p>Don't</p>`,
    `<a href="x">it's</a>; <br/>; </div>`,
    `<img alt="two\nlines" />`,
    '<code>`</code>',
    '`${`${`}`}`}`; `${ { a: { b: `}` } } }`',
    '`a\\`b${1}\\${`',
    `'unterminated`,
    `<code>packages/*</code>`,
    `type A = Array<B>; let c = <T,>(d: T) => d;`,
  ];
  test.each(before)('is read after %j', (code) => {
    expect(scanImports(`${code}\nimport { z } from 'zzz';\n`).names.map(({ specifier }) => specifier)).toContain('zzz');
  });

  test('and before a template or a comment that never ends', () => {
    expect(formatImports("import 'a';\n`${ require('b') ")).toBe('a:1, b:2');
    expect(formatImports("import 'a'; /* import 'b'")).toBe('a:1, b:1');
  });
});

describe('hostile input', () => {
  test('never makes it throw, and lines never go back', () => {
    const piece = fc.constantFrom(
      'import ',
      'from',
      ' "a"',
      "'b'",
      '`',
      '${',
      '}',
      '{',
      '/',
      '*',
      '/*',
      '*/',
      '//',
      '\n',
      '\\',
      '(',
      ')',
      'require',
      'export ',
      '<',
      '>',
      '__dirname',
      ',',
      '../',
      'jest.mock',
      '[',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const lines = scanImports(pieces.join('')).names.map(({ line }) => line);
        expect(lines.every((line) => line >= 1 && line <= pieces.length + 1)).toBe(true);
      }),
    );
  });

  const repeated: readonly string[] = [
    'export ',
    'import ',
    'import/*',
    'import//\n',
    'import("a"). ',
    "= require('a') ",
    'import type a = require("a")',
    'require . ',
    'import . ',
    'require<',
    'require(`',
    'require("',
    'import a,b,{c} ',
    '`${',
    '`',
    "'",
    '/[',
    '= /a',
    '/*',
    '../',
    '"../',
    "__dirname,'..',",
    'return /x ',
    'jest\n',
    'a   /   b   ',
    '}',
    '{',
    'from from',
    '\n',
    '<rootDir>/',
    '// a\n / ',
    '/* a */ / ',
  ];
  test.each(repeated)('half a megabyte of %j is read to its end', (piece) => {
    // With backtracking to the start for every character it would take minutes.
    expect(() => scanImports(piece.repeat(500_000 / piece.length))).not.toThrow();
  });

  test('a minified megabyte is read to its end', () => {
    const unit = `function a(b){return b/2+"x".replace(/[/"]/g,'\\'')/c}var d=e?/f/:g/h;`;
    expect(formatImports(`${unit.repeat(16_000)}require("zzz")`)).toBe('zzz:1');
  });
});
