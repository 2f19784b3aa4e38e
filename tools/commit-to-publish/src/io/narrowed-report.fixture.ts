import fc from 'fast-check';
import type { Event, Micros } from '../model/event.js';
import { type ReportQuestion, startOfWeek, WEEK } from '../report/question.js';

/** All times are near 1970: a chart from the first event on reads every event. */
export const FIRST_WEEK = 1;
const WEEKS = 44;
const HOUR = 3600e6;

/** Deliveries of events, in order. After some of them the record is compacted. */
export interface Story {
  readonly deliveries: readonly { readonly events: readonly Event[]; readonly after: 'compact' | 'wait' }[];
}

interface Drawn {
  readonly package: string;
  readonly repo: string;
  readonly merged: number;
  readonly approved: number;
  readonly wait: number;
  readonly fate: 'published' | 'waits' | 'unmeasured' | 'beta' | 'retracted' | 'corrected' | 'consumed' | 'unpublished' | 'twice';
  readonly team: 'red' | 'blue' | undefined;
  readonly actor: 'person' | 'bot';
  readonly deliveries: readonly number[];
}

const DELIVERIES = 4;
/** In hours. Most changes are published within days, some wait for most of the history. */
const WAIT = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 300 }) },
  { weight: 1, arbitrary: fc.integer({ min: 300, max: WEEKS * 168 }) },
);

const DRAWN: fc.Arbitrary<Drawn> = fc.record({
  package: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('ui', 'core') },
    { weight: 1, arbitrary: fc.constantFrom('rare', 'rarer', 'rarest') },
  ),
  repo: fc.constantFrom('acme/mono', 'acme/other'),
  merged: fc.integer({ min: 0, max: WEEKS * 168 }),
  approved: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 3000 })),
  wait: WAIT,
  fate: fc.constantFrom<Drawn['fate']>(
    'published',
    'published',
    'published',
    'waits',
    'unmeasured',
    'beta',
    'retracted',
    'corrected',
    'consumed',
    'unpublished',
    'twice',
  ),
  team: fc.constantFrom('red', 'blue', undefined),
  actor: fc.constantFrom('person', 'person', 'bot'),
  // The delivery of each of its events: late ones come after a compaction.
  deliveries: fc.array(fc.integer({ min: 0, max: DELIVERIES - 1 }), { minLength: 7, maxLength: 7 }),
});

/**
 * Random records: late events, corrections that move to another week, retractions, redeliveries, packages with one publication, and changes
 * that wait for most of the history.
 */
export const STORIES: fc.Arbitrary<Story> = fc
  .tuple(fc.array(DRAWN, { minLength: 40, maxLength: 90 }), fc.array(fc.boolean(), { minLength: DELIVERIES, maxLength: DELIVERIES }))
  .map(([drawn, compacts]) => {
    const all = drawn.flatMap((change, at) => eventsOf(change, at));
    return {
      deliveries: compacts.map((does, number) => ({
        // The first delivery is always compacted into a history, so that a report can leave something out.
        after: does || number === 0 ? ('compact' as const) : ('wait' as const),
        events: all
          .filter(({ delivery }) => delivery === number || (delivery + 2 === number && number % 2 === 1))
          .map(({ event }) => event),
      })),
    };
  });

/**
 * Returns the events of a change. Every fifth change shares its id with the one before: some changes are of two packages, some packages
 * have two changes at once.
 */
function eventsOf({ fate, deliveries, ...drawn }: Drawn, at: number): readonly { readonly event: Event; readonly delivery: number }[] {
  const start = startOfWeek(FIRST_WEEK);
  const merged = start + drawn.merged * HOUR;
  const out = merged + drawn.wait * HOUR;
  const base = {
    schemaVersion: 1 as const,
    repo: drawn.repo,
    package: `@acme/${drawn.package}`,
    change: `c${at % 5 === 0 ? Math.max(0, at - 1) : at}`,
    attempt: at + 1,
    actor: drawn.actor,
    outcome: 'success' as const,
    source: 'ci' as const,
    confidence: 'exact' as const,
    ...(drawn.team === undefined ? {} : { team: drawn.team }),
  };
  const made = (stage: Event['stage'], from: number, to: number, more: Partial<Event> = {}): Event => ({
    ...base,
    id: `${at} ${stage} ${more.revision ?? 0} ${more.consumer ?? ''} ${more.release ?? ''}`,
    stage,
    startedAt: Math.max(start, from) as Micros,
    endedAt: to as Micros,
    recordedAt: to as Micros,
    ...more,
  });
  const publish = made('publish', out - HOUR, out, {
    channel: fate === 'beta' ? 'beta' : 'latest',
    release: `v${Math.floor(out / (60 * HOUR))}`,
  });
  const events = [
    made('merge-wait', merged - drawn.approved * HOUR, merged, fate === 'unpublished' ? { files: 'unpublished' } : {}),
    ...(fate === 'waits' ? [] : [fate === 'unmeasured' ? { ...publish, outcome: 'unmeasured' as const } : publish]),
    ...(at % 3 === 0 ? [made('post-merge-tests', merged, merged + HOUR)] : []),
    ...(fate === 'retracted' ? [{ ...publish, id: `${at} r`, outcome: 'retracted' as const, revision: 1 }] : []),
    ...(fate === 'corrected'
      ? [{ ...publish, id: `${at} c`, endedAt: (out + 400 * HOUR) as Micros, recordedAt: (out + 401 * HOUR) as Micros }]
      : []),
    ...(fate === 'consumed'
      ? [made('upgrade-merge', out, out + 5000 * HOUR, { consumer: 'app', ...(at % 2 === 0 ? { files: 'unpublished' as const } : {}) })]
      : []),
    ...(fate === 'twice' ? [{ ...publish, id: `${at} t`, attempt: at + 500, endedAt: (out + 900 * HOUR) as Micros }] : []),
  ];
  return events.map((event, position) => ({ event, delivery: deliveries[position] ?? 0 }));
}

/** Random reports that end with the publication, and whose chart covers a part of the history. */
export const QUESTIONS: fc.Arbitrary<ReportQuestion> = fc
  .record({
    by: fc.constantFrom('package', 'team', 'repo', 'stage'),
    ready: fc.constantFrom('merged', 'approved'),
    changes: fc.constantFrom('published', 'all'),
    actor: fc.constantFrom('all', 'all', 'person', 'bot'),
    weeks: fc.integer({ min: 1, max: 8 }),
    shown: fc.integer({ min: 1, max: 10 }),
    end: fc.integer({ min: 12, max: WEEKS + 10 }),
    cut: fc.constantFrom(undefined, 1, 3.5),
  })
  .map(({ by, ready, changes, actor, weeks, shown, end, cut }) => {
    const until = startOfWeek(FIRST_WEEK + end);
    const bounds = cut === undefined ? {} : { before: (until - cut * 24 * HOUR) as Micros, earliest: (until - cut * WEEK) as Micros };
    const channels = new Set(['latest']);
    return {
      lead: { ready, until: 'published', channels, changes } as const,
      ...{ by, weeks, until, actor, ...bounds },
      since: startOfWeek(Math.max(FIRST_WEEK, FIRST_WEEK + end - shown)),
    };
  });
