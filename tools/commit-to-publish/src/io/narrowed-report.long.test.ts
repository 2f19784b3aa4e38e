import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import fc from 'fast-check';
import type { Moments } from '../engine/lead-times.js';
import { type ReportQuestion, startOfWeek } from '../report/question.js';
import type { Report } from '../report/report.js';
import { compactRecord } from './compact.js';
import { Database } from './database.js';
import { writeEvents } from './journal.js';
import { FIRST_WEEK, QUESTIONS, STORIES, type Story } from './narrowed-report.fixture.js';
import { readDetails } from './read-details.js';
import { readReport } from './read-report.js';
import { withEvents } from './record.js';

const folder = new TempFolder();
let database: Database;
let records = 0;
beforeAll(async () => {
  database = await Database.open();
});
afterAll(async () => {
  await database.close();
  folder.dispose();
});

async function recordOf({ deliveries }: Story): Promise<AbsolutePath> {
  const record = join(folder.path, `${records++}`) as AbsolutePath;
  for (const { events, after } of deliveries) {
    if (events.length > 0) writeEvents(record, events);
    if (events.length > 0 && after === 'compact') await compactRecord(database, record);
  }
  return record;
}

interface Answer {
  readonly report: Report;
  readonly details: Awaited<ReturnType<typeof readDetails>>;
}

async function ask(record: AbsolutePath, question: ReportQuestion, moments?: Moments): Promise<Answer> {
  const work = async (): Promise<Answer> => ({
    report: await readReport(database, question, moments),
    details: await readDetails(database, question),
  });
  return withEvents(database, record, work, { changes: question.lead.changes });
}

/** Returns what a report over all events shows of a shorter chart: without the older points, and without rows that have only those. */
function asShown({ report: { rows, ...report }, details }: Answer, question: ReportQuestion): unknown {
  const points = Math.round((question.until - question.since) / (startOfWeek(1) - startOfWeek(0)));
  const shown = rows.map((row) => ({ ...row, points: row.points.slice(-points) })).filter((row) => row.points.some(({ n }) => n > 0));
  const trend = details.trend.slice(-points);
  const { waiting, unapproved } = report;
  const { waterfall, slowest, repos } = details;
  return { rows: shown, trend, waterfall, slowest, repos, waiting, unapproved, withWaiting: details.withWaiting };
}

test('a report that leaves out what is older says in every figure what one says that reads everything', async () => {
  await fc.assert(
    fc.asyncProperty(STORIES, fc.array(QUESTIONS, { minLength: 3, maxLength: 3 }), async (story, questions) => {
      const record = await recordOf(story);
      for (const question of questions) {
        const narrow = await ask(record, question);
        const whole = await ask(record, { ...question, since: startOfWeek(FIRST_WEEK - 1) }, 'stages');
        expect(asShown(narrow, question)).toEqual(asShown(whole, question));
      }
    }),
    { numRuns: Number(process.env['NARROWED_RUNS'] ?? 2), seed: Number(process.env['NARROWED_SEED'] ?? -656443469), endOnFailure: true },
  );
});
