// Why a change measures nothing, as `explain` says it.
import { expect, test } from '@jest/globals';
import { attemptOf } from '../collect/events.js';
import { eventNumber } from '../model/event.fixture.js';
import type { Event, Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import { renderChange } from './change.js';

const MERGED = 1_600_000_000e6 as Micros;
const HOUR = 3600e6;

/** What is said of a change with these publications. */
function explain(...publications: readonly Partial<Event>[]): string {
  const events = publications.map(
    (own): Event => ({
      ...eventNumber(1),
      package: 'core',
      stage: 'publish',
      outcome: 'unmeasured',
      source: 'git',
      channel: 'latest',
      ...own,
    }),
  );
  const lead = { channels: new Set(['latest']), ready: 'merged', until: 'published', changes: 'all' } as unknown as LeadTimeQuestion;
  const target = {
    package: 'core',
    consumer: undefined,
    leadTime: 'not measured',
    soFar: undefined,
    mergedAt: MERGED,
    events,
    evidence: [],
    publishedElsewhere: [],
  } as const;
  const shown = renderChange(
    { lead, repo: 'acme/mono', change: 'c1', targets: [target] },
    { width: 100, signs: 'ascii', bold: (text) => text },
  );
  return shown.split('\n').at(-1) ?? '';
}

const later = (MERGED + 2 * HOUR) as Micros;

test('a first publication, a revert, a package that left, and a time before the merge are told apart', () => {
  const merged = '; merged 2020-09-13 12:26 (UTC)';
  const early = 'a release branch had it, it has two tags, or a clock was wrong, which measures nothing';
  expect(explain({ release: '1.0.0', endedAt: later })).toBe(
    `core: in a first publication, one with two tags, one of a release branch, or at a wrong time, which measures nothing${merged}`,
  );
  expect(explain({ endedAt: later })).toBe(
    `core: reverted 2020-09-13 14:26 (UTC) before a release, or the revert itself: nothing of it came out there${merged}`,
  );
  expect(explain({ endedAt: later, attempt: attemptOf('latest', 0, 'acme/ui') })).toBe(
    `core: its package left the repository, or became private, 2020-09-13 14:26 (UTC) without a release of it, which measures nothing${merged}`,
  );
  for (const endedAt of [MERGED - 2 * HOUR, MERGED - 1e6] as Micros[])
    expect(explain({ release: '1.0.0', endedAt })).toBe(`core: in 1.0.0, published before the merge: ${early}${merged}`);
});

test('what CI said without a version, and what does not count, are no departure', () => {
  expect(explain({ source: 'ci', endedAt: later })).toContain('in a first publication');
  expect(explain({ channel: 'next', endedAt: later }, { release: '1.0.0', endedAt: later })).toContain('in a first publication');
});
