import { expect, test } from '@jest/globals';
import type { PackageTestsResult, SideTestsResult, TestsResult } from '../result/tests-result.js';
import { testLines, testsSection, testsSentence } from './tests-part.js';

const side = (more: Partial<SideTestsResult>): SideTestsResult => ({
  result: 'passed',
  runs: 1,
  passed: 57,
  failed: 0,
  coverage: null,
  output: '',
  remarks: [],
  ...more,
});
const same: PackageTestsResult = {
  name: 'ui',
  outcome: 'same',
  before: side({}),
  after: side({}),
  log: '/x/ui.log',
};
const failing: PackageTestsResult = {
  name: 'scale',
  outcome: 'newly failing',
  before: side({ runs: 2, coverage: { lines: 98.1 } }),
  after: side({
    result: 'failed',
    runs: 2,
    passed: 50,
    failed: 7,
    output: 'Error: ~~~ no',
    remarks: ['It left one process behind, which was ended.'],
  }),
  log: '/x/scale.log',
};
const tests: TestsResult = { level: 'test', reason: null, variables: [], packages: [same, failing] };

test('one sentence counts the outcomes, the worst first', () => {
  expect(testsSentence(tests)).toBe('Tests before and after: 1 newly failing, 1 same.');
  expect(testsSentence({ ...tests, variables: ['TZ', 'CI'] })).toBe(
    'Tests before and after: 1 newly failing, 1 same. Variables from you: TZ, CI.',
  );
  const uncounted = { ...same, before: { ...same.before, passed: null }, after: { ...same.after, passed: null } };
  expect(testsSentence({ ...tests, packages: [uncounted, failing] })).toBe(
    'Tests before and after: 1 newly failing, 1 same. No number of tests is known for ui, so perhaps none ran.',
  );
  expect(testsSentence({ ...tests, level: 'build', packages: [uncounted] })).toBe('Builds before and after: 1 same.');
  expect(testsSentence(null)).toBeUndefined();
});

test.each(['off', 'not agreed', 'declined', 'no lockfile', 'not run'] as const)('that nothing was compared is said: %s', (reason) => {
  expect(testsSentence({ level: 'off', reason, variables: [], packages: [] })).toMatch(/^Tests were not compared: /);
});

test('the terminal shows each package that does not fare the same, with its log', () => {
  expect(testLines(tests)).toEqual([
    '  scale: newly failing; before passed, 57 tests, 98.1 % of lines (the last of 2 runs), after failed, 50 passed and 7 failed (the last of 2 runs; It left one process behind, which was ended)',
    '     Log: /x/scale.log',
  ]);
});

test('the report begins with what fails, and folds the output, which cannot leave its fence', () => {
  const text = testsSection(tests);
  const at = (part: string): number => text.indexOf(part);
  expect(at('### scale: newly failing')).toBeGreaterThan(at('1 newly failing, 1 same.'));
  expect(text.match(/^~~~/gm)).toHaveLength(2);
  expect(text).toContain('| ui | same | passed, 57 tests | passed, 57 tests |');
  expect(testsSection(null)).toBe('');
});
