import { expect, test } from '@jest/globals';
import type { TestRun } from '../../tests/test-run.js';
import { fareWithRemedy } from './with-remedy.js';

const run = (result: TestRun['result'], counts?: TestRun['counts']): TestRun => ({
  result,
  counts,
  coverage: undefined,
  output: '',
  remarks: [],
});
const failed = (passed: number, failures: number): TestRun => run('failed', { passed, failed: failures });

test.each([
  ['it passes where it failed before', run('failed'), run('passed'), 'passes'],
  ['it passes where the source was never installed', run('not installed'), run('passed'), 'passes'],
  ['it passes with fewer tests', run('passed', { passed: 2, failed: 0 }), run('passed', { passed: 1, failed: 0 }), 'still fails'],
  ['as many tests fail', failed(5, 1), failed(5, 1), 'as before'],
  ['more tests fail', failed(5, 1), failed(4, 2), 'still fails'],
  ['it fails where it passed before', run('passed'), run('failed'), 'still fails'],
  ['neither failure has counts', run('failed'), run('failed'), 'not shown'],
  ['only the failure before has no counts', run('failed'), failed(0, 100), 'not shown'],
  ['the source was never installed', run('not installed'), failed(5, 1), 'not shown'],
  ['the tests before ended at the limit of time', run('timed out', { passed: 5, failed: 1 }), failed(5, 1), 'not shown'],
  ['its build fails', run('failed'), run('not built'), 'not finished'],
  ['it is not installed', run('passed'), run('not installed'), 'not finished'],
  ['it ends at the limit of time', failed(5, 1), run('timed out', { passed: 5, failed: 1 }), 'not finished'],
] as const)('with a remedy, %s', (_, before, now, expected) => {
  expect(fareWithRemedy(before, now, false)).toBe(expected);
});

test('a failure whose output still shows the cause still fails, however many tests pass', () => {
  expect([fareWithRemedy(failed(5, 1), failed(6, 1), true), fareWithRemedy(run('failed'), run('passed'), true)]).toEqual([
    'still fails',
    'passes',
  ]);
});
