import type { Instant } from '@tributary/model/time';
import type { Event } from '../model/event.js';

/** One attempt at the tests of a change, with all its jobs. */
export interface TestTimes {
  readonly attempt: number;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
  readonly outcome: Event['outcome'];
  readonly confidence: Event['confidence'];
}

/** One job or check of an attempt. */
export interface TestJob extends Omit<TestTimes, 'endedAt'> {
  /** `undefined`: it is under way. */
  readonly endedAt: Instant | undefined;
}

/** Returns the attempts in order. Each lasts from the first start to the last end, and fails if one of its jobs fails. */
export function attemptsOf(runs: readonly TestJob[]): readonly TestTimes[] {
  const attempts = [...new Set(runs.map(({ attempt }) => attempt))].sort((a, b) => a - b);
  return attempts.map((attempt) => {
    const own = runs.filter((run) => run.attempt === attempt);
    return {
      attempt,
      startedAt: Math.min(...own.map(({ startedAt }) => startedAt)) as Instant,
      endedAt: Math.max(...own.map(({ startedAt, endedAt }) => endedAt ?? startedAt)) as Instant,
      outcome: outcomeOf(own.map(({ outcome }) => outcome)),
      confidence: own.some(({ confidence }) => confidence === 'derived') ? 'derived' : 'exact',
    };
  });
}

function outcomeOf(outcomes: readonly Event['outcome'][]): Event['outcome'] {
  if (outcomes.includes('failure')) return 'failure';
  if (outcomes.includes('cancelled')) return 'cancelled';
  return outcomes.includes('success') ? 'success' : 'skipped';
}
