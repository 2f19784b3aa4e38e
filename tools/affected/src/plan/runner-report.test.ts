import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { planOfPieces, receiptFor } from '../gate/proof.fixture.js';
import { parseReceipt, type ReceiptPiece } from '../receipt/receipt.js';
import { describeRetried } from '../report/retried-tests.js';
import { parseRunnerReport, plainText } from './runner-report.js';

const report = (testResults: unknown, more: object = {}): string =>
  JSON.stringify({ numTotalTests: 3, numFailedTests: 1, testResults, ...more });
const failed = (more: object): object => ({ fullName: 'adds', status: 'failed', failureMessages: ['bad'], ...more });
const suite = (more: object): object => ({
  name: '/r/a.test.ts',
  status: 'failed',
  startTime: 1000,
  endTime: 2500,
  message: '',
  assertionResults: [],
  ...more,
});

test('files, numbers and failures are read', () => {
  const text = report([
    suite({ assertionResults: [failed({}), { fullName: 'is', status: 'passed' }] }),
    suite({ name: '/r/b', status: 'passed' }),
  ]);
  expect(parseRunnerReport(text)).toEqual({
    files: [
      { path: '/r/a.test.ts', seconds: 1.5 },
      { path: '/r/b', seconds: 1.5 },
    ],
    tests: 3,
    partial: [],
    failed: 1,
    failures: [{ file: '/r/a.test.ts', line: null, test: 'adds', message: 'bad' }],
    retried: [],
  });
});

describe('a test that passed on another try', () => {
  const passed = (more: object): object => ({ fullName: 'adds', status: 'passed', failureMessages: [], ...more });
  test.each<[title: string, result: object, message: string | undefined]>([
    ['of jest is counted', passed({ invocations: 2, retryReasons: ['bad', 'worse'] }), 'bad'],
    ['of jest may have no reason', passed({ invocations: 3 }), ''],
    ['of vitest has the failures of the tries before', passed({ failureMessages: ['bad', 'worse'] }), 'bad'],
    ['is none on its first try', passed({ invocations: 1, retryReasons: [] }), undefined],
    ['is none of vitest without a failure', passed({}), undefined],
    ['is none if it failed', failed({ invocations: 2, retryReasons: ['bad'] }), undefined],
    ['is none if it was skipped', { fullName: 'adds', status: 'pending', invocations: 2 }, undefined],
  ])('%s', (_, result, message) => {
    const text = report([suite({ status: 'passed', assertionResults: [result] })]);
    const named = message === undefined ? [] : [{ file: '/r/a.test.ts', line: null, test: 'adds', message }];
    expect(parseRunnerReport(text)?.retried).toEqual(named);
  });
});

test('counts that are not those of the single results contradict them', () => {
  const suites = [suite({ assertionResults: [failed({}), failed({}), { fullName: 'is', status: 'passed' }] })];
  expect(parseRunnerReport(report(suites, { numFailedTests: 2 }))?.contradicts).toBeUndefined();
  for (const numFailedTests of [0, 1, 3]) expect(parseRunnerReport(report(suites, { numFailedTests }))?.contradicts).toBe(true);
});

test('snapshots that were written are counted', () => {
  const text = JSON.stringify({ numTotalTests: 0, numFailedTests: 0, testResults: [], snapshot: { added: 1, updated: 2, matched: 3 } });
  expect(parseRunnerReport(text)?.written).toBe(3);
});

test('skipped tests did not run', () => {
  expect(parseRunnerReport(report([], { numPassedTests: 0, numFailedTests: 0 }))?.tests).toBe(0);
  expect(parseRunnerReport(report([], { numPassedTests: 1 }))?.tests).toBe(2);
  const results = ['pending', 'skipped', 'todo', 'passed'].map((status, at) => suite({ name: `/r/${at}`, assertionResults: [{ status }] }));
  expect(parseRunnerReport(report(results))?.partial).toEqual(['/r/0', '/r/1']);
});

describe('the place of a failure is', () => {
  test.each<[title: string, more: object, line: number | null]>([
    [
      'where its stack names the file first',
      { failureMessages: ['Error\n  at x (/r/lib.ts:9:1)\n  at Object.<anonymous> (/r/a.test.ts:7:5)'] },
      7,
    ],
    ['what the runner says, without a stack', { location: { line: 3, column: 1 } }, 3],
    ['the stack before that', { failureMessages: ['a.test.ts:8'], location: { line: 3 } }, 8],
    ['not that of a longer name', { failureMessages: ['at x (/r/extra.test.ts:4:1)\nat y (/r/ba.test.ts:5:1)\nat a.test.ts:6:1'] }, 6],
    ['that of its folder before another one', { failureMessages: ['at x (/r/lib/a.test.ts:4:1)\nat y (/r/a.test.ts:7:1)'] }, 7],
    ['unknown else', { location: null }, null],
    ['not a number that is none', { failureMessages: ['a.test.ts:x'], location: { line: -1 } }, null],
  ])('%s', (_, more, line) => {
    expect(parseRunnerReport(report([suite({ assertionResults: [failed(more)] })]))?.failures[0]?.line).toBe(line);
  });
});

test('frames of a stack that lie in the runner are left out', () => {
  const stack = [
    'Error: bad',
    '    at Object.toBe (/r/a.test.ts:3:19)',
    '    at Promise.finally.completed (/r/node_modules/jest-circus/build/x.js:1:2)',
    '    at new Promise (<anonymous>)',
    '    at processTicksAndRejections (node:internal/process/task_queues:95:5)',
    String.raw`    at run (C:\r\node_modules\jest\x.js:1:1)`,
    'expected node_modules/ to be there',
  ];
  const read = parseRunnerReport(report([suite({ assertionResults: [failed({ failureMessages: [stack.join('\n')] })] })]));
  expect(read?.failures[0]?.message.split('\n')).toEqual([stack[0], stack[1], stack.at(-1)]);
});

test('a file that could not be loaded is a failure', () => {
  const text = report([suite({ message: 'Cannot find module' })], { numFailedTests: 0, numRuntimeErrorTestSuites: 1 });
  expect(parseRunnerReport(text)).toMatchObject({ failed: 1, failures: [{ test: '/r/a.test.ts', message: 'Cannot find module' }] });
});

test('of many failures the first ones are kept', () => {
  const many = Array.from({ length: 500 }, (_, at) => failed({ fullName: `t${at}` }));
  expect(parseRunnerReport(report([suite({ assertionResults: many })]))?.failures.map((one) => one.test)).toEqual(
    Array.from({ length: 20 }, (_, at) => `t${at}`),
  );
});

test.each([
  [
    '',
    '{',
    '[]',
    'null',
    '{}',
    '{"testResults":[]}',
    report([]).slice(0, -1),
    report('x'),
    report([], { numFailedTests: '1' }),
    report([], { numFailedTests: 0.5 }),
  ],
])('what is no report is none: %j', (text) => expect(parseRunnerReport(text)).toBeUndefined());

test('whatever tests print can stand in a receipt, and in one line of a note', () => {
  const plan = planOfPieces([['ui']]);
  const [shard] = plan.shards;
  if (shard === undefined) throw new Error('no shard');
  const receipt = receiptFor(plan, shard);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', maxLength: 6000 }), (name, message) => {
      const read = parseRunnerReport(report([suite({ assertionResults: [failed({ fullName: name, failureMessages: [message] })] })]));
      const written = {
        ...receipt,
        pieces: receipt.pieces.map((piece) => ({ ...piece, failures: read?.failures, retried: read?.failures, log: plainText(message) })),
      };
      expect(parseReceipt(JSON.stringify(written))).toEqual(written);
      expect(describeRetried(written.pieces[0] as ReceiptPiece)).toMatch(/^ui is flaky: 1 test [^\p{Cc}\u2028\u2029]+\.$/u);
    }),
  );
  expect(plainText('\u001B[31mred\u001B[0m\r\n\u009B2Jx\tbell\u0007')).toBe('red\n2Jx\tbell');
});
