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

test.each([60, 80])('a row of %i columns names as many as there is room for, and the number of the others', (width) => {
  const lines = describePlan(plan, { width, shard: undefined }).split('\n');
  const row = lines.find((line) => line.startsWith('02 ')) ?? '';
  expect(row).toMatch(
    width === 60 ? / {2}@acme\/a-long-name-1-0 and 4 more$/ : / {2}@acme\/a-long-name-1-0, @acme\/a-long-name-1-1 and 3 more$/,
  );
});

test('a name that is too long for a row is cut, and the number of the others stays', () => {
  const long = planOfPieces([[`@acme/${'x'.repeat(100)}-end`, 'b']]);
  const row = describePlan(long, { width: 80, shard: undefined }).split('\n').at(-1) ?? '';
  expect([row.length, row]).toEqual([80, expect.stringMatching(/^01 .*@acme\/x+…x+-end and 1 more$/)]);
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
