import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasJestThreshold, isCountedTest, isNodeTest, listArguments, parseListed, partArguments, type Runner, runnerOf } from './runner.js';

describe('a script is one call of a runner', () => {
  test.each<[script: string, runner: Runner]>([
    ['jest', 'jest'],
    ['  jest  ', 'jest'],
    ['jest --ci --config ./jest.config.js', 'jest'],
    ['jest -c jest.unit.config.mjs -i', 'jest'],
    ['jest --passWithNoTests --maxWorkers=50%', 'jest'],
    ['jest --maxWorkers 2 --reporters default -w 3 --silent', 'jest'],
    ['jest --no-coverage --forceExit', 'jest'],
    ['vitest run', 'vitest'],
    ['vitest --run', 'vitest'],
    ['vitest run --config vitest.unit.ts --project unit --pool=forks', 'vitest'],
    ['vitest --run --reporter dot --no-coverage', 'vitest'],
    ['playwright test', 'playwright'],
    ['playwright test --project=chromium', 'playwright'],
    ['playwright test --project chromium -c e2e.config.ts --workers 2', 'playwright'],
    ['node --test', 'node'],
    ['node --test --test-reporter=spec --experimental-strip-types', 'node'],
  ])('%s', (script, runner) => expect(runnerOf(script)).toBe(runner));
});

describe('nobody knows what an option at the end of a script would do:', () => {
  test.each<[why: string, scripts: readonly string[]]>([
    ['it is none', ['', ' ']],
    [
      'another program',
      ['ava', 'tap', 'npm test', 'jestx', 'jest-cli', 'ts-node jest', 'npx jest', 'yarn jest', './node_modules/.bin/jest'],
    ],
    [
      'another one in front of it',
      ['tsc && jest', 'cross-env CI=1 jest', 'c8 mocha', 'dotenv -- jest', 'node --experimental-vm-modules jest'],
    ],
    [
      'something behind it',
      ['jest && echo done', 'jest; true', 'jest || true', 'jest | tee log', 'jest & wait', 'jest\nrm -rf x', 'jest\r\nx'],
    ],
    ['a variable in front of it', ['CI=1 jest', 'NODE_OPTIONS=--experimental-vm-modules jest']],
    [
      'signs of a shell',
      ['jest "src/a b"', "jest 'src'", 'jest $ARGS', 'jest $(ls)', 'jest `ls`', 'jest src/*', 'jest src/{a,b}', 'jest > log'],
    ],
    ['more signs', ['jest #x', 'jest !x', 'jest \\x', 'jest (x)', 'jest src/[ab]', 'jest a?', 'jest <x', 'jest\tsrc', 'jest\u00A0src']],
    [
      'it watches',
      ['jest --watch', 'jest --watchAll', 'vitest', 'vitest watch', 'vitest run --watch', 'node --test --watch', 'mocha --watch'],
    ],
    ['it is cut already', ['jest --shard=1/2', 'vitest run --shard 1/3', 'playwright test --shard=2/4', 'node --test --test-shard=1/2']],
    ['it runs nothing', ['jest --listTests', 'vitest list', 'vitest bench', 'playwright install', 'node test.js', 'node']],
    ['options have ended', ['jest -- src', 'vitest run -- src', 'playwright test --']],
    [
      'it names files, behind which options are words for them',
      ['node --test test/a.js', 'node --test --import tsx test', 'mocha test', 'mocha -R dot', 'node --test -r x'],
    ],
  ])('%s', (_, scripts) => {
    expect(scripts.filter((script) => runnerOf(script) !== undefined)).toEqual([]);
  });

  test('whatever is put behind a sign of the shell', () => {
    const sign = fc.constantFrom(...'|&;<>()$`\\"\'*?[]#!{}\n\r\t'.split(''));
    fc.assert(
      fc.property(fc.constantFrom('jest', 'vitest run', 'playwright test', 'node --test'), sign, fc.string(), (call, one, rest) => {
        expect(runnerOf(`${call} ${one}${rest}`)).toBeUndefined();
        expect(runnerOf(`${call}${one}${rest}`)).toBeUndefined();
      }),
    );
  });
});

describe('parts would not say what all of it says:', () => {
  test.each<[why: string, scripts: readonly string[]]>([
    [
      'coverage is measured, which may be held to a threshold',
      [
        'jest --coverage',
        'jest --ci --coverage=true',
        'jest --collectCoverage',
        'jest --collect-coverage',
        'jest --coverageReporters=text',
        'vitest run --coverage',
        'vitest run --coverage.enabled',
        'vitest --run --coverage.thresholds.lines=90 --silent',
        'node --test --experimental-test-coverage',
        'node --test --test-coverage-lines=90',
      ],
    ],
    [
      'one file changes what another one finds',
      ['mocha', 'vitest run --no-isolate', 'vitest run --poolOptions.threads.isolate=false', 'node --test --test-isolation=none'],
    ],
    [
      'a path or a pattern says which tests are meant',
      [
        'jest t1.test.js',
        'jest src',
        'jest --ci src/a,b',
        'jest -i src',
        'jest --bail 1',
        'jest -c jest.config.js src',
        'vitest run src',
        'vitest --run src',
        'vitest run --globals src',
        'playwright test e2e',
        'playwright test --headed e2e',
      ],
    ],
    [
      'a word may be a value or a pattern',
      ['jest --unheard-of src', 'jest --reporters default src', 'vitest run --unheard-of src', 'playwright test --project a b'],
    ],
    [
      'an option says which tests are meant',
      [
        'jest --testPathPattern=src',
        'jest --testPathPatterns=src',
        'jest --test-path-pattern=src',
        'jest --testMatch=a',
        'jest --testRegex=a',
        'jest --runTestsByPath',
        'jest --findRelatedTests',
        'jest --onlyChanged',
        'jest -o',
        'jest -io',
        'jest -f',
        'jest --changedSince=main',
        'jest --lastCommit',
        'jest --selectProjects=a',
        'jest --projects=a',
        'jest --roots=a',
        'jest --filter=./f.js',
      ],
    ],
  ])('%s', (_, scripts) => {
    expect(scripts.filter((script) => runnerOf(script) !== undefined)).toEqual([]);
  });

  test.each<[manifest: Readonly<Record<string, unknown>>, expected: boolean]>([
    [{ jest: { coverageThreshold: { global: { lines: 90 } } } }, true],
    [{ jest: { collectCoverage: true } }, false],
    [{ jest: 'config/jest.json' }, false],
    [{ coverageThreshold: {} }, false],
    [{}, false],
  ])('%j has a threshold for jest: %s', (manifest, expected) => expect(hasJestThreshold(manifest)).toBe(expected));
});

describe('a part is run by', () => {
  test.each<[runner: Runner, part: readonly [number, number], words: readonly string[]]>([
    ['jest', [1, 3], ['--shard=1/3']],
    ['jest', [2, 3], ['--shard=2/3', '--passWithNoTests']],
    ['playwright', [1, 3], ['--shard=1/3']],
    ['playwright', [2, 3], ['--shard=2/3', '--pass-with-no-tests']],
    ['node', [3, 3], ['--test-shard=3/3']],
    ['vitest', [1, 3], ['--shard=1/3']],
    ['vitest', [3, 3], ['--shard=3/3', '--passWithNoTests']],
  ])('%s, %j', (runner, part, words) => {
    expect(partArguments(runner, part)).toEqual(words);
  });
});

test.each<[path: string, expected: boolean]>([
  ['src/a.test.ts', true],
  ['src/a.spec.jsx', true],
  ['a_test.js', true],
  ['src/a-test.mts', true],
  ['src/__tests__/a.ts', true],
  ['__tests__/deep/a.cjs', true],
  ['test/a.js', true],
  ['tests/a.mjs', true],
  ['e2e/login.ts', true],
  ['src/e2e/login.ts', true],
  ['src/a.ts', false],
  ['src/test/a.ts', false],
  ['src/latest.ts', false],
  ['src/contest.js', false],
  ['test/data.json', false],
  ['src/a.test.ts.snap', false],
])('%s is counted as a test file: %s', (path, expected) => expect(isCountedTest(path)).toBe(expected));

test.each<[path: string, expected: boolean]>([
  ['a.test.js', true],
  ['src/a-test.mjs', true],
  ['a_test.cjs', true],
  ['test-a.js', true],
  ['test.js', true],
  ['src/test/deep/fixture.js', true],
  ['a.test.ts', false],
  ['tests/a.js', false],
  ['latest.js', false],
  ['node_modules/a/test/b.js', false],
])('node runs %s: %s', (path, expected) => expect(isNodeTest(path)).toBe(expected));

describe('a runner lists its files', () => {
  test.each<[runner: Runner, script: string, words: readonly string[] | undefined]>([
    ['jest', 'jest --ci', ['run', 'unit', '--listTests', '--json']],
    ['playwright', 'playwright test', ['run', 'unit', '--list', '--reporter=json']],
    ['vitest', 'vitest run --project a', ['exec', 'vitest', 'list', '--filesOnly', '--json', '--project', 'a']],
    ['node', 'node --test', undefined],
  ])('%s, %s', (runner, script, words) => expect(listArguments(runner, { task: 'unit', script })).toEqual(words));

  test.each<[runner: Runner, text: string, files: readonly string[] | undefined]>([
    ['jest', '["/a/x.test.js","/a/y.test.js"]\n', ['/a/x.test.js', '/a/y.test.js']],
    ['jest', '[warn] old\n[]\n', []],
    ['jest', '[1]', undefined],
    ['jest', 'No tests found\n', undefined],
    ['jest', '["/a/x.te', undefined],
    ['jest', '{"a":1}', undefined],
    ['vitest', 'x\n[\n  { "file": "/a" },\n  { "file": "/a" },\n  { "file": "/b" }\n]\n', ['/a', '/b']],
    ['playwright', '{\n  "suites": [{ "file": "a.spec.js" }, { "file": "b.spec.js" }]\n}\n', ['a.spec.js', 'b.spec.js']],
    ['playwright', '{ "errors": [] }', undefined],
  ])('%s: %s', (runner, text, files) => expect(parseListed(runner, text)?.files).toEqual(files));
});
