import { describe, expect, test } from '@jest/globals';
import type { TestOutcome } from '../result/tests-result.js';
import { isWorse, mayBeChance, outcomeOf, type TestRun, type TestRuns, testRun, withoutTests } from './test-run.js';

const NO_TESTS: TestRun = { result: 'no tests', counts: undefined, coverage: undefined, output: '', remarks: [] };
const run = (result: TestRun['result'], counts?: readonly [number, number], lines?: number): TestRun => ({
  result,
  counts: counts && { passed: counts[0], failed: counts[1] },
  coverage: lines === undefined ? undefined : { lines },
  output: '',
  remarks: [],
});
const passed = (count: number): TestRun => run('passed', [count, 0]);
const failed = (count: number, others: number): TestRun => run('failed', [count, others]);
const broken = run('failed');
const unbuilt = run('not built');
const covered = (lines: number): TestRun => run('passed', [5, 0], lines);

describe('a package', () => {
  test.each<[string, TestRuns, TestRuns, TestOutcome]>([
    ['passes on both sides', [passed(5)], [passed(5)], 'same'],
    ['passes on both sides, and runs more tests', [passed(5)], [passed(6)], 'same'],
    ['has no tests', [NO_TESTS], [NO_TESTS], 'not compared'],
    ['runs none', [passed(0)], [passed(0)], 'not compared'],
    ['runs some of unknown number', [run('passed')], [run('passed')], 'same'],
    ['fails on both sides, as often', [failed(4, 1)], [failed(4, 1)], 'failed before'],
    ['fails only after', [passed(5), passed(5)], [failed(4, 1), failed(4, 1)], 'newly failing'],
    ['fails after each time, and before sometimes', [passed(5), failed(4, 1)], [broken, broken], 'newly failing'],
    ['passes with fewer tests', [passed(5), passed(5)], [passed(4), passed(4)], 'newly failing'],
    ['passes, and nothing is counted any more', [passed(5), passed(5)], [run('passed'), run('passed')], 'newly failing'],
    ['passes with less coverage', [covered(100), covered(100)], [covered(0), covered(0)], 'newly failing'],
    ['passes, and no coverage is printed any more', [covered(100), covered(100)], [passed(5), passed(5)], 'newly failing'],
    ['passes, and coverage goes up and down', [covered(100), covered(99)], [covered(99), covered(100)], 'flaky'],
    ['has lost its script', [run('passed')], [NO_TESTS], 'newly failing'],
    [
      'fails on both sides, as it likes, and always worse after',
      [failed(16, 41), failed(16, 33)],
      [failed(14, 43), failed(13, 44)],
      'flaky',
    ],
    ['fails more often after', [failed(4, 1), failed(4, 1)], [failed(3, 2), failed(3, 2)], 'newly failing'],
    ['fails on both sides, less often after', [failed(3, 2), failed(3, 2)], [failed(4, 1), failed(4, 1)], 'failed before'],
    ['cannot be built after', [passed(5)], [unbuilt], 'newly failing'],
    ['fails only before', [failed(4, 1), failed(4, 1)], [passed(5), passed(5)], 'newly passing'],
    ['cannot be installed before', [run('not installed')], [passed(5)], 'newly passing'],
    ['failed once after', [passed(5), passed(5)], [failed(4, 1), passed(5)], 'flaky'],
    ['failed once before', [failed(4, 1), passed(5)], [passed(5), passed(5)], 'flaky'],
    ['fails on both sides, as it likes', [failed(16, 41), failed(16, 33)], [failed(16, 35), failed(14, 39)], 'flaky'],
  ])('that %s', (_, before, after, outcome) => expect(outcomeOf({ before, after })).toBe(outcome));
});

test('a side that fails, or has lost something, is repeated on both sides; what was not built is not', () => {
  const isRepeated = (before: TestRun, after: TestRun): boolean => mayBeChance({ before: [before], after: [after] });
  expect(isRepeated(passed(5), failed(4, 1))).toBe(true);
  expect(isRepeated(failed(4, 1), failed(4, 1))).toBe(true);
  expect(isRepeated(covered(100), covered(99))).toBe(true);
  expect(isRepeated(passed(5), passed(5))).toBe(false);
  expect(isRepeated(passed(5), unbuilt)).toBe(false);
});

test('coverage of tests that fail tells nothing', () => {
  expect(isWorse(run('failed', [4, 1], 90), run('failed', [4, 1], 80))).toBe(false);
});

describe('an outcome says', () => {
  test('how it ended, what was counted and its last words', () => {
    const well = testRun('test', { ended: 'well', output: '\u001b[32m  5 passing (1ms)\n', leftBehind: 0, notEnded: 0 });
    expect(well).toMatchObject({ result: 'passed', counts: { passed: 5 }, remarks: [] });
    expect(testRun('test', { ended: 'too late', output: 'a\nb\n', leftBehind: 0, notEnded: 0 })).toMatchObject({
      result: 'timed out',
      output: 'a\nb',
    });
    const stack =
      'Error: no\n    at run (file:///x/ui/test/a.js:1:1)\n    at load (node:internal/modules:7:1)\n    at y (/x/node_modules/mocha/z.js:1:1)\n';
    const bad = testRun('test', { ended: 'badly', output: stack, leftBehind: 0, notEnded: 0 });
    expect(bad.output).toBe('Error: no\n    at run (file:///x/ui/test/a.js:1:1)');
  });

  test('what is missing, though many lines follow', () => {
    const missing = "Error: Cannot find module 'tape'";
    const { output } = testRun('test', {
      ended: 'badly',
      output: `${missing}\n${missing}\n${'more\n'.repeat(40)}`,
      leftBehind: 0,
      notEnded: 0,
    });
    expect(output.split('\n')).toEqual([missing, ...Array<string>(25).fill('more')]);
  });

  test('that processes were left behind, and that a build ran out of time', () => {
    const remarksOf = (leftBehind: number, notEnded: number) =>
      testRun('test', { ended: 'well', output: '', leftBehind, notEnded }).remarks;
    expect(remarksOf(2, 0)).toEqual(['It left 2 processes behind, which were ended.']);
    expect(remarksOf(2, 1)).toEqual(['It left 2 processes behind. 1 could not be ended: another user owns them.']);
    expect(testRun('build', { ended: 'too late', output: '', leftBehind: 0, notEnded: 0 })).toMatchObject({
      result: 'not built',
      remarks: ['It did not end within the time limit.'],
    });
  });

  test('nothing that a terminal obeys, no password, and no line without end', () => {
    const hostile = `\u001b]0;title\u0007a\u0008b\nhttps://user:secret@example.com/x\nTests ${'1'.repeat(5_000_000)}\n`;
    const { output, counts } = testRun('test', { ended: 'badly', output: hostile, leftBehind: 0, notEnded: 0 });
    expect(output).not.toMatch(/secret|[^\P{Cc}\n]/u);
    expect(output.length).toBeLessThan(2000);
    expect(counts).toBeUndefined();
  });

  test('nothing of the tests that a build or an installation runs', () => {
    expect(testRun('build', { ended: 'badly', output: '  5 passing (1ms)\n', leftBehind: 0, notEnded: 0 })).toMatchObject({
      result: 'not built',
      counts: undefined,
    });
  });
});

test('without a script of that name, those that there are', () => {
  const remarksFor = (...others: string[]): readonly string[] | undefined =>
    withoutTests('test', Object.fromEntries(others.map((name) => [name, 'tap'])))?.remarks;
  expect(remarksFor('build', 'test:core', 'test:e2e')).toEqual([
    'It has no script "test", but "test:core", "test:e2e": --tests-script <name> runs one of them.',
  ]);
  expect(remarksFor('verify')).toEqual(['It has no script "test", but "verify": --tests-script <name> runs one of them.']);
  expect(remarksFor()).toEqual(['It has no script "test".']);
});

test.each<[script: string, around: string | undefined, isNothing: boolean]>([
  ['exit 0', undefined, true],
  ['true', undefined, true],
  ['echo "Error: no test specified" && exit 1', undefined, true],
  ['echo no tests yet', 'echo before', true],
  ['', undefined, true],
  ['echo tests && node test.js', undefined, false],
  ['echo $(node test.js)', undefined, false],
  ['tap || true', undefined, false],
  ['exit 0', 'tap', true],
])('a script %j behind %j runs nothing: %s', (script, around, isNothing) => {
  const scripts = { test: script, ...(around === undefined ? {} : { pretest: around }) };
  expect(withoutTests('test', scripts)?.remarks).toEqual(
    isNothing ? [expect.stringMatching(/^Its script "test" runs nothing/)] : undefined,
  );
});
