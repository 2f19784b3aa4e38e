import { describe, expect, test } from '@jest/globals';
import { formatRun, type TestedPackage, type TestRun, testRun, verdictOf } from './test-run.js';

const passed = (count: number): TestRun => ({ result: 'passed', counts: { passed: count, failed: 0 }, output: '' });
const failed = (count: number, others: number): TestRun => ({ result: 'failed', counts: { passed: count, failed: others }, output: '' });
const broken: TestRun = { result: 'failed', counts: undefined, output: 'Error: no such module' };
const unbuilt: TestRun = { ...broken, result: 'not built' };
const none: TestRun = { result: 'no tests', counts: undefined, output: '' };

type Runs = TestedPackage['alone'];

describe('a package', () => {
  test.each<[string, Runs, Runs, ReturnType<typeof verdictOf>]>([
    ['passes in both places', [passed(5)], [passed(5)], 'the same'],
    ['has no tests', [none], [none], 'the same'],
    ['fails in both places, as often', [failed(4, 1)], [failed(4, 1)], 'fails alone too'],
    ['fails only in the monorepo', [passed(5), passed(5)], [failed(4, 1), failed(4, 1)], 'lost'],
    ['fails in the monorepo each time, and alone sometimes', [passed(5), failed(4, 1)], [broken, broken], 'lost'],
    ['has fewer tests in the monorepo', [passed(5), passed(5)], [passed(4), passed(4)], 'lost'],
    ['fails more often in the monorepo', [failed(4, 1), failed(4, 1)], [failed(3, 2), failed(3, 2)], 'lost'],
    ['cannot be built in the monorepo', [passed(5)], [unbuilt], 'lost'],
    ['fails only alone', [failed(4, 1), failed(4, 1)], [passed(5), passed(5)], 'gained'],
    ['cannot be installed alone', [{ ...broken, result: 'not installed' }], [passed(5)], 'gained'],
    ['failed once in the monorepo', [passed(5), passed(5)], [failed(4, 1), passed(5)], 'unsteady'],
    ['fails in both places, as it likes', [failed(16, 41), failed(16, 33)], [failed(16, 35), failed(14, 39)], 'fails alone too'],
  ])('that %s', (_, alone, migrated, verdict) => expect(verdictOf({ name: 'ui', alone, migrated })).toBe(verdict));
});

test('a run is told by its counts, and by what they do not tell', () => {
  expect([passed(5), failed(4, 1), failed(5, 0), broken, unbuilt, { ...passed(5), result: 'timed out' } as const].map(formatRun)).toEqual([
    '5',
    '4 + 1 failed',
    '5, then failed',
    'failed',
    'not built',
    '5, then timed out',
  ]);
});

test('an outcome says how it ended, what was counted and its last words', () => {
  expect(testRun({ ended: 'well', output: '  5 passing (1ms)\n' })).toMatchObject({ result: 'passed', counts: { passed: 5 } });
  expect(testRun({ ended: 'too late', output: 'a\nb\n' })).toEqual({ result: 'timed out', counts: undefined, output: 'a\nb' });
  const stack =
    'Error: no\n    at run (file:///x/ui/test/a.js:1:1)\n    at load (node:internal/modules:7:1)\n    at y (/x/node_modules/mocha/z.js:1:1)\n';
  expect(testRun({ ended: 'badly', output: stack }).output).toBe('Error: no\n    at run (file:///x/ui/test/a.js:1:1)');
});

test('the tests that a build or an installation runs are not those of the package', () => {
  expect(testRun({ ended: 'badly', output: '  5 passing (1ms)\n' }, 'not built')).toMatchObject({ result: 'not built', counts: undefined });
});
