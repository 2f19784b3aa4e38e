import { expect, test } from '@jest/globals';
import { referencesInComments } from './comment-references.js';

test.each<[text: string, language: 'js' | 'ts', found: string]>([
  ['/// <reference types="node" />\n\n  ///<reference types=\'vite/client\'/>', 'ts', 'reference node:1, reference vite/client:3'],
  ['/// <reference path="a.d.ts" />\n// <reference types="no" />', 'ts', ''],
  ['/**\n * @jest-environment jsdom\n */', 'js', 'config jsdom:2'],
  ['/** @jsxImportSource preact */', 'js', 'import preact:1'],
  ['// @jest-environment ./own.js', 'ts', 'config ./own.js:1'],
  ['/** @type {import(\'a\').B} */\n/** @param {C<import("c/d").D>} e */', 'js', 'type a:1, type c/d:2'],
  ['/** @import { A, B } from "a" */', 'js', 'type a:1'],
  ["/** @type {import('a').B} */", 'ts', ''],
  ["/* @type {import('a').B} */\n/** @example await import('b') */", 'js', ''],
])('in %j of %s: %s', (text, language, found) => {
  const references = referencesInComments(text, language);
  expect(references.map(({ kind, specifier, line }) => `${kind} ${specifier}:${line}`).join(', ')).toBe(found);
});
