import { expect, test } from '@jest/globals';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { readReferences } from '../read-references.js';
import { readDataText } from './data-texts.js';

const pathsIn = (text: string): readonly string[] => readDataText(text, 'a' as RepoFolder).map(({ specifier }) => specifier);

test.each<[text: string, ...paths: string[]]>([
  ['$ref: ../core/api.json#/User', '../core/api.json'],
  ['{"$ref": "../core/api.json"}', '../core/api.json'],
  ["@import '../a/base.css';\n.b { background: url(./b.png) }", '../a/base.css', './b.png'],
  ["@use '../a/colors';", '../a/colors', '../a/_colors'],
  ['preload = ["../../setup.ts", "../../setup.ts"]', '../../setup.ts'],
  ['<script src="../dist/x.js"></script>', '../dist/x.js'],
  ['#import "../user.graphql"', '../user.graphql'],
  ['CONFIG=../a/b.json', '../a/b.json'],
  ['link: file:../other', '../other', '../_other'],
  ['all: ../data/**/*.json', '../data'],
  ['See ../a/b.json.', '../a/b.json'],
])('%s', (text, ...paths) => {
  expect(pathsIn(text)).toEqual(paths);
});

test.each(['wait.../b', 'https://x.test/../b', 'x/../b', '~/../b', 'a = 1..2', '', '.', 'a/b.json'])('"%s" names nothing', (text) => {
  expect(pathsIn(text)).toEqual([]);
});

test.each<[text: string, ...names: string[]]>([
  ["@import '@acme/colors/base.css';", '@acme/colors/base.css'],
  ['@import url("~@acme/colors/base.css") screen;', '@acme/colors/base.css'],
  ['@use \'pkg:@acme/colors\' as c;\n@plugin "acme-forms";', '@acme/colors', 'acme-forms'],
  ["@import (reference) 'acme/a.less'", 'acme/a.less'],
  ["@media screen { a::before { content: 'acme' } }"],
  ["@import 'https://x.test/a.css'; @import '/a.css';"],
])('a style that has %s imports packages', (text, ...names) => {
  const found = readReferences('a/b.scss' as RepoPath, text).names.filter(({ form }) => form === 'module');
  expect(found.map(({ specifier }) => specifier)).toEqual(names);
});

test.each([
  ['#!/bin/sh\nnode "$(dirname "$0")/../../b/c.js"\n', ['../../b/c.js']],
  ['node ../../b/c.js\n', []],
])('a file without an ending is read if it begins as a script: %j', (text, paths) => {
  const found = readReferences('a/bin/run' as RepoPath, text).names.map(({ specifier }) => specifier);
  expect(found.filter((one) => one.startsWith('..'))).toEqual(expect.arrayContaining(paths));
  expect(found.length > 0).toBe(paths.length > 0);
});

test('a place has the line of the first mention', () => {
  expect(readDataText('a: 1\nb: ../x.yml\nc: ../x.yml\n', '' as RepoFolder).map(({ line, key }) => [line, key])).toEqual([[2, 'text']]);
});

test.each([
  'a/x.json',
  'a/x.yml',
  'a/.env.test',
  'a/x.scss',
  'a/main.tf',
  'a/binding.gyp',
  'a/CMakeLists.txt',
  'a/bunfig.toml',
  'a/x.proto',
])('%s is read', (path) => {
  expect(readReferences(path as RepoPath, '../../b/c.json').names).toHaveLength(1);
});

test('eight megabytes of dots take a bounded time', () => {
  expect(readDataText('../'.repeat(2_700_000), '' as RepoFolder)).toHaveLength(1);
  expect(readDataText('./ '.repeat(2_700_000), '' as RepoFolder)).toHaveLength(1);
});
