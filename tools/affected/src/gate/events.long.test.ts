import { expect, test } from '@jest/globals';
import type { Instant } from '@tributary/model/time';
import { compileSchema } from '@tributary/test-repo/schemas';
import type { Plan } from '../plan/plan.js';
import type { Receipt } from '../receipt/receipt.js';
import type { AffectedReason } from '../result.js';
import { testEventsOf } from './events.js';
import { judge } from './judge.js';
import { affectedOf, HEAD, planOfPieces, receiptsFor } from './proof.fixture.js';

const BEGIN = Date.UTC(2026, 0, 5);
const scene = { repo: 'acme/app', stage: 'post-merge-tests', now: (BEGIN + 60_000) as Instant } as const;
const file: AffectedReason = { kind: 'file', file: 'packages/ui/a.ts', others: 0 };
const through: AffectedReason = { kind: 'dependency', path: ['app', 'ui'], because: file };

/** Returns a plan in which `ui` is changed, and `app` depends on it. */
function planned(all: Plan['affected']['all'] = null): Plan {
  const affected = affectedOf(['ui', 'app']);
  const reasons = [[file], [through]];
  const workspaces = affected.workspaces.map((one, at) => ({ ...one, reasons: reasons[at] ?? [] }));
  return planOfPieces([['ui'], ['app']], { affected: { ...affected, all, workspaces } });
}

/** Returns receipts of shards that ran one after the other, each for five seconds. */
function ranOf(plan: Plan, change: Partial<Receipt['pieces'][number]> = {}): readonly Receipt[] {
  return receiptsFor(plan).map((receipt, at) => {
    const times = { startedAt: BEGIN + at * 5000, endedAt: BEGIN + (at + 1) * 5000 };
    return { ...receipt, attempt: at + 1, pieces: receipt.pieces.map((piece) => ({ ...piece, ...times, ...change })) };
  });
}

function eventsOf(plan: Plan, receipts: readonly Receipt[]): ReturnType<typeof testEventsOf> {
  const found = receipts.map((receipt) => ({ file: `${receipt.shard}.json`, receipt }));
  return testEventsOf(plan, judge(plan, found, { ofPlan: 1 }), scene);
}

test('one for each package that the change is in, from the first test to the end of the last, as commit-to-publish describes it', () => {
  const plan = planned();
  const events = eventsOf(plan, ranOf(plan));
  expect(events).toEqual([
    {
      schemaVersion: 1,
      id: `gate-${plan.hash}-2-post-merge-tests-ui`,
      change: HEAD,
      repo: 'acme/app',
      package: 'ui',
      stage: 'post-merge-tests',
      attempt: 2,
      startedAt: BEGIN * 1000,
      endedAt: (BEGIN + 10_000) * 1000,
      recordedAt: (BEGIN + 60_000) * 1000,
      outcome: 'success',
      actor: 'person',
      source: 'ci',
      confidence: 'exact',
    },
  ]);
  const isEvent = compileSchema('commit-to-publish', 'event');
  expect([isEvent(events[0]), isEvent({ ...events[0], stage: 'tests' })]).toEqual([true, false]);
});

test('what was not proven is a failure', () => {
  const plan = planned();
  expect(eventsOf(plan, ranOf(plan, { exit: 1 }))).toMatchObject([{ outcome: 'failure' }]);
  expect(eventsOf(plan, ranOf(plan).slice(0, 1))).toMatchObject([{ outcome: 'failure', endedAt: (BEGIN + 5000) * 1000 }]);
});

test('where the plan does not know what changed, all that were to be tested', () => {
  const plan = planned({ code: 'BASE_UNKNOWN', reason: 'There is no base.' } as NonNullable<Plan['affected']['all']>);
  expect(eventsOf(plan, ranOf(plan)).map((event) => event.package)).toEqual(['ui', 'app']);
});

test('none where nothing ran', () => {
  expect(eventsOf(planned(), [])).toEqual([]);
  const nothing = planOfPieces([]);
  expect(eventsOf(nothing, receiptsFor(nothing))).toEqual([]);
});
