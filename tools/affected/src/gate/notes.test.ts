import { describe, expect, test } from '@jest/globals';
import type { Receipt, TestFailure } from '../receipt/receipt.js';
import { type FoundReceipt, judge } from './judge.js';
import { planOfPieces, receiptsFor } from './proof.fixture.js';

const plan = planOfPieces([['ui', 'app 1/2'], ['app 2/2']]);
const [first, second] = receiptsFor(plan) as [Receipt, Receipt];
const failed: Receipt = { ...first, pieces: first.pieces.map((piece, at) => ({ ...piece, exit: at })) };

/** Returns notes as `kind shard: message`. None of them is a problem. */
function notesOf(...receipts: readonly Receipt[]): readonly string[] {
  const found = receipts.map((receipt, at): FoundReceipt => ({ file: `${at}/x.json`, receipt }));
  const { passed, notes } = judge(plan, found, { ofPlan: 2, ofRun: 9 });
  expect(passed).toBe(true);
  return notes.map(({ kind, shard, message }) => `${kind} ${shard}: ${message}`);
}

const again = (receipt: Receipt, more: Partial<Receipt> = {}): Receipt => ({ ...receipt, attempt: 2, ...more });

test('a run of which nothing is to be said has no note', () => expect(notesOf(again(first), again(second))).toEqual([]));

test('a work tree that differs, or of which git cannot tell, is named', () => {
  expect(notesOf(again(first, { workTree: 'dirty' }), again(second, { workTree: 'unknown' }))).toEqual([
    'dirty 01: Shard 01 ran on tracked files that differ from those of the commit.',
    'dirty 02: Shard 02: git could not determine whether the tracked files match the commit.',
  ]);
});

describe('two shards in one checkout', () => {
  const here = (receipt: Receipt, startedAt: number, endedAt: number): Receipt => again(receipt, { checkout: 'here', startedAt, endedAt });

  test('at the same time are named', () => {
    const told = (one: string, other: string): string =>
      `shared ${one}: Shard ${one} ran in one checkout at the same time as ${other}: each may have changed files of the other.`;
    expect(notesOf(here(first, 0, 10), here(second, 9, 20))).toEqual([told('01', '02'), told('02', '01')]);
  });

  test('one after the other are fine', () => expect(notesOf(here(first, 0, 10), here(second, 10, 20))).toEqual([]));
  test('of their own are fine', () => {
    expect(notesOf(again(first, { startedAt: 0, endedAt: 9 }), again(second, { startedAt: 0, endedAt: 9 }))).toEqual([]);
  });
});

test('tests that failed without failing their task are named', () => {
  const pieces = first.pieces.map((piece, at) => ({ ...piece, unheeded: at + 1 }));
  expect(notesOf(again(first, { pieces }), again(second))).toEqual([
    'unheeded 01: ui passed although 1 test failed: its script ignores the result of its runner.',
    'unheeded 01: app (1 of 2) passed although 2 tests failed: its script ignores the result of its runner.',
  ]);
});

test('tests that passed only on another try of their runner are named, the first ones', () => {
  const test = (name: string, file: string | null): TestFailure => ({ file, line: file === null ? null : 7, test: name, message: 'once' });
  const many = Array.from({ length: 20 }, (_, at) => test(`t${at}`, null));
  const pieces = first.pieces.map((piece, at) => ({ ...piece, retried: at === 0 ? [test('adds', 'packages/ui/a.test.ts')] : many }));
  expect(notesOf(again(first, { pieces }), again(second))).toEqual([
    'retried 01: ui is flaky: 1 test passed only when retried: adds (packages/ui/a.test.ts:7).',
    'retried 01: app (1 of 2) is flaky: 20 tests passed only when retried: t0, t1, t2, and 17 or more others.',
  ]);
});

test('what passed without a test is named, once for each shard', () => {
  const pieces = first.pieces.map((piece) => ({ ...piece, tests: 0 }));
  expect(notesOf(again(first, { pieces }), again(second))).toEqual([
    'untested 01: Shard 01: no test ran in ui, app (1 of 2), and that passed.',
  ]);
});

describe('tests that failed before', () => {
  const told = ['flaky 01: app (1 of 2) is flaky: it failed in attempt 1 and passed in attempt 2, on the same commit.'];

  test('on the same commit are flaky', () => expect(notesOf(failed, again(first), again(second))).toEqual(told));

  test('are named, from the receipt of that attempt or from what the new one has of it', () => {
    const failures: readonly TestFailure[] = [{ file: 'packages/app/a.test.ts', line: 7, test: 'adds', message: 'no' }];
    const named = [`${told[0]} Failed then: adds (packages/app/a.test.ts:7).`];
    const then = { ...failed, pieces: failed.pieces.map((piece) => ({ ...piece, failures })) };
    expect(notesOf(then, again(first), again(second))).toEqual(named);
    const replaced = again(first, {
      pieces: first.pieces.map((piece, at) => (at === 0 ? piece : { ...piece, failedBefore: 1, failures })),
    });
    expect(notesOf(replaced, again(second))).toEqual(named);
  });

  test('are so for another plan where the hash of turborepo is the same', () => {
    expect(notesOf({ ...failed, plan: 'x' }, again(first), again(second))).toEqual(told);
    const other = failed.pieces.map((piece) => ({ ...piece, taskHash: 'x' }));
    expect(notesOf({ ...failed, plan: 'x', pieces: other }, again(first), again(second))).toEqual([]);
  });

  test.each<[title: string, more: Partial<Receipt>]>([
    ['on another commit', { commit: 'b'.repeat(40) }],
    ['on other files', { workTree: 'dirty' }],
  ])('%s are not', (_, more) => expect(notesOf({ ...failed, ...more }, again(first), again(second))).toEqual([]));

  test('and fail again are not flaky, but failed', () => {
    const found = [failed, again(failed), again(second)].map((receipt) => ({ file: 'x.json', receipt }));
    expect(judge(plan, found, { ofPlan: 1 })).toMatchObject({ passed: false, notes: [] });
  });
});
