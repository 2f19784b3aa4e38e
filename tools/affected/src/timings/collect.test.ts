import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { timingsOfReceipts } from './collect.js';
import { addTimings, formatTimings, parseTimings, type Runs, secondsOf, type Timings, testsOf } from './timings.js';

function piece(workspace: string, seconds: number, more: Partial<ReceiptPiece> = {}): ReceiptPiece {
  const startedAt = more.startedAt ?? 1_000_000;
  return {
    workspace,
    part: null,
    state: 'executed',
    taskHash: 'h',
    exit: 0,
    testFiles: null,
    cpuSeconds: null,
    ...more,
    startedAt,
    endedAt: startedAt + seconds * 1000,
  };
}

function receipt(pieces: readonly ReceiptPiece[], more: Partial<Receipt> = {}): Receipt {
  const where = { workTree: 'clean', checkout: 'x', cores: 2, concurrency: 10, startedAt: 0, endedAt: 1 } as const;
  return { schemaVersion: 2, plan: 'p', shard: '01', attempt: 1, commit: 'c', ...where, pieces, builds: [], ...more };
}

const NOW = Date.UTC(2030, 0);

function ofReceipts(receipts: readonly Receipt[], task = 'test'): Timings {
  return secondsOf(timingsOfReceipts(receipts, { task, now: NOW }));
}

function ofPieces(...pieces: readonly ReceiptPiece[]): unknown {
  return Object.fromEntries(ofReceipts([receipt(pieces)]));
}

describe('of receipts', () => {
  test('parts of one run tell the times of all test files, or of none', () => {
    const part = (at: number, more: Partial<ReceiptPiece>): ReceiptPiece => piece('a', 5, { part: [at, 2], ...more });
    const [one, other] = [[{ file: 'x', seconds: 4 }], [{ file: 'y', seconds: 3 }]];
    const both = [receipt([part(1, { fileSeconds: one })]), receipt([part(2, { fileSeconds: other })])];
    const collect = (all: readonly Receipt[]): unknown =>
      timingsOfReceipts(all, { task: 'test', now: 2_000_000 }).get('a#test')?.[0]?.files;
    expect(collect(both)).toEqual({ x: 4, y: 3 });
    expect(collect([receipt([part(1, { fileSeconds: one })]), receipt([part(2, {})])])).toBeUndefined();
    expect(collect([receipt([piece('a', 9, { fileSeconds: one })])])).toEqual({ x: 4 });
  });

  test('what was executed and passed has a time', () => {
    expect(ofPieces(piece('a', 2), piece('@acme/b', 0.25))).toEqual({ 'a#test': [2], '@acme/b#test': [0.25] });
  });

  test('what came out of a cache has none', () => expect(ofPieces(piece('a', 2, { state: 'replayed' }))).toEqual({}));

  test('what failed has none', () => expect(ofPieces(piece('a', 2, { exit: 1 }))).toEqual({}));

  test('builds have theirs', () => {
    const builds = [{ task: 'a#build', startedAt: 0, endedAt: 1500, cpuSeconds: null }];
    expect(ofReceipts([receipt([], { builds })])).toEqual(new Map([['a#build', [1.5]]]));
  });

  test('a time is what the task would have taken alone', () => {
    const pieces = Array.from({ length: 10 }, (_, at) => piece(`p${at}`, 20, { cpuSeconds: 4 }));
    const runs = timingsOfReceipts([receipt(pieces)], { task: 'test', now: NOW });
    expect(runs.get('p3#test')).toEqual([
      { seconds: 4, startedAt: 1_000_000, testFiles: undefined, tests: undefined, cpuSeconds: 4, cores: 2, concurrency: 10 },
    ]);
  });

  test('the task is the one that was asked for', () => {
    expect(ofReceipts([receipt([piece('a', 2)])], 'e2e')).toEqual(new Map([['a#e2e', [2]]]));
  });

  describe('parts of a workspace', () => {
    const [one, two, three] = [1, 2, 3].map((part) => piece('a', part, { part: [part, 3], startedAt: part * 10_000 })) as [
      ReceiptPiece,
      ReceiptPiece,
      ReceiptPiece,
    ];

    test('are one run, also out of several shards', () => {
      const receipts = [receipt([one, three]), receipt([two], { shard: '02' })];
      expect(ofReceipts(receipts)).toEqual(new Map([['a#test', [6]]]));
    });

    test.each<[title: string, pieces: readonly ReceiptPiece[]]>([
      ['is missing', [one, two]],
      ['failed', [one, two, { ...three, exit: 1 }]],
      ['came out of a cache', [one, two, { ...three, state: 'replayed' }]],
    ])('are no run if one of them %s', (_, pieces) => expect(ofPieces(...pieces)).toEqual({}));

    test('have processor time together, if each has', () => {
      const cpuOf = (...cpu: readonly (number | null)[]): unknown =>
        timingsOfReceipts([receipt([one, two, three].map((part, at) => ({ ...part, cpuSeconds: cpu[at] ?? null })))], {
          task: 'test',
          now: NOW,
        }).get('a#test')?.[0]?.cpuSeconds;
      expect(cpuOf(0.5, 1, 1.5)).toBe(3);
      expect(cpuOf(0.5, null, 1.5)).toBeUndefined();
    });

    test('have the tests of all together, if each tells', () => {
      const testsOfParts = (...tests: readonly (number | undefined)[]): unknown => {
        const pieces = [one, two, three].map((part, at) => ({ ...part, ...(tests[at] === undefined ? {} : { tests: tests[at] }) }));
        return testsOf(timingsOfReceipts([receipt(pieces)], { task: 'test', now: NOW }), 'a#test');
      };
      expect([testsOfParts(5, 0, 1), testsOfParts(5, undefined, 1)]).toEqual([6, undefined]);
    });

    test('of different plans are not added up', () => {
      expect(ofReceipts([receipt([one, two]), receipt([three], { plan: 'q' })])).toEqual(new Map());
    });

    test('of different cuts are not added up', () => {
      expect(ofPieces(one, two, piece('a', 5, { part: [1, 2] }))).toEqual({});
    });

    test('that ran twice count once', () => expect(ofPieces(one, one, two, three)).toEqual({ 'a#test': [6] }));
  });

  test('times stand in the order in which the runs began, whatever the order of the receipts', () => {
    const runs = [3, 1, 2].map((day) => receipt([piece('a', day, { startedAt: day * 86_400_000 })], { plan: `p${day}` }));
    expect(ofReceipts(runs)).toEqual(new Map([['a#test', [1, 2, 3]]]));
  });

  test('a run that begins later than now has none: its clock is wrong, and it would be the newest for a long time', () => {
    expect(ofPieces(piece('a', 2, { startedAt: NOW + 1 }), piece('a', 3, { startedAt: NOW }))).toEqual({ 'a#test': [3] });
  });
});

describe('collected again', () => {
  const shards = [
    receipt([piece('a', 2), piece('c', 1, { part: [1, 2] })], {
      builds: [{ task: 'lib#build', startedAt: 10, endedAt: 5010, cpuSeconds: null }],
    }),
    receipt([piece('b', 3), piece('c', 4, { part: [2, 2], startedAt: 1_000_007 })], {
      shard: '02',
      builds: [{ task: 'lib#build', startedAt: 5, endedAt: 4005, cpuSeconds: null }],
    }),
  ];
  const collect = (known: Runs, receipts: readonly Receipt[]): Runs =>
    addTimings(known, timingsOfReceipts(receipts, { task: 'test', now: NOW }));
  const once = collect(new Map(), shards);

  test('a run counts once, also through the file', () => {
    expect(secondsOf(once)).toEqual(new Map(Object.entries({ 'a#test': [2], 'b#test': [3], 'c#test': [5], 'lib#build': [4, 5] })));
    expect(collect(parseTimings(formatTimings(once), 'x'), shards)).toEqual(once);
  });

  test('the shards of a run may come one after the other, in any order, and together at last', () => {
    const oneByOne = shards.toReversed().reduce((known, shard) => collect(known, [shard]), new Map() as Runs);
    expect(secondsOf(oneByOne).get('lib#build')).toEqual([4, 5]);
    expect(collect(oneByOne, shards)).toEqual(once);
  });

  test('a shard that was run again counts again', () => {
    const again = receipt([piece('a', 7, { startedAt: 2_000_000 })], { attempt: 2 });
    expect(secondsOf(collect(once, [...shards, again])).get('a#test')).toEqual([2, 7]);
  });

  test('what was kept of twelve runs stays, though the first two are there again', () => {
    const runs = Array.from({ length: 12 }, (_, day) => receipt([piece('a', day, { startedAt: day * 86_400_000 })]));
    const known = collect(new Map(), runs);
    expect(secondsOf(known).get('a#test')).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(collect(known, runs)).toEqual(known);
  });

  test('times of a file that knows no starts stay in front', () => {
    const old = parseTimings('{"schemaVersion":1,"tasks":{"a#test":[9,8]}}', 'x');
    const known = collect(old, shards);
    expect(secondsOf(known).get('a#test')).toEqual([9, 8, 2]);
    expect(collect(parseTimings(formatTimings(known), 'x'), shards)).toEqual(known);
  });
});

test('whatever was collected can be read again', () => {
  const hours = fc.double({ min: 0, max: 40, noNaN: true });
  const read = (more: Runs): void => {
    const text = formatTimings(addTimings(new Map(), more));
    expect([...parseTimings(text, 'x').keys()].sort()).toEqual([...more.keys()].sort());
  };
  fc.assert(
    fc.property(fc.array(hours, { minLength: 1, maxLength: 3 }), (all) => {
      const parts = all.map((one, at) => piece('a', one * 3600, { part: [at + 1, all.length] }));
      read(timingsOfReceipts([receipt(parts)], { task: 'test', now: NOW }));
    }),
  );
});
