import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { leadTimeOf } from '../engine/lead-time-oracle.fixture.js';
import { loadEvents } from '../engine/load-events.fixture.js';
import { ANY_EVENTS } from '../model/event.fixture.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import { Database } from './database.js';
import { readChange } from './read-change.js';

let database: Database;
beforeAll(async () => {
  database = await Database.open();
});
afterAll(async () => {
  await database.close();
});

const QUESTIONS: readonly LeadTimeQuestion[] = (['published', 'upgraded', 'released'] as const).map((until) => ({
  ready: 'approved',
  until,
  channels: new Set(['latest', '']),
}));

test.each(QUESTIONS)('explain gives the stages that the oracle gives, moment by moment: until $until', async (lead) => {
  const some = fc.array(ANY_EVENTS, { minLength: 4, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(some, async (sets) => {
      const changes = sets.map((events, at) => events.map((event) => ({ ...event, change: `#${at}` }))).filter(({ length }) => length > 0);
      await loadEvents(database, changes.flat());
      for (const events of changes) {
        const { targets } = await readChange(database, { change: events[0]?.change ?? '', repo: undefined, lead });
        expect(targets.map(({ leadTime }) => leadTime)).toEqual([leadTimeOf(events, lead)]);
      }
    }),
    { numRuns: 5 },
  );
});
