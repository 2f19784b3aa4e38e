import { describe, expect, test } from '@jest/globals';
import { type FoundReceipt, judge } from '../gate/judge.js';
import { planOfPieces, receiptFor, receiptsFor } from '../gate/proof.fixture.js';
import type { Plan } from '../plan/plan.js';
import type { Receipt } from '../receipt/receipt.js';
import { gateSummary } from './gate-summary.js';
import { realised } from './shard-times.js';

const plan = planOfPieces([['ui', 'app'], ['web']]);
const [first, second] = receiptsFor(plan) as [Receipt, Receipt];

function summaryOf(one: Plan, receipts: readonly Receipt[]): string {
  return gateSummary(one, judge(one, found(receipts), { ofPlan: 1 }));
}

function found(receipts: readonly Receipt[]): readonly FoundReceipt[] {
  return receipts.map((receipt) => ({ file: `${receipt.shard}.json`, receipt }));
}

function lasting(receipt: Receipt, seconds: number): Receipt {
  return { ...receipt, pieces: receipt.pieces.map((piece) => ({ ...piece, startedAt: 0, endedAt: seconds * 1000 })) };
}

test('a run that passed: predicted beside realised', () => {
  expect(summaryOf(plan, [lasting(first, 90), lasting(second, 30)]).split('\n')).toEqual([
    '## All planned tests ran and passed',
    '',
    '3 pieces in 2 shards.',
    '',
    '| shard | predicted | took | from a cache |',
    '| --- | --- | --- | --- |',
    '| 01 | 20 s | 1 min 30 s |  |',
    '| 02 | 10 s | 30 s |  |',
    '',
    'The slowest took 1.50 times the mean. About 14 min 40 s of machine time saved against testing everything.',
    '',
    '<details><summary>The pieces of each shard</summary>',
    '',
    '| shard | pieces |',
    '| --- | --- |',
    '| 01 | `ui`, `app` |',
    '| 02 | `web` |',
    '',
    '</details>',
    '',
  ]);
});

test('no saving is claimed of a run that is not proven, or against guesses', () => {
  expect(summaryOf(plan, [first])).not.toContain('saved');
  expect(summaryOf({ ...plan, everythingSeconds: null }, [first, second])).not.toContain('saved');
});

test('what came out of a cache took no time, and is counted', () => {
  const cached = { ...first, pieces: first.pieces.map((piece) => ({ ...piece, state: 'replayed' as const })) };
  expect(summaryOf(plan, [cached, second])).toContain('| 01 | 20 s | 0 s | 2 pieces |');
});

test('a run that is not proven: a sentence for each problem', () => {
  const text = summaryOf(plan, [second]);
  expect(text).toMatch(/^## Not proven: 1 problem\n\n\| what is wrong \|\n\| --- \|\n\| `Shard 01 has no receipt: /);
  expect(text).toContain('| 01 | 20 s | no receipt |  |');
});

test('a plan of nothing', () => {
  expect(summaryOf(planOfPieces([]), [])).toBe('## All planned tests ran and passed\n\nNothing had to run.\n');
  expect(summaryOf(planOfPieces([]), [first])).toMatch(/^## Not proven: 1 problem\n/);
});

test('who was left out is named with the reason, and what is to be known', () => {
  const lost = [{ workspace: 'old', reason: 'It has no script "test".', agreed: 'it is frozen' }];
  const leftOut = [{ workspace: 'docs', reason: 'It has no script "test".' }];
  const one = planOfPieces([['ui']], { leftOut, atBase: { unknown: null, workspaces: 2, lost } });
  const text = summaryOf(
    one,
    receiptsFor(one).map((receipt) => ({ ...receipt, workTree: 'dirty' })),
  );
  expect(text).toContain('| note |\n| --- |\n| `Shard 01 ran on tracked files that differ from those of the commit.` |');
  expect(text.split('\n').slice(-7)).toEqual([
    '2 workspaces left out:',
    '',
    '| left out | why |',
    '| --- | --- |',
    '| `docs` | `It has no script "test".` |',
    '| `old` | `It has no script "test". Dropped: it is frozen` |',
    '',
  ]);
  expect(summaryOf(planOfPieces([], { atBase: { unknown: 'No base.', workspaces: 0, lost: [] } }), [])).toContain(
    '`Unknown which workspaces had the task before: No base.`',
  );
});

describe('what a shard took', () => {
  test('is from the beginning of the first task, builds included, to the end of the last one', () => {
    const builds = [{ task: 'ui#build', startedAt: 5000, endedAt: 6000, cpuSeconds: null }];
    const pieces = first.pieces.map((piece, at) => ({ ...piece, startedAt: 6000 + at, endedAt: 8000 + at }));
    expect(realised({ ...first, builds, pieces })).toBe(3.001);
  });

  test('is nothing, if nothing was run', () => expect(realised({ ...first, pieces: [], builds: [] })).toBe(0));

  test('can be told of very many tasks', () => {
    const builds = Array.from({ length: 300_000 }, (_, at) => ({ task: 'a#build', startedAt: at, endedAt: at + 1, cpuSeconds: null }));
    expect(realised({ ...first, pieces: [], builds })).toBe(300);
  });
});

test.each([['x'], ['`'], ['💥'], ['|']])(
  'it stays below what engines take, with 5,000 shards and problems with long names of %s',
  (sign) => {
    const names = Array.from({ length: 5000 }, (_, at) => `w${at}`);
    const one = planOfPieces(names.map((name) => [name]));
    const receipts = one.shards.map((shard) => receiptFor(one, shard));
    const bad = receipts.map((receipt) => ({
      ...receipt,
      pieces: receipt.pieces.map((piece) => ({ ...piece, workspace: sign.repeat(600) })),
    }));
    for (const given of [receipts, bad, []]) {
      const text = summaryOf(one, given);
      expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
      expect(text).toMatch(/^and \d+ more\.$|^\| 5000 \|/m);
    }
  },
);
