import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TurboTask } from '../io/turbo.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { timingsOfReceipts, timingsOfRuns } from './collect.js';
import { addTimings, formatTimings, parseTimings, type Timings } from './timings.js';

function piece(workspace: string, seconds: number, more: Partial<ReceiptPiece> = {}): ReceiptPiece {
  const startedAt = more.startedAt ?? 1_000_000;
  return { workspace, part: null, state: 'executed', taskHash: 'h', exit: 0, ...more, startedAt, endedAt: startedAt + seconds * 1000 };
}

function receipt(pieces: readonly ReceiptPiece[], more: Partial<Receipt> = {}): Receipt {
  return { schemaVersion: 1, plan: 'p', shard: '01', attempt: 1, commit: 'c', pieces, builds: [], ...more };
}

function ofPieces(...pieces: readonly ReceiptPiece[]): unknown {
  return Object.fromEntries(timingsOfReceipts([receipt(pieces)], 'test'));
}

describe('of receipts', () => {
  test('what was executed and passed has a time', () => {
    expect(ofPieces(piece('a', 2), piece('@acme/b', 0.25))).toEqual({ 'a#test': [2], '@acme/b#test': [0.25] });
  });

  test('what came out of a cache has none', () => expect(ofPieces(piece('a', 2, { state: 'replayed' }))).toEqual({}));

  test('what failed has none', () => expect(ofPieces(piece('a', 2, { exit: 1 }))).toEqual({}));

  test('builds have theirs', () => {
    const builds = [{ task: 'a#build', startedAt: 0, endedAt: 1500 }];
    expect(timingsOfReceipts([receipt([], { builds })], 'test')).toEqual(new Map([['a#build', [1.5]]]));
  });

  test('the task is the one that was asked for', () => {
    expect(timingsOfReceipts([receipt([piece('a', 2)])], 'e2e')).toEqual(new Map([['a#e2e', [2]]]));
  });

  describe('parts of a workspace', () => {
    const [one, two, three] = [1, 2, 3].map((part) => piece('a', part, { part: [part, 3] })) as [ReceiptPiece, ReceiptPiece, ReceiptPiece];

    test('are one run, also out of several shards', () => {
      const receipts = [receipt([one, three]), receipt([two], { shard: '02' })];
      expect(timingsOfReceipts(receipts, 'test')).toEqual(new Map([['a#test', [6]]]));
    });

    test.each<[title: string, pieces: readonly ReceiptPiece[]]>([
      ['is missing', [one, two]],
      ['failed', [one, two, { ...three, exit: 1 }]],
      ['came out of a cache', [one, two, { ...three, state: 'replayed' }]],
    ])('are no run if one of them %s', (_, pieces) => expect(ofPieces(...pieces)).toEqual({}));

    test('of different plans are not added up', () => {
      expect(timingsOfReceipts([receipt([one, two]), receipt([three], { plan: 'q' })], 'test')).toEqual(new Map());
    });

    test('of different cuts are not added up', () => {
      expect(ofPieces(one, two, piece('a', 5, { part: [1, 2] }))).toEqual({});
    });

    test('that ran twice count once', () => expect(ofPieces(one, one, two, three)).toEqual({ 'a#test': [6] }));
  });

  test('times stand in the order in which the runs began, whatever the order of the receipts', () => {
    const runs = [3, 1, 2].map((day) => receipt([piece('a', day, { startedAt: day * 86_400_000 })], { plan: `p${day}` }));
    expect(timingsOfReceipts(runs, 'test')).toEqual(new Map([['a#test', [1, 2, 3]]]));
  });
});

describe('of run summaries', () => {
  function task(more: Partial<TurboTask>): TurboTask {
    return { workspace: 'a', task: 'test', hash: 'h', state: 'executed', exit: 0, startedAt: 1000, endedAt: 3000, ...more };
  }

  test('what was executed and passed has a time, by the order of the runs', () => {
    const later = task({ startedAt: 5000, endedAt: 5500 });
    expect(timingsOfRuns([[later, task({ task: 'build' })], [task({})]])).toEqual(
      new Map([
        ['a#test', [2, 0.5]],
        ['a#build', [2]],
      ]),
    );
  });

  test('what came out of a cache, or failed, has none', () => {
    expect(timingsOfRuns([[task({ state: 'replayed' }), task({ exit: 1 })]])).toEqual(new Map());
  });
});

test('whatever was collected can be read again', () => {
  const hours = fc.double({ min: 0, max: 40, noNaN: true });
  const read = (more: Timings): void => {
    const text = formatTimings(addTimings(new Map(), more));
    expect([...parseTimings(text, 'x').keys()].sort()).toEqual([...more.keys()].sort());
  };
  fc.assert(
    fc.property(fc.array(hours, { minLength: 1, maxLength: 3 }), (all) => {
      const parts = all.map((one, at) => piece('a', one * 3600, { part: [at + 1, all.length] }));
      read(timingsOfReceipts([receipt(parts)], 'test'));
      const tasks = all.map((one) => ({ workspace: 'a', task: 'test', hash: '', exit: 0, startedAt: 0, endedAt: one * 3_600_000 }));
      read(timingsOfRuns([tasks.map((one) => ({ ...one, state: 'executed' as const }))]));
    }),
  );
});
