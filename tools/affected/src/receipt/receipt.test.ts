import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseReceipt, type Receipt } from './receipt.js';

const receipt: Receipt = {
  schemaVersion: 2,
  plan: 'f'.repeat(64),
  shard: '01',
  attempt: 1,
  commit: 'a'.repeat(40),
  workTree: 'clean',
  checkout: '0123456789abcdef',
  cores: 2,
  concurrency: 10,
  startedAt: 900,
  endedAt: 2600,
  pieces: [
    {
      workspace: '@acme/ui',
      part: null,
      state: 'executed',
      taskHash: '0123456789abcdef',
      exit: 0,
      testFiles: 12,
      startedAt: 1000,
      endedAt: 2500,
      cpuSeconds: 2.25,
      fileSeconds: [
        { file: 'src/a.test.ts', seconds: 0.5 },
        { file: 'src/b.test.ts', seconds: 0 },
      ],
    },
    {
      workspace: 'app.web+x',
      part: [2, 3],
      state: 'replayed',
      taskHash: 'h',
      exit: 1,
      testFiles: null,
      startedAt: 0,
      endedAt: 0,
      cpuSeconds: null,
      failures: [
        { file: 'app/a.test.ts', line: 7, test: 'adds › one', message: 'expected 1\n\treceived 2' },
        { file: null, line: null, test: 'adds', message: '' },
      ],
      log: 'FAIL\n  at a.test.ts:7',
      unheeded: 2,
      list: '0123456789abcdef',
      problem: 'The report of its runner is truncated.',
    },
  ],
  builds: [{ task: '@acme/ui#build', startedAt: 5, endedAt: 6.5, cpuSeconds: 1 }],
  failedBuilds: [
    { task: '@acme/ui#types', exit: 2, log: 'error TS1' },
    { task: '@acme/ui#gen', exit: 1 },
  ],
};
const [piece] = receipt.pieces;
const failure = { file: 'a', line: 1, test: 'x', message: 'y' };
const otherVersion = (version: number): string =>
  `its version is ${version}, but this program supports version 2; run the same version of affected in all jobs`;
const DAY = 24 * 3600 * 1000;
const DEEP = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

test('a receipt is read as it was written', () => {
  expect(parseReceipt(JSON.stringify(receipt))).toEqual(receipt);
  const empty = { ...receipt, pieces: [], builds: [] };
  expect(parseReceipt(JSON.stringify(empty, undefined, 1))).toEqual(empty);
});

test('a large one, too', () => {
  const large = { ...receipt, pieces: Array.from({ length: 5000 }, () => piece) };
  expect(parseReceipt(JSON.stringify(large))).toEqual(large);
});

describe('what is no receipt has a problem, and is never thrown:', () => {
  test.each<[title: string, text: string, problem: string]>([
    ['nothing', '', 'it is not a JSON object'],
    ['half of one', JSON.stringify(receipt).slice(0, -9), 'it is not a JSON object'],
    ['two', `${JSON.stringify(receipt)}${JSON.stringify(receipt)}`, 'it is not a JSON object'],
    ['a list', JSON.stringify([receipt]), 'it is not a JSON object'],
    ['null', 'null', 'it is not a JSON object'],
    ['a text', '"receipt"', 'it is not a JSON object'],
    ['a list of lists without end', DEEP, 'it is not a JSON object'],
    ['a page of HTML', '<html>', 'it is not a JSON object'],
    ['no version', '{}', 'its version is missing, but this program supports version 2'],
    ['the version before', JSON.stringify({ ...receipt, schemaVersion: 1 }), otherVersion(1)],
    ['a version to come', '{"schemaVersion":3}', otherVersion(3)],
    ['a version that is a text', '{"schemaVersion":"2"}', 'its version is "2", but this program supports version 2'],
    [
      'a long version',
      JSON.stringify({ schemaVersion: 'x'.repeat(1_000_000) }),
      `its version is "${'x'.repeat(39)}, but this program supports version 2`,
    ],
    ['a version without end', `{"schemaVersion":${DEEP}}`, 'its version is no number, but this program supports version 2'],
    ['the version alone', '{"schemaVersion":2}', 'a field is missing or has the wrong type'],
    [
      'pieces that only a prototype has',
      `{"schemaVersion":2,"__proto__":${JSON.stringify(receipt)}}`,
      'a field is missing or has the wrong type',
    ],
  ])('%s', (_, text, problem) => expect(parseReceipt(text)).toEqual({ problem }));

  /** Forbidden values by field. */
  const FIELDS: readonly (readonly [field: string, values: readonly unknown[]])[] = [
    ['plan', [undefined, null, 7, '', {}, 'x'.repeat(301), 'a\nb']],
    ['shard', [undefined, 1, '', ['01'], '01\u001B[2J', '01\n::error::x']],
    ['commit', [undefined, null, '', 'x\r', 'x\u0000', 'a\u2028b']],
    ['workTree', [undefined, null, 'no', true, '']],
    ['checkout', [undefined, null, 7, '', 'a\nb']],
    ['cores', [undefined, null, 0, 1.5, '2']],
    ['concurrency', [undefined, null, 0, '100%']],
    ['startedAt', [undefined, null, -1, 2601, '900']],
    ['endedAt', [undefined, null, 899]],
    ['attempt', [undefined, null, 0, -1, 1.5, '1', 1e9, true]],
    ['pieces', [undefined, null, {}, 'x', 0]],
    ['builds', [undefined, null, {}, 'x', 0]],
    ['failedBuilds', [null, {}, 'x', 0]],
  ];
  test.each(FIELDS.flatMap(([field, values]) => values.map((value) => [field, value] as const)))('%s that is %j', (field, value) => {
    expect(parseReceipt(JSON.stringify({ ...receipt, [field]: value }))).toEqual({
      problem: 'a field is missing or has the wrong type',
    });
  });

  const IN_PIECES: readonly (readonly [field: string, values: readonly unknown[]])[] = [
    ['workspace', [undefined, null, '', 7, 'x'.repeat(301), 'a\nb', '::set-env name=x::\n', 'a\u001B[31m', 'a\u0085b', 'a\u2029b']],
    ['part', [undefined, [], [1], [1, 2, 3], [0, 2], [3, 2], [1.5, 2], ['1', '2'], '1/2', {}, [1, 1e9], [null, 1]]],
    ['state', [undefined, null, 'cancelled', 'EXECUTED', 0, ['executed']]],
    ['taskHash', [undefined, null, '', 1, 'x\n']],
    ['exit', [undefined, null, '0', 0.5, false, [0]]],
    ['testFiles', [undefined, -1, 1.5, '3']],
    ['cpuSeconds', [undefined, -1, '3']],
    ['fileSeconds', [null, {}, [null], [{ file: 'a', seconds: '1' }], [{ file: 'a\n', seconds: 1 }], [{ file: 'a', seconds: -1 }]]],
    ['failures', [null, {}, [null], [{ file: 'a', line: 1, test: 'x' }], [{ ...failure, test: 'a\nb' }], [{ ...failure, line: 0 }]]],
    ['failures', [[{ ...failure, file: 'a\nb' }], [{ ...failure, message: '\u001B[2J' }], [{ ...failure, message: 'a\rb' }]]],
    ['list', [null, '', 7, 'a\nb']],
    ['unheeded', [null, 0, 1.5, '3']],
    ['problem', [null, '', 'a\nb', {}]],
    ['log', [null, 7, 'a\u0000', 'x'.repeat(20_001), '\u009B2J']],
    ['startedAt', [undefined, null, -1, '0', 2501]],
    ['endedAt', [undefined, null, 999, '2500']],
  ];
  test.each(IN_PIECES.flatMap(([field, values]) => values.map((value) => [field, value] as const)))(
    '%s of a piece that is %j',
    (field, value) => {
      const broken = { ...receipt, pieces: [...receipt.pieces, { ...piece, [field]: value }] };
      expect(parseReceipt(JSON.stringify(broken))).toEqual({ problem: 'one of its pieces is invalid' });
    },
  );

  test.each([
    [null],
    [7],
    [[]],
    [{}],
    [{ task: 'a', startedAt: 0, cpuSeconds: null }],
    [{ task: 'a', startedAt: 0, endedAt: 1 }],
    [{ task: 'a\n', startedAt: 0, endedAt: 1, cpuSeconds: null }],
    [{ task: 'a', startedAt: 2, endedAt: 1, cpuSeconds: null }],
  ])('a build that is %j', (build) => {
    expect(parseReceipt(JSON.stringify({ ...receipt, builds: [build] }))).toEqual({ problem: 'one of its pieces is invalid' });
  });

  test.each([
    [null],
    [{}],
    [{ task: 'a' }],
    [{ task: 'a\n', exit: 1 }],
    [{ task: 'a', exit: 0 }],
    [{ task: 'a', exit: '1' }],
    [{ task: 'a', exit: 1, log: '\u001B[2J' }],
  ])('a failed build that is %j', (build) => {
    expect(parseReceipt(JSON.stringify({ ...receipt, failedBuilds: [build] }))).toEqual({ problem: 'one of its pieces is invalid' });
  });

  test.each(['1e999', '-1e999'])('a time of %s', (time) => {
    const text = JSON.stringify(receipt).replace('"endedAt":2500', `"endedAt":${time}`);
    expect(parseReceipt(text)).toEqual({ problem: 'one of its pieces is invalid' });
  });

  test('a piece without end', () => {
    const text = JSON.stringify({ ...receipt, pieces: ['deep'] }).replace('"deep"', DEEP);
    expect(parseReceipt(text)).toEqual({ problem: 'one of its pieces is invalid' });
  });
});

test('a clock that jumped two days while the shard ran makes no receipt invalid', () => {
  const long = { ...receipt, endedAt: receipt.endedAt + 2 * DAY, pieces: [{ ...piece, startedAt: 1, endedAt: 2 * DAY }] };
  expect(parseReceipt(JSON.stringify(long))).toEqual(long);
});

test('whatever stands in a file, it is a receipt or a problem of one line', () => {
  const line = (text: string): void => {
    const read = parseReceipt(text);
    if ('problem' in read) expect(read.problem).toMatch(/^[ -~]{1,200}$/);
    else expect(read.schemaVersion).toBe(2);
  };
  fc.assert(fc.property(fc.json(), line));
  fc.assert(fc.property(fc.string({ unit: 'binary' }), line));
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(receipt)), fc.jsonValue(), (field, value) =>
      line(JSON.stringify({ ...receipt, [field]: value })),
    ),
  );
});
