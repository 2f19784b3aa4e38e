import { describe, expect, test } from '@jest/globals';
import { asName, failing, HOSTILE } from './failed-pieces.fixture.js';
import { describeFailedTests, type FailedPiece } from './failed-pieces.js';

const piece: FailedPiece = { shard: '01', name: '@acme/ui', exit: 1, failures: [], log: 'FAIL a' };

test('a line for each test that failed, with its place', () => {
  const failures = [failing('adds', 'x'), failing('adds more', 'x', { line: null }), failing('adds most', 'x', { file: null, line: null })];
  expect(describeFailedTests([{ ...piece, failures }, piece])).toEqual([
    'Failed test: @acme/ui: adds (packages/ui/a.test.ts:7)',
    'Failed test: @acme/ui: adds more (packages/ui/a.test.ts)',
    'Failed test: @acme/ui: adds most',
  ]);
});

test('of many the first ones, and how many more there are', () => {
  const failures = Array.from({ length: 30 }, (_, at) => failing(`test ${at}`, ''));
  const lines = describeFailedTests([{ ...piece, failures }]);
  expect([lines.length, lines.at(-1)]).toEqual([21, '10 or more other failed tests: see the summary of the gate.']);
});

describe('each is one short line', () => {
  test.each(HOSTILE)('%s', (_, text) => {
    const [line = ''] = describeFailedTests([{ ...piece, failures: [failing(asName(text), text, { file: asName(text) })] }]);
    expect(line).toMatch(/^Failed test: @acme\/ui: [^\r\n]*$/);
    expect(line.length).toBeLessThan(310);
    expect(line).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });
});
