import { expect, test } from '@jest/globals';
import type { Plan } from '../plan/plan.js';
import type { Receipt } from '../receipt/receipt.js';
import { describeProof, type GateCommit, withCommit } from './commit.js';
import { judge, type Verdict } from './judge.js';
import { affectedOf, HEAD, planOfPieces, receiptFor } from './proof.fixture.js';

const OTHER = 'b'.repeat(40);

function verdictOf(plan: Plan, commit: GateCommit, more: Partial<Receipt> = {}): Verdict {
  const found = plan.shards.map((shard) => ({ file: `${shard.id}/x.json`, receipt: { ...receiptFor(plan, shard), ...more } }));
  return withCommit(judge(plan, found, { ofPlan: 1 }), plan, commit);
}

const COMMITTED = planOfPieces([['ui'], ['web']]);
const UNKNOWN = planOfPieces([['ui'], ['web']], { affected: { ...affectedOf(['ui', 'web']), head: null } });
const EMPTY = planOfPieces([]);

test.each<[title: string, plan: Plan, commit: GateCommit, messages: readonly string[]]>([
  ['its own commit', COMMITTED, { id: HEAD, from: 'checkout' }, []],
  ['the commit of its receipts', UNKNOWN, { id: HEAD, from: 'option' }, []],
  [
    'another checkout',
    COMMITTED,
    { id: OTHER, from: 'checkout' },
    ['The plan is for commit aaaaaaaaaaaa, but bbbbbbbbbbbb is checked out.'],
  ],
  ['nothing to run', EMPTY, { id: OTHER, from: 'option' }, ['The plan is for commit aaaaaaaaaaaa, but bbbbbbbbbbbb is named by --commit.']],
  [
    'receipts of another commit',
    UNKNOWN,
    { id: OTHER, from: 'checkout' },
    ['01', '02'].map((id) => `Shard ${id} ran for commit aaaaaaaaaaaa, but bbbbbbbbbbbb is checked out.`),
  ],
  ['no commit', COMMITTED, { unknown: 'Nobody tells.' }, ['Nobody tells.']],
])('a gate for %s', (_, plan, commit, messages) => {
  const { passed, problems } = verdictOf(plan, commit);
  expect([passed, problems.map(({ message }) => message)]).toEqual([messages.length === 0, messages]);
});

test('a gate does not pass for its commit alone', () => {
  expect(verdictOf(COMMITTED, { id: HEAD, from: 'checkout' }, { plan: 'x' })).toMatchObject({ passed: false, commit: HEAD });
});

test('what was proven has a commit and a version of Node, as far as they are known', () => {
  expect(describeProof(verdictOf(COMMITTED, { id: HEAD, from: 'checkout' }, { runtime: 'linux-x64-node22' }))).toEqual([
    'Tested: commit aaaaaaaaaaaa, Node 22.',
  ]);
  expect(describeProof(verdictOf(EMPTY, { unknown: 'Nobody tells.' }))).toEqual([]);
});
