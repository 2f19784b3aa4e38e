import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Database, type Row } from '../io/database.js';
import { ANY_EVENTS } from '../model/event.fixture.js';
import type { Event } from '../model/event.js';
import { type LeadTimeQuestion, leadTimeOf } from '../model/lead-time.js';
import { STAGES } from '../model/stage.js';
import { endsQuery, leadTimesQuery, stageColumn } from './lead-times.js';
import { loadEvents } from './load-events.fixture.js';

let database: Database;
beforeAll(async () => {
  database = await Database.open();
});
afterAll(() => {
  database.close();
});

const QUESTIONS: readonly LeadTimeQuestion[] = (['merged', 'approved'] as const).flatMap((ready) =>
  (['published', 'upgraded', 'released'] as const).map((until) => ({ ready, until, channels: new Set(['latest', '']) })),
);

const ALL_COLUMNS = STAGES.flatMap((stage) => [stageColumn(stage, 'package'), stageColumn(stage, 'consumer')]);

type Answer = Readonly<Record<string, unknown>>;

/** By change. */
async function askDatabase(question: LeadTimeQuestion): Promise<ReadonlyMap<unknown, Answer>> {
  const rows = await database.rows(leadTimesQuery(question));
  return new Map(
    rows.map((row) => {
      const known = ALL_COLUMNS.filter((column) => typeof row[column] === 'bigint');
      const stages = Object.fromEntries(known.map((column) => [column, Number(row[column])]));
      return [
        row['change'],
        { readyAt: Number(row['ready_at']), endedAt: Number(row['ended_at']), release: row['release'] ?? undefined, ...stages },
      ];
    }),
  );
}

/** Where ways begin and end, and with which release. */
function byChange(rows: readonly Row[]): ReadonlyMap<unknown, unknown> {
  return new Map(rows.map((row) => [`${row['change']} ${row['consumer']}`, [row['release'], row['ready_at'], row['ended_at']]]));
}

function askModel(changes: readonly (readonly Event[])[], question: LeadTimeQuestion): ReadonlyMap<unknown, Answer> {
  return new Map(
    changes.flatMap((events) => {
      const found = leadTimeOf(events, question);
      if (typeof found === 'string') return [];
      const { readyAt, endedAt, release, stages } = found;
      expect(stages.reduce((sum, { startedAt, endedAt: end }) => sum + end - startedAt, 0)).toBe(found.total);
      const lengths = stages.map(({ stage, whose, startedAt, endedAt: end }) => [stageColumn(stage, whose), end - startedAt]);
      return [[events[0]?.change, { readyAt, endedAt, release, ...Object.fromEntries(lengths) }]];
    }),
  );
}

test.each(QUESTIONS)('DuckDB and the model agree about any events of changes: ready when $ready, until $until', async (question) => {
  const many = fc.array(ANY_EVENTS, { minLength: 300, maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(many, async (sets) => {
      const changes = sets.map((events, at) => events.map((event) => ({ ...event, change: `#${at}` })));
      await loadEvents(database, changes.flat());
      const answers = await askDatabase(question);
      expect(answers).toEqual(askModel(changes, question));
      const ends = await database.rows(endsQuery(question));
      expect(byChange(ends)).toEqual(byChange(await database.rows(leadTimesQuery(question))));
    }),
    { numRuns: 4, endOnFailure: true },
  );
});
