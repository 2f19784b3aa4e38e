import { describe, expect, test } from '@jest/globals';
import { HEAD, planOfPieces, receiptFor } from '../gate/proof.fixture.js';
import type { Plan } from '../plan/plan.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { outcomesOf } from './outcomes.js';

function fullPlan(shards: readonly (readonly string[])[], workspaceCount = 2): Plan {
  const { affected } = planOfPieces([['app', 'lib']]);
  return planOfPieces(shards, { affected: { ...affected, workspaceCount } });
}

/** A receipt of the first shard, begun at a time of its own. */
function run(plan: Plan, startedAt: number, more: Partial<ReceiptPiece> = {}, part = 0): Receipt {
  const [shard] = plan.shards;
  if (shard === undefined) throw new Error('no shard');
  const receipt = receiptFor(plan, shard);
  return { ...receipt, startedAt, pieces: receipt.pieces.map((one, at) => (at === part ? { ...one, ...more } : one)) };
}

function byFile(plan: Plan): Plan {
  const spared = { files: ['a.test.js'], of: 2, reason: 'It used nothing that changed.' };
  return { ...plan, shards: plan.shards.map((shard) => ({ ...shard, pieces: shard.pieces.map((one) => ({ ...one, spared })) })) };
}

const found = (...receipts: readonly Receipt[]) => receipts.map((receipt, at) => ({ file: `${at}.json`, receipt }));
const FAILS = { exit: 1 };

describe('the outcome of tests', () => {
  const plan = fullPlan([['app', 'lib']]);

  test.each<[how: string, receipts: readonly Receipt[], outcome: object]>([
    ['passed', [run(plan, 1)], { passed: ['app', 'lib'] }],
    ['failed once', [run(plan, 1, FAILS)], { once: ['app'], passed: ['lib'] }],
    ['failed twice', [run(plan, 1, FAILS), run(plan, 2, FAILS)], { failed: ['app'] }],
    ['failed, and passed when it was repeated', [run(plan, 1, FAILS), run(plan, 2)], { flaky: ['app'] }],
    ['failed in a receipt and in a copy of it', [run(plan, 1, FAILS), run(plan, 1, FAILS)], { once: ['app'] }],
    ['proved nothing twice', [run(plan, 1, { problem: 'No report.' }), run(plan, 2, { problem: 'No report.' })], { failed: ['app'] }],
    [
      'did not begin twice',
      [
        { ...run(plan, 1), pieces: [] },
        { ...run(plan, 2), pieces: [] },
      ],
      { failed: ['app', 'lib'], passed: [] },
    ],
    [
      'passed in a run, and out of a cache in its repetition',
      [run(plan, 1), run(plan, 2, { state: 'replayed' })],
      { passed: ['app', 'lib'] },
    ],
    ['failed for another plan too', [run(plan, 1, FAILS), { ...run(plan, 2, FAILS), plan: 'other' }], { once: ['app'] }],
    ['failed for another commit too', [run(plan, 1, FAILS), { ...run(plan, 2, FAILS), commit: 'b'.repeat(40) }], { once: ['app'] }],
  ])('%s', (_, receipts, outcome) => {
    expect(outcomesOf(plan, found(...receipts))).toMatchObject(outcome);
  });

  test('of a suite is that of its worst part', () => {
    const parts = fullPlan([['app 1/2', 'app 2/2', 'lib']]);
    expect(outcomesOf(parts, found(run(parts, 1, FAILS, 1), run(parts, 2, FAILS, 1)))).toMatchObject({ failed: ['app'], passed: ['lib'] });
    // Each part failed in another run: nobody knows.
    expect(outcomesOf(parts, found(run(parts, 1, FAILS, 0), run(parts, 2, FAILS, 1)))).toMatchObject({ flaky: ['app'] });
  });
});

describe('a run is not full', () => {
  const plan = fullPlan([['app', 'lib']]);

  test.each<[why: string, plan: Plan, receipts: readonly Receipt[], problem: string]>([
    ['if a workspace was not planned', fullPlan([['app', 'lib']], 3), [], '1 of 3 workspaces were not planned'],
    ['if nothing was planned', fullPlan([]), [], 'nothing was planned'],
    ['if test files were left out', byFile(plan), [], 'a run of app without 1 of its test files was planned'],
    ['without the receipt of a shard', plan, [], 'shard 01 has no receipt'],
    ['with the receipt of another plan', plan, [{ ...run(plan, 1), plan: 'other' }], 'shard 01 has no receipt'],
    ['with a result out of a cache', plan, [run(plan, 1, { state: 'replayed' })], 'the result of app came out of a cache'],
    ['with a checkout that was changed', plan, [{ ...run(plan, 1), workTree: 'dirty' }], 'the checkout of 0.json was not clean'],
  ])('%s', (_, some, receipts, problem) => {
    expect(() => outcomesOf(some, found(...receipts))).toThrow(problem);
  });

  test('with a receipt that cannot be read, or a plan without a commit', () => {
    expect(() => outcomesOf(plan, [{ file: 'x.json', problem: 'it is cut off' }])).toThrow('x.json is not a receipt: it is cut off');
    const { affected } = plan;
    const without = planOfPieces([['app', 'lib']], { affected: { ...affected, head: null } });
    expect(() => outcomesOf(without, [])).toThrow('its plan names no commit');
    expect(HEAD).toBe(affected.head);
  });
});
