import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mayName } from './code-uses.js';
import { packageOf } from './package-name.js';
import { scanCode } from './scan-code.js';
import { type Script, scriptOf } from './script-parts.js';
import type { ModuleReference } from './use.js';

/** Formats references as `import a:1, require b:2?`; a question mark stands for a guarded one. */
function format(references: readonly ModuleReference[]): string {
  return references.map(({ kind, specifier, line, guarded }) => `${kind} ${specifier}:${line}${guarded ? '?' : ''}`).join(', ');
}

const inAnyLanguage: readonly (readonly [code: string, found: string])[] = [
  [`import a from 'a'; a()`, 'import a:1'],
  [`import 'a';\nimport "./b.css"`, 'import a:1, import ./b.css:2'],
  [`export * from 'a';\nexport { b } from '@acme/ui/button'; export {}`, 'import a:1, import @acme/ui/button:2'],
  [`const a = await import('a'); import(\`b\`); import(\`\${c}\`); import('d' + e)`, 'import a:1, import b:1'],
  [`const a = require('a')\nrequire(b); require('c' + d); f.require('g'); require()`, 'require a:1'],
  [`require.resolve('a/package.json'); import.meta.resolve('b')`, 'resolve a/package.json:1, resolve b:1'],
  [`jest.mock('a');\nvi.doMock("b", () => 1); jest.requireActual('c'); jest.fn('d')`, 'mock a:1, mock b:2, mock c:2'],
  [`jest.mock('a', () => 1, { virtual: true }); require('a'); require('b')`, 'require b:1'],
  [`require.requireActual('a')`, 'mock a:1'],
  [`try { require('a') } catch (error) { require('b') }`, 'require a:1?, require b:1'],
  [`try { import('a') } finally { require('b') }`, 'import a:1, require b:1'],
  [`function f() { try { return (() => require('a'))() } catch { return g } }`, 'require a:1?'],
  [`// require('a')\n/* import 'b' */ const c = "require('d')"`, ''],
  [`#!/usr/bin/env node\nrequire('a')`, 'require a:2'],
  [`export { default } from './a.json' with { type: 'json' }`, 'import ./a.json:1'],
];

describe.each(['a.js', 'a.mjs', 'a.cjs', 'a.jsx', 'a.ts', 'a.tsx', 'a.mts'])('%s', (path) => {
  test.each(inAnyLanguage)('%j: %s', (code, found) => {
    expect(scanCode(scriptOf(path, code))).toEqual({ references: expect.anything(), problem: undefined });
    expect(format(scanCode(scriptOf(path, code)).references)).toBe(found);
  });
});

describe('TypeScript', () => {
  test.each([
    [`import type { A } from 'a'; import type B from 'b'`, 'type a:1, type b:1'],
    [`import { type A, type B } from 'a'; import { type C, d } from 'b'; d()`, 'type a:1, import b:1'],
    [`export type { A } from 'a'; export type * from 'b'`, 'type a:1, type b:1'],
    [`import a = require('a'); a(); import b = A.B; import type c = require('c')`, 'import a:1, type c:1'],
    [`let a: typeof import('a'); let b: import("b").B`, 'type a:1, type b:1'],
    [`import { A } from 'a'; let a: A; type B = A<number>; class C implements A {}`, 'type a:1'],
    [`import { A } from 'a'; class B extends A {}`, 'import a:1'],
    [`import { A } from 'a'; export { A }`, 'import a:1'],
    [`import * as a from 'a'; let b: typeof a`, 'type a:1'],
    [`import a from 'a'; let b = <B>a; import c from 'c'; let d = c as D; let e = c!`, 'import a:1, import c:1'],
    [`import a from 'a'; enum B { C = a.b }`, 'import a:1'],
    [`import a from 'a'; namespace B { a() }`, 'import a:1'],
    [`import a from 'a'; export = a`, 'import a:1'],
    [`import 'a'`, 'import a:1'],
    [`@a() class B { constructor(private c: D) {} }; import { a } from 'a'; import { D } from 'd'`, 'import a:1, type d:1'],
    [`declare module 'ambient' { import { A } from 'a' }`, 'type a:1'],
  ])('%j: %s', (code, found) => {
    expect(format(scanCode(scriptOf('a.ts', code)).references)).toBe(found);
  });

  test('JSX uses what it names', () => {
    const code = `import { A } from 'a'; import b from 'b'; const c = <A><b.D /></A>`;
    expect(format(scanCode(scriptOf('a.tsx', code)).references)).toBe('import a:1, import b:1');
    expect(format(scanCode(scriptOf('a.tsx', `import React from 'react'; <p />`)).references)).toBe('import react:1');
    expect(format(scanCode(scriptOf('a.tsx', `import React from 'react'`)).references)).toBe('type react:1');
  });

  test('a file of declarations has nothing but types', () => {
    const code = `import 'a'; import b from 'b'; export const c: typeof b; declare module 'd'`;
    expect(format(scanCode(scriptOf('a.d.ts', code)).references)).toBe('type a:1, type b:1');
  });
});

test('JavaScript with types of Flow is read', () => {
  const code = `// @flow\nimport type { A } from 'a'; import typeof B from 'b';\nconst c = (d: ?A): B => require('c')`;
  expect(format(scanCode(scriptOf('a.js', code)).references)).toBe('type a:2, type b:2, require c:3');
});

describe('what does not parse', () => {
  test.each([
    [`import a from 'a';\nimport {\n  b\n} from "b";\n}}} <<<`, 'import a:1, import b:4'],
    [`import type { A } from 'a'\nimport 'b'\nconst = ;`, 'type a:1, import b:2'],
    [`const a = require('a') ? ; require.resolve('b/c'); import('d')`, 'import d:1, require a:1, resolve b/c:1'],
  ])('%j is read by lines: %s', (code, found) => {
    const { references, problem } = scanCode(scriptOf('a.js', code));
    expect(format(references)).toBe(found);
    expect(problem).toMatch(/\(\d+:\d+\)/);
  });

  test('and nothing makes it throw', () => {
    const piece = fc.constantFrom(
      'import ',
      'from ',
      "'a'",
      '`',
      '${',
      '}',
      '{',
      '/',
      '/*',
      '*/',
      '\n',
      '\\',
      'require(',
      ')',
      '<a>',
      'type ',
      '@',
    );
    const language = fc.constantFrom<Script['language']>('js', 'ts', 'tsx', 'dts');
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        language,
        (text, one) => {
          expect(scanCode({ text, language: one, hasTemplate: false }).references).toBeInstanceOf(Array);
        },
      ),
    );
  });
});

test('a file is never passed over that the parser would find something in', () => {
  for (const [code] of inAnyLanguage)
    for (const { specifier } of scanCode(scriptOf('a.js', code)).references) {
      const name = packageOf(specifier);
      if (name !== undefined) expect([code, mayName(code, (one) => one === name)]).toEqual([code, true]);
    }
});

test.each([
  ['<template><p/></template>\n<script setup lang="ts">\nimport a from "a"\nlet b: B = a\n</script>\n<style/>', 'import a:3'],
  ['<script>\nimport "a"\n</script>\n<script context="module">import "b"</script>', 'import a:2, import b:4'],
  ['<p>import "a"</p>', ''],
])('of a component %j the scripts are read: %s', (text, found) => {
  expect(format(scanCode(scriptOf('a.vue', text)).references)).toBe(found);
  expect(format(scanCode(scriptOf('a.svelte', text)).references)).toBe(found);
});
