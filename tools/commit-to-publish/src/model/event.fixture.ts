import fc from 'fast-check';
import type { Event, Micros } from './event.js';
import { STAGES } from './stage.js';

const MOMENT = fc.integer({ min: 0, max: 30 }).map((value) => value as Micros);

/** Random events of one change: in any order, repeated, and at times that no sane pipeline would give. */
export const ANY_EVENTS: fc.Arbitrary<readonly Event[]> = fc
  .array(
    fc.record({
      stage: fc.constantFrom(...STAGES),
      times: fc.tuple(MOMENT, MOMENT).map(([a, b]) => [Math.min(a, b) as Micros, Math.max(a, b) as Micros] as const),
      consumer: fc.constantFrom(undefined, undefined, 'app'),
      outcome: fc.constantFrom('success' as const, 'success' as const, 'failure' as const, 'unmeasured' as const),
      channel: fc.constantFrom('latest', 'next', undefined),
    }),
    { maxLength: 25 },
  )
  .map((rows) =>
    rows.map(({ stage, times: [startedAt, endedAt], consumer, outcome, channel }, at) => ({
      schemaVersion: 1 as const,
      id: `e${at}`,
      change: '#1',
      repo: 'acme/ui',
      package: '@acme/ui',
      stage,
      attempt: at + 1,
      startedAt,
      endedAt,
      outcome: outcome === 'unmeasured' && stage !== 'publish' ? ('skipped' as const) : outcome,
      actor: 'person' as const,
      source: 'ci' as const,
      confidence: 'exact' as const,
      recordedAt: endedAt,
      ...(consumer === undefined ? {} : { consumer }),
      ...(channel === undefined ? {} : { channel }),
      ...(stage === 'publish' && at % 4 > 0 ? { release: `v${(at * 7) % 5}` } : {}),
    })),
  );

const MONDAY = Date.UTC(2026, 0, 5) * 1000;

/** Returns an event of a separate change. All are in the same week. */
export function eventNumber(at: number): Event {
  const startedAt = (MONDAY + at * 1e6) as Micros;
  const endedAt = (startedAt + 60e6) as Micros;
  return {
    schemaVersion: 1,
    id: `e${at}`,
    change: `#${at}`,
    repo: 'acme/ui',
    package: '@acme/ui',
    stage: 'publish',
    attempt: 1,
    startedAt,
    endedAt,
    outcome: 'success',
    actor: 'person',
    source: 'ci',
    confidence: 'exact',
    recordedAt: endedAt,
  };
}
