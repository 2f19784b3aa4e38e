// The hard cases of real pipelines and their results. Each case runs in the query and in its oracle.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Database } from '../io/database.js';
import type { Event, Micros } from '../model/event.js';
import type { LeadTimeQuestion, Unfinished } from '../model/lead-time.js';
import type { Stage } from '../model/stage.js';
import { leadTimeOf } from './lead-time-oracle.fixture.js';
import { leadTimesQuery, stageColumn, stageColumnsOf, unfinishedQuery } from './lead-times.js';
import { loadEvents } from './load-events.fixture.js';

let database: Database;
beforeAll(async () => {
  database = await Database.open();
});
afterAll(async () => {
  await database.close();
});

const MINUTE = 60e6;
let count = 0;

/** Returns an event with times in minutes after a fixed moment. */
function event(stage: Stage, from: number, to: number, rest: Partial<Event> = {}): Event {
  const [startedAt, endedAt] = [from, to].map((minutes) => (Date.UTC(2026, 0, 5) * 1000 + minutes * MINUTE) as Micros) as [Micros, Micros];
  return {
    schemaVersion: 1,
    id: `e${count++}`,
    change: '#1',
    repo: 'acme/ui',
    package: '@acme/ui',
    stage,
    attempt: 1,
    startedAt,
    endedAt,
    outcome: 'success',
    actor: 'person',
    source: 'ci',
    confidence: 'exact',
    recordedAt: endedAt,
    ...(stage === 'publish' ? { release: 'v1', channel: 'latest' } : {}),
    ...rest,
  };
}

const APP = { consumer: 'app' };
const FAILED = { outcome: 'failure' as const };
const MERGE = event('merge-wait', 20, 30);
const PUBLISHED = event('publish', 50, 60);

type Expected = Readonly<Record<string, number>> | Unfinished;

interface Case {
  readonly events: readonly Event[];
  readonly question?: Partial<LeadTimeQuestion>;
  /** The known length of each stage in minutes, or the reason why there is no lead time. */
  readonly expected: Expected;
}

const CASES: Readonly<Record<string, Case>> = {
  'waiting is a stage: nothing lies between two of them': {
    events: [MERGE, event('post-merge-tests', 33, 40), PUBLISHED],
    expected: { post_merge_tests: 10, publish_wait: 10, publish: 10 },
  },
  'a review is no part of it': { events: [event('merge-wait', -5000, 30), PUBLISHED], expected: { publish_wait: 20, publish: 10 } },
  'from the approval on, tests and waiting for the merge are': {
    events: [event('pr-tests', 10, 25), MERGE, PUBLISHED],
    question: { ready: 'approved' },
    expected: { pr_tests: 5, merge_wait: 5, publish_wait: 20, publish: 10 },
  },
  'approved before its tests were over, it waited for them': {
    events: [event('pr-tests', 10, 45), MERGE, PUBLISHED],
    question: { ready: 'approved' },
    expected: { pr_tests: 10, merge_wait: 0, publish_wait: 20, publish: 10 },
  },
  'what nobody published is not out': { events: [MERGE], expected: 'not published' },
  'what the first release brought out is not measured': {
    events: [MERGE, { ...PUBLISHED, outcome: 'unmeasured' }],
    expected: 'not measured',
  },
  'the first on a channel that does not count says nothing': {
    events: [MERGE, { ...PUBLISHED, channel: 'next', outcome: 'unmeasured' }],
    expected: 'not published',
  },
  'what the first deployment brought out is measured to its version': {
    events: [MERGE, PUBLISHED, { ...PUBLISHED, channel: 'deployment:production', attempt: 2, outcome: 'unmeasured' }],
    question: { channels: new Set(['latest', 'deployment:production']) },
    expected: { publish_wait: 20, publish: 10 },
  },
  'what the first release of the consumer brought out is not measured': {
    events: [MERGE, PUBLISHED, event('upgrade-merge', 100, 110, APP), event('publish', 120, 120, { ...APP, outcome: 'unmeasured' })],
    question: { until: 'released' },
    expected: 'not measured',
  },
  'what is not merged has no beginning': { events: [PUBLISHED], expected: 'not merged' },
  'published from a commit beside the main line before it was merged, it was out when it was ready': {
    events: [event('merge-wait', 70, 90), event('post-merge-tests', 91, 95), PUBLISHED],
    expected: { post_merge_tests: 0, publish_wait: 0, publish: 0 },
  },
  'tests that were run again end with the last run': {
    events: [MERGE, event('post-merge-tests', 31, 34, FAILED), event('post-merge-tests', 38, 42, { attempt: 2 }), PUBLISHED],
    expected: { post_merge_tests: 12, publish_wait: 8, publish: 10 },
  },
  'tests that were run again a week after the publication did not hold it up': {
    events: [MERGE, event('post-merge-tests', 31, 34), event('post-merge-tests', 9000, 9010, { attempt: 2 }), PUBLISHED],
    expected: { post_merge_tests: 30, publish_wait: 0, publish: 0 },
  },
  'a publication that failed at first waited until the attempt that succeeded': {
    events: [MERGE, event('publish', 35, 40, FAILED), { ...PUBLISHED, attempt: 2 }],
    expected: { publish_wait: 20, publish: 10 },
  },
  'one that only failed is none': { events: [MERGE, { ...PUBLISHED, ...FAILED }], expected: 'not published' },
  'a tag that was made late is a moment: all before it is waiting': {
    events: [MERGE, event('publish', 900, 900, { source: 'git', confidence: 'derived' })],
    expected: { publish_wait: 870, publish: 0 },
  },
  'of several publications the first that counts is the end': {
    events: [
      MERGE,
      event('publish', 40, 41, { release: 'v1-rc', channel: 'next', attempt: 2 }),
      event('publish', 70, 75, { release: 'v2', attempt: 3 }),
      PUBLISHED,
    ],
    expected: { publish_wait: 20, publish: 10 },
  },
  'on a channel that does not count it is not out': { events: [MERGE, { ...PUBLISHED, channel: 'next' }], expected: 'not published' },
  'a publication that says no channel counts where nobody asks for one': {
    events: [MERGE, { ...PUBLISHED, channel: undefined as never }],
    question: { channels: new Set(['']) },
    expected: { publish_wait: 20, publish: 10 },
  },
  'a version that the consumer skipped ends with the upgrade to a later one': {
    events: [
      MERGE,
      PUBLISHED,
      event('upgrade-open', 60, 400, APP),
      event('upgrade-tests', 401, 410, APP),
      event('upgrade-merge', 410, 450, APP),
    ],
    question: { until: 'upgraded' },
    expected: { publish_wait: 20, publish: 10, upgrade_open: 340, upgrade_tests: 10, upgrade_merge: 40 },
  },
  'an upgrade that was opened before the version was out waited for nobody to open it': {
    events: [MERGE, PUBLISHED, event('upgrade-open', 40, 45, APP), event('upgrade-merge', 45, 80, APP)],
    question: { until: 'upgraded' },
    expected: { publish_wait: 20, publish: 10, upgrade_open: 0, upgrade_merge: 20 },
  },
  'an upgrade that was closed is none': {
    events: [MERGE, PUBLISHED, event('upgrade-open', 60, 61, APP), event('upgrade-merge', 61, 70, { ...APP, ...FAILED })],
    question: { until: 'upgraded' },
    expected: 'not upgraded',
  },
  'the consumer has it, and has not released it': {
    events: [MERGE, PUBLISHED, event('upgrade-merge', 61, 70, APP)],
    question: { until: 'released' },
    expected: 'not released',
  },
  'the whole way, to a release of the consumer': {
    events: [MERGE, PUBLISHED, event('upgrade-merge', 61, 70, APP), event('publish', 90, 95, { ...APP, release: 'app 3' })],
    question: { until: 'released' },
    expected: { publish_wait: 20, publish: 10, upgrade_merge: 10, consumer_publish_wait: 20, consumer_publish: 5 },
  },
  'what ends before it starts makes no stage shorter than nothing': {
    events: [event('merge-wait', 40, 30), event('post-merge-tests', 50, 20), event('publish', 80, 60)],
    expected: { post_merge_tests: 0, publish_wait: 30, publish: 0 },
  },
  'what was retracted is not there': { events: [MERGE, { ...PUBLISHED, outcome: 'retracted' }], expected: 'not published' },
};

function questionOf({ question }: Case): LeadTimeQuestion {
  return { ready: 'merged', until: 'published', channels: new Set(['latest']), ...question };
}

function askOracle({ events }: Case, question: LeadTimeQuestion): Expected {
  const found = leadTimeOf(events, question);
  if (typeof found === 'string') return found;
  expect(found.stages.map(({ startedAt }) => startedAt)).toEqual([
    found.readyAt,
    ...found.stages.slice(0, -1).map(({ endedAt }) => endedAt),
  ]);
  return Object.fromEntries(
    found.stages.map(({ stage, whose, startedAt, endedAt }) => [stageColumn(stage, whose), (endedAt - startedAt) / MINUTE]),
  );
}

async function askDatabase({ events }: Case, question: LeadTimeQuestion): Promise<Expected> {
  await loadEvents(database, events);
  const [row] = await database.rows(leadTimesQuery(question));
  if (row === undefined) return (await database.rows(unfinishedQuery(question)))[0]?.['why'] as Unfinished;
  const lengths = stageColumnsOf(question).flatMap(({ column }) =>
    typeof row[column] === 'bigint' ? [[column, Number(row[column]) / MINUTE]] : [],
  );
  const total = Number(row['ended_at']) - Number(row['ready_at']);
  expect(lengths.reduce((sum, [, length]) => sum + Number(length), 0)).toBe(total / MINUTE);
  return Object.fromEntries(lengths) as Expected;
}

test.each(Object.entries(CASES))('%s', async (_, one) => {
  const question = questionOf(one);
  expect(askOracle(one, question)).toEqual(one.expected);
  expect(await askDatabase(one, question)).toEqual(one.expected);
});

const LATER = { recordedAt: (PUBLISHED.recordedAt + 1) as Micros };

test.each<[string, Partial<Event>, number]>([
  ['recorded later, what is as sure counts', { confidence: 'exact', ...LATER }, 70],
  ['recorded later, what was derived does not count before what somebody saw', { confidence: 'derived', ...LATER }, 60],
  ['recorded earlier, it does not count', { recordedAt: (PUBLISHED.recordedAt - 1) as Micros }, 60],
  [
    'recorded earlier and of a higher revision, it counts',
    { recordedAt: (PUBLISHED.recordedAt - 1) as Micros, confidence: 'derived', revision: 1 },
    70,
  ],
  ['of another attempt, it is another event', { attempt: 2, ...LATER }, 60],
])('of a publication and its correction: %s', async (_, rest, end) => {
  const correction = event('publish', 50, 70, rest);
  const question = questionOf({ events: [], expected: {} });
  for (const events of [
    [MERGE, PUBLISHED, correction],
    [correction, PUBLISHED, MERGE],
  ]) {
    const found = (await askDatabase({ events, expected: {} }, question)) as Readonly<Record<string, number>>;
    expect(found['publish']).toBe(end - 50);
  }
});
