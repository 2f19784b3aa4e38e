import { expect, test } from '@jest/globals';
import type { PackageTestsResult, SideTestsResult, TestsResult } from '../tests-result.js';
import { testLines, testsSection, testsSentence } from './tests-part.js';

const side = (more: Partial<SideTestsResult>): SideTestsResult => ({
  result: 'passed',
  runs: 1,
  passed: 57,
  failed: 0,
  coverage: null,
  output: '',
  remarks: [],
  kept: false,
  ...more,
});
const same: PackageTestsResult = {
  name: 'ui',
  outcome: 'same',
  before: side({}),
  after: side({ kept: true }),
  causes: [],
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
  causes: [
    {
      kind: 'workspace',
      text: '`scale` gets `time` 3.1.0, the workspace, where it had 3.0.0.',
      remedy: 'With a pin',
      withRemedy: 'passes',
    },
  ],
  log: '/x/scale.log',
};
const tests: TestsResult = { level: 'test', reason: null, variables: [], packages: [same, failing] };

test('one sentence counts the outcomes, the worst first', () => {
  expect(testsSentence(tests)).toBe('Tests before and after: 1 newly failing, 1 same.');
  expect(testsSentence({ ...tests, variables: ['TZ', 'CI'] })).toBe(
    'Tests before and after: 1 newly failing, 1 same. They got the variables TZ, CI from you.',
  );
  expect(testsSentence(null)).toBeUndefined();
});

test.each(['off', 'not agreed', 'declined', 'no lockfile', 'not run'] as const)('that nothing was compared is said: %s', (reason) => {
  expect(testsSentence({ level: 'off', reason, variables: [], packages: [] })).toMatch(/^Tests were not compared: /);
});

test('the terminal shows each package that does not fare the same, with cause and remedy', () => {
  expect(testLines(tests)).toEqual([
    '  scale: newly failing; before passed, 57 tests, 98.1 % of lines (the last of 2 runs), after failed, 50 passed and 7 failed (the last of 2 runs; It left one process behind, which was ended)',
    '     `scale` gets `time` 3.1.0, the workspace, where it had 3.0.0.',
    '     With a pin: the tests pass.',
    '     Log: /x/scale.log',
  ]);
  const causes = failing.causes.map((cause) => ({ ...cause, withRemedy: 'not shown' as const }));
  expect(testLines({ ...tests, packages: [{ ...failing, causes }] })[2]).toBe(
    '     With a pin: the output no longer shows this; whether the rest fares as before is not known.',
  );
  const unexplained = { ...failing, before: side({ passed: 1 }), after: side({ passed: 0 }), causes: [] };
  expect(testLines({ ...tests, packages: [unexplained] })).toEqual([
    '  scale: newly failing; before passed, 1 test, after passed, 0 tests',
    '     No cause was found.',
    '     Log: /x/scale.log',
  ]);
  expect(testLines({ ...tests, packages: [{ ...failing, log: null, causes: [] }] }).at(-1)).toBe('     No cause was found.');
});

test('the report begins with what fails, says what was found, and folds the output, which cannot leave its fence', () => {
  const text = testsSection(tests);
  const at = (part: string): number => text.indexOf(part);
  expect(at('### scale: newly failing')).toBeGreaterThan(at('1 newly failing, 1 same.'));
  expect(at('With a pin: the tests pass.')).toBeGreaterThan(0);
  expect(text.match(/^~~~/gm)).toHaveLength(2);
  expect(text).toContain('| ui | same | passed, 57 tests | passed, 57 tests (from an earlier run) |');
  expect(testsSection({ ...tests, packages: [{ ...failing, causes: [] }] })).toContain('No cause was found.');
  expect(testsSection(null)).toBe('');
});
