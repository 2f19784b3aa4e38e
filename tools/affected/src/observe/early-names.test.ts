import { describe, expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { isForRunners, isForTests, mayName, namesOf, testNameOf } from './early-names.js';

const NONE = (): boolean => false;
const HELPERS = namesOf('tests/helpers.ts');

describe('a text may name tests/helpers.ts', () => {
  test.each([
    ['its path', 'a.sh', 'cp tests/helpers.ts /etc'],
    ['its name alone', 'a.yml', 'run: tsx helpers.ts'],
    ['its name in parts', 'a.js', "join('tests', 'helpers')"],
    ['its folder', 'a.sh', 'cp -r tests /etc'],
    ['its folder after an option', 'a.sh', 'cc -Itests a.c'],
    ['a pattern', 'a.sh', 'cat tests/*.ts'],
    ['a pattern that begins so', 'a.sh', 'cat tests/help*'],
    ['several', 'a.sh', 'cat tests/{setup,helpers}.ts'],
    ['a name that goes on', 'a.js', 'read(`tests/he$' + '{rest}`)'],
    ['a name that goes on after a quote', 'a.js', "read('tests/help' + rest)"],
    ['a way round', 'a.sh', 'cat tests/deep/../$name'],
    ['the folder itself', 'a.sh', 'cat tests/./$name'],
    ['an import', 'packages/a/x.js', "import a from '../../tests/helpers.js';"],
    ['an import of its folder', 'packages/a/x.js', "import a from '../../tests';"],
    ['an import by another name', 'packages/a/x.js', "import a from '@root/tests/helpers';"],
    ['an import that goes on', 'packages/a/x.js', "require('../../tests/' + name)"],
    ['an import of its folder with a slash', 'packages/a/x.js', "require('../../tests/')"],
    ['a list', 'packages/a/x.js', "Array.from('./tests/*')"],
    ['the folder of another file', 'x.js', "readdirSync(dirname(require.resolve('./tests/setup.js')))"],
    ['a way up from another folder', 'x.sh', 'cd tests/deep && cat ../*'],
    ['a line that begins like a comment', 'x.js', "class A {\n  *names() { yield 'tests'; }\n}"],
    ['a name after an escape', 'x.js', "'a\\ntests/helpers.ts'.split('\\n')"],
    ['a script', 'package.json', '{ "scripts": { "a": "node tests/helpers" } }'],
  ])('by %s', (_, from, text) => expect(mayName(text, from as RepoPath, HELPERS, NONE)).toBe(true));

  test.each([
    ['another file of its folder', 'jest.config.js', "setup: ['../../tests/setup.ts']"],
    ['a file below', 'a.sh', 'cat tests/deep/helper.sh'],
    ['another word', 'a.sh', 'run-tests; my-helpers'],
    ['an import of another file', 'packages/a/src/x.js', "import a from './helpers.js'; export * from '../tests/helpers';"],
    ['a comment', 'a.js', '// runs tests\n0;'],
    ['a key of a manifest', 'packages/a/package.json', '{ "scripts": { "tests": "node x" } }'],
  ])('not by %s', (_, from, text) => expect(mayName(text, from as RepoPath, HELPERS, NONE)).toBe(false));
});

test('a module of Node is no folder of the root', () => {
  const name = namesOf('util/rates.js');
  expect(mayName("const a = require('util');\nimport b from 'node:util';", 'a.js' as RepoPath, name, NONE)).toBe(false);
  expect(mayName("const a = require('util/rates');", 'a.js' as RepoPath, name, NONE)).toBe(true);
});

test('a program finds its file', () => expect(namesOf('a/Makefile').isIn('make all')).toBe(true));

test('the folder of an index stands for it', () => {
  const name = testNameOf('packages/a/test/index.js');
  for (const text of ["require('./test')", 'node packages/a/test/index.js', 'node "packages/a/test"']) expect(name.isIn(text)).toBe(true);
  for (const text of ['node --test', 'ava test/**/*.js', 'index.js']) expect(name.isIn(text)).toBe(false);
});

test.each([
  ['test/a.js', true, false],
  ['src/a.test.ts', true, true],
  ['jest.config.packages.js', true, true],
  ['util/testHelpers.js', true, false],
  ['.github/workflows/test/jest.config.js', false, true],
  ['.github/workflows/playwright.yml', false, false],
  ['scripts/release.js', false, false],
  ['src/index.js', false, false],
  ['test.js', false, false],
])('%s is for tests: %s, and for their runners alone: %s', (path, tests, runners) =>
  expect([isForTests(path), isForRunners(path)]).toEqual([tests, runners]),
);
