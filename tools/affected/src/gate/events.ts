import type { Instant } from '@tributary/model/time';
import type { Plan } from '../plan/plan.js';
import { tasksOf } from '../plan/plans-by-task.js';
import type { AffectedWorkspace } from '../result.js';
import type { Verdict } from './judge.js';

/**
 * Event v1 of commit-to-publish, as far as a gate fills it. Schema: `event` of commit-to-publish. Times in
 * microseconds since 1970.
 */
export interface TestEvent {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly change: string;
  readonly repo: string;
  readonly package: string;
  readonly stage: TestStage;
  readonly attempt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: 'success' | 'failure';
  readonly actor: 'person';
  readonly source: 'ci';
  readonly confidence: 'exact';
  readonly recordedAt: number;
}

export const TEST_STAGES = ['pr-tests', 'post-merge-tests'] as const;
export type TestStage = (typeof TEST_STAGES)[number];

export interface TestEventScene {
  /** The name of the repository in the record. */
  readonly repo: string;
  readonly stage: TestStage;
  readonly now: Instant;
}

/**
 * Returns the tests of a change as events, one for each package of the change: from the start of the first test to the end of the last,
 * because only then the gate opens. None if nothing ran. The author is unknown here; other records of the change identify bots.
 */
export function testEventsOf(plan: Plan, { passed, receipts }: Verdict, { repo, stage, now }: TestEventScene): readonly TestEvent[] {
  const all = [...receipts.values()];
  const pieces = all.flatMap((receipt) => receipt.pieces);
  const [first] = all;
  if (first === undefined || pieces.length === 0) return [];
  const attempt = Math.max(...all.map((receipt) => receipt.attempt));
  const times = {
    startedAt: micros(Math.min(...pieces.map(({ startedAt }) => startedAt))),
    endedAt: micros(Math.max(...pieces.map(({ endedAt }) => endedAt))),
    recordedAt: micros(now),
  };
  return packagesOf(plan).map((name) => ({
    schemaVersion: 1,
    id: `gate-${first.plan}-${attempt}-${stage}-${name}`,
    change: first.commit,
    repo,
    package: name,
    stage,
    attempt,
    ...times,
    outcome: passed ? 'success' : 'failure',
    actor: 'person',
    source: 'ci',
    confidence: 'exact',
  }));
}

/** Returns the workspaces with a changed file of their own; all that were to be tested if the plan does not tell. */
function packagesOf(plan: Plan): readonly string[] {
  const changed = tasksOf(plan).flatMap(({ affected }) =>
    affected.all === null ? affected.workspaces.filter(isChanged) : affected.workspaces,
  );
  return [...new Set(changed.map(({ name }) => name))];
}

function isChanged({ reasons }: AffectedWorkspace): boolean {
  return reasons.some(({ kind }) => kind === 'file');
}

function micros(ms: number): number {
  return Math.round(ms * 1000);
}
