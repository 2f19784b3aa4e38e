import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Database } from '../io/database.js';
import { ANY_EVENTS } from '../model/event.fixture.js';
import type { Event } from '../model/event.js';
import type { LeadTimeQuestion, Unfinished } from '../model/lead-time.js';
import { STAGES } from '../model/stage.js';
import { leadTimeOf } from './lead-time-oracle.fixture.js';
import { leadTimesQuery, stageColumn, unfinishedQuery } from './lead-times.js';
import { loadEvents } from './load-events.fixture.js';

let database: Database;
beforeAll(async () => {
  database = await Database.open();
});
afterAll(async () => {
  await database.close();
});

const QUESTIONS: readonly LeadTimeQuestion[] = (['merged', 'approved'] as const).flatMap((ready) =>
  (['published', 'upgraded', 'released'] as const).map((until) => ({ ready, until, channels: new Set(['latest', '']) })),
);

const ALL_COLUMNS = STAGES.flatMap((stage) => [stageColumn(stage, 'package'), stageColumn(stage, 'consumer')]);

type Answer = Readonly<Record<string, unknown>> | Unfinished;

/** Returns the answers by change. Each change goes to at most one package and one consumer. */
async function askDatabase(question: LeadTimeQuestion): Promise<ReadonlyMap<unknown, Answer>> {
  const [rows, unfinished] = [await database.rows(leadTimesQuery(question)), await database.rows(unfinishedQuery(question))];
  return new Map<unknown, Answer>([
    ...unfinished.map(({ change, why }) => [change, why as Unfinished] as const),
    ...rows.map((row) => {
      const known = ALL_COLUMNS.filter((column) => typeof row[column] === 'bigint');
      const stages = Object.fromEntries(known.map((column) => [column, Number(row[column])]));
      return [
        row['change'],
        { readyAt: Number(row['ready_at']), endedAt: Number(row['ended_at']), release: row['release'] ?? undefined, ...stages },
      ] as const;
    }),
  ]);
}

function askOracle(changes: readonly (readonly Event[])[], question: LeadTimeQuestion): ReadonlyMap<unknown, Answer> {
  return new Map(
    changes.flatMap((events): readonly [unknown, Answer][] => {
      const [first] = events;
      if (first === undefined) return [];
      const found = leadTimeOf(events, question);
      if (typeof found === 'string') return [[first.change, found]];
      const { readyAt, endedAt, release, stages } = found;
      expect(stages.reduce((sum, { startedAt, endedAt: end }) => sum + end - startedAt, 0)).toBe(found.total);
      const lengths = stages.map(({ stage, whose, startedAt, endedAt: end }) => [stageColumn(stage, whose), end - startedAt]);
      return [[first.change, { readyAt, endedAt, release, ...Object.fromEntries(lengths) }]];
    }),
  );
}

test.each(QUESTIONS)('the query and the oracle agree about any events of changes: ready when $ready, until $until', async (question) => {
  const many = fc.array(ANY_EVENTS, { minLength: 300, maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(many, async (sets) => {
      const changes = sets.map((events, at) => events.map((event) => ({ ...event, change: `#${at}` })));
      await loadEvents(database, changes.flat());
      const answers = await askDatabase(question);
      expect(answers).toEqual(askOracle(changes, question));
    }),
    { numRuns: 4, endOnFailure: true },
  );
});
