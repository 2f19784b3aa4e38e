import { describe, expect, it } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import type { Member } from '@tributary/workspaces/dependency-graph';
import { fileSubject, type SearchSubject, scriptSubject, withoutComments, workspaceSubject } from './subject.js';

const path = (text: string): RepoPath => text as RepoPath;
const workspace = (name: string, others: readonly string[] = []): SearchSubject =>
  workspaceSubject({ name, path: 'packages/x' } as unknown as Member, others);

describe('a workspace', () => {
  it.each([
    ['semver', "require('semver')", true],
    ['semver', "import '@types/semver'", false],
    ['semver', 'semver-diff', false],
    ['semver', 'my-semver', false],
    ['semver', 'node_modules/semver/index.js', true],
    ['@acme/cli', "'@acme/cli/bin'", true],
    ['@acme/cli', "'@acme/cli-tools'", false],
    ['jest-environment-jsdom', "testEnvironment: 'jsdom'", true],
    ['@babel/preset-env', "presets: ['@babel/env']", true],
    ['@vitest/coverage-v8', "provider: 'v8'", true],
    ['babel-plugin-macros', "plugins: ['macros']", true],
    ['semver', "moduleNameMapper: { '^semver$': './x' }", false],
    ['semver', "name === 'semver'", false],
    ['semver', "case 'semver':", false],
  ])('%s is named in %s: %s', (name, text, expected) => {
    expect(workspace(name).find(text, path('a.js')) >= 0).toBe(expected);
  });

  it('goes by its binaries', () => {
    expect(workspace('@acme/cli', ['acme']).find('run: npx acme build', path('x.sh'))).toBe(9);
  });
});

describe('a file', () => {
  it.each([
    ['tests/helper.js', 'packages/a/a.test.js', "import '../../tests/helper.js'", true],
    ['tests/helper.ts', 'packages/a/a.test.js', "import '../../tests/helper'", true],
    ['tests/helper.js', 'packages/a/a.test.js', "join(root, 'tests', 'helper.js')", true],
    ['tests/helper.js', 'packages/a/a.test.js', "import './helper.js'", false],
    ['tests/helper.js', 'packages/a/a.test.js', "'tests/helper-two.js'", false],
    ['tests/helper.js', 'tests/other.js', "import './helper.js'", true],
    ['tests/helpers/index.js', 'packages/a/a.test.js', "import '../../tests/helpers'", true],
    ['tests/helpers/index.js', 'tests/other.js', "import './helpers'", true],
    ['tests/helper.js', 'packages/a/a.test.js', "glob('../../tests/*.js')", true],
    ['tests/helper.js', 'packages/a/a.test.js', "glob('../../tests/**')", true],
    ['tests/helper.js', 'packages/a/a.test.js', 'import(`../../tests/$' + '{name}.js`)', true],
    ['tests/helper.js', 'packages/a/a.test.js', "glob('../../contests/*.js')", false],
    ['tests/deep/helper.js', 'packages/a/a.test.js', "glob('../../tests/**')", true],
    ['scripts/gen.js', 'ci.sh', 'cd scripts && node gen.js', true],
    ['scripts/gen.js', 'ci.sh', 'node gen.js', false],
    ['scripts/gen.js', 'package.json', 'node scripts/gen.js', true],
    ['helper.js', 'packages/a/a.test.js', "import '../../helper.js'", true],
  ])('%s is named by %s with %s: %s', (file, from, text, expected) => {
    expect(fileSubject(path(file)).find(text, path(from)) >= 0).toBe(expected);
  });

  it('gives the words that any text that names it holds', () => {
    const subject = fileSubject(path('tests/deep/helper.js'));
    for (const text of ["'tests/*'", "'tests/deep/*'", "'deep/helper'"])
      expect(subject.words.some((word) => text.includes(word))).toBe(true);
  });
});

describe('comments', () => {
  it.each([
    ['a.ts', "// uses 'lib'\nx;", '\nx;'],
    ['a.ts', "/* 'lib'\n * 'lib' */\nx; // 'lib'", "\n\nx; // 'lib'"],
    ['a.ts', '/* a\n * @x lib\n */\nx;', '\n * @x lib\n\nx;'],
    ['a.ts', "const a = b\n  * require('lib');", "const a = b\n  * require('lib');"],
    ['a.ts', "/* a\n * b */ require('lib');", "/* a\n * b */ require('lib');"],
    ['a.ts', "/* a */ require('lib');", "/* a */ require('lib');"],
    ['a.ts', '/** @jest-environment jsdom */', '/** @jest-environment jsdom */'],
    ['a.ts', '/// <reference types="lib" />', '/// <reference types="lib" />'],
    ['a.sh', '#!/bin/lib\n# lib\nlib', '#!/bin/lib\n\nlib'],
    ['.toolrc', '# lib', '# lib'],
  ])('of %s: %j', (file, text, left) => {
    expect(withoutComments(text, path(file))).toBe(left);
  });
});

describe('a script', () => {
  it.each([
    ['docs', 'yarn docs', true],
    ['docs', 'yarn run docs && echo', true],
    ['docs', 'turbo run //#docs', true],
    ['docs', 'yarn docs:build', false],
    ['docs', 'ls docs', false],
  ])('%s is called by %s: %s', (name, text, expected) => {
    expect(scriptSubject(name).find(text, path('x.sh')) >= 0).toBe(expected);
  });
});
