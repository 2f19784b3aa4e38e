import { expect, test } from '@jest/globals';
import { planOfPieces } from '../gate/proof.fixture.js';
import { describePlan } from './describe-plan.js';

const plan = planOfPieces(
  Array.from({ length: 2 }, (_, shard) => Array.from({ length: 5 }, (_, at) => `@acme/a-long-name-${shard}-${at}`)),
);

test('a plan has one row for each shard, of at most 100 columns, with its first workspaces', () => {
  const lines = describePlan(plan, { width: 200, shard: undefined }).split('\n');
  const rows = lines.filter((line) => /^0\d /.test(line));
  expect(rows).toHaveLength(2);
  expect(rows[0]).toContain('@acme/a-long-name-0-2 and 2 more');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
});

test('one shard is listed in full', () => {
  const lines = describePlan(plan, { width: 80, shard: '02' }).split('\n');
  expect(lines.filter((line) => line.includes('a-long-name-1-4'))).toHaveLength(1);
  expect(() => describePlan(plan, { width: 80, shard: '7' })).toThrow('Not a shard of the plan: "7".');
});

test('why everything is affected stands alone, before the size', () => {
  const all = { code: 'RULE', reason: 'turbo.json changed.', subject: 'turbo.json' } as const;
  const lines = describePlan({ ...plan, affected: { ...plan.affected, all } }, { width: 80, shard: undefined }).split('\n');
  expect(lines.find((line) => line.startsWith('All '))).toMatch(/turbo\.json changed\. \[RULE\]$/);
  expect(lines).toContainEqual(expect.stringMatching(/^2 shards, about .* with set-up\.$/));
});
