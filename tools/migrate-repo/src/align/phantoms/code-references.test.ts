import { describe, expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { modulesIn } from './code-references.js';

/** Formats references as `import a:1, require b:2?`; a question mark stands for a guarded one. */
function format(path: string, code: string): string {
  const references = modulesIn(path as RepoPath, code);
  return references.map(({ kind, specifier, line, guarded }) => `${kind} ${specifier}:${line}${guarded ? '?' : ''}`).join(', ');
}

describe.each(['a.js', 'a.mjs', 'a.cjs', 'a.jsx', 'a.ts', 'a.tsx', 'a.mts'])('%s', (path) => {
  test.each([
    [`import a from 'a'; a()`, 'import a:1'],
    [`export * from 'a';\nexport { b } from '@acme/ui/button'; export {}`, 'import a:1, import @acme/ui/button:2'],
    [`const a = await import('a'); import(\`b\`); import(\`\${c}\`); import('d' + e)`, 'import a:1, import b:1'],
    [`const a = require('a')\nrequire(b); require('c' + d); f.require('g'); require()`, 'require a:1'],
    [`require.resolve('a/package.json'); import.meta.resolve('b')`, 'resolve a/package.json:1, resolve b:1'],
    [`jest.mock('a');\nvi.doMock("b", () => 1); jest.requireActual('c'); jest.fn('d')`, 'mock a:1, mock b:2, mock c:2'],
    [`import type { A } from 'a'; export type { B } from 'b'`, 'type a:1, type b:1'],
    [`/// <reference types="a/b" />\n`, 'reference a/b:1'],
    [`/** @jest-environment jsdom */`, 'config jsdom:1'],
    [`/** @jsxImportSource preact */`, 'import preact:1'],
    [`// require('a')\n/* import 'b' */ const c = "require('d')"`, ''],
    [`import a from 'a';\nimport {\n  b\n} from "b";\n}}} <<<`, 'import a:1, import b:4'],
  ])('%j: %s', (code, found) => {
    expect(format(path, code)).toBe(found);
  });
});

describe('what is tried', () => {
  test.each([
    [`try { require('a') } catch (error) { require('b') }`, 'require a:1?, require b:1'],
    [`try { import('a') } finally { require('b') }`, 'import a:1, require b:1'],
    [`function f() { try { return (() => require('a'))() } catch { return g } }`, 'require a:1?'],
    [`try { if (a) { "}"; /}/; /* } */ } \n require('a') } catch {}\nrequire('b')`, 'require a:2?, require b:3'],
    [`try { try { require('a') } finally { b() } } catch {}`, 'require a:1?'],
    [`try {\n require('a')`, 'require a:2'],
    [`const a = require('a'); try { a(); require('a') } catch {}`, 'require a:1, require a:1?'],
    [`/** @jsxImportSource a */ try { import('b') } catch {} import 'a'`, 'import a:1, import b:1?, import a:1'],
  ])('%j: %s', (code, found) => {
    expect(format('a.js', code)).toBe(found);
  });
});

describe('a module that is mocked as virtual does not exist', () => {
  test.each([
    [`jest.mock('a', () => 1, { virtual: true }); require('a'); require('b')`, 'require b:1'],
    [`jest.mock(\n  'a',\n  () => { b(")"); },\n  { virtual: true },\n);`, ''],
    [`jest.mock('a', () => 1); jest.mock('b', c, { virtual: true })`, 'mock a:1'],
    [`jest.mock('a', b('virtual: true'))`, 'mock a:1'],
  ])('%j: %s', (code, found) => {
    expect(format('a.test.js', code)).toBe(found);
  });
});

describe('the documentation of JavaScript has types', () => {
  test.each([
    ['/** @type {import(\'a\').B} */\n/** @param {C<import("c/d").D>} e */', 'type a:1, type c/d:2'],
    ['/** @import { A, B } from "a" */', 'type a:1'],
    ["import 'a';\n/**\n * @typedef {import('b').B} B\n */\nimport 'c'", 'import a:1, type b:3, import c:5'],
    ["/* @type {import('a').B} */\n/** @example await import('b') */\n`/** @type {import('c').D} */`", ''],
  ])('%j: %s', (code, found) => {
    expect(format('a.js', code)).toBe(found);
  });

  test('and that of TypeScript has not', () => {
    expect(format('a.ts', "/** @type {import('a').B} */")).toBe('');
  });
});

test('the strings of settings are no modules', () => {
  const code = `/** @jest-environment jsdom */ module.exports = { testEnvironment: 'jsdom', preset: require('a') }`;
  expect(format('jest.config.js', code)).toBe('config jsdom:1, require a:1');
});

test('a file of declarations has nothing but types', () => {
  const code = `import 'a'; import b from 'b'; export const c: typeof b; declare module 'd'`;
  expect(['a.d.ts', 'a.d.mts', 'a.d.css.ts'].map((path) => format(path, code))).toEqual(Array(3).fill('type a:1, type b:1'));
});

test.each(['try {', '/**', "jest.mock('a', {virtual: true}, ", "require('a');", '/** {import("', '\\"', '`', '=/[', '}', '/** @import '])(
  'half a megabyte of %j is read to its end',
  (piece) => {
    const code = `try {} catch {} ${piece.repeat(500_000 / piece.length)}`;
    expect(() => modulesIn('a.js' as RepoPath, code)).not.toThrow();
  },
);

test.each(['"', '`', '/*', '/'])('a long line of escapes after %s is no trouble', (start) => {
  const code = `/** import */ try {} catch {} =${start}${'\\"'.repeat(1_000_000)}\nrequire('a')`;
  expect(() => modulesIn('a.js' as RepoPath, code)).not.toThrow();
});
