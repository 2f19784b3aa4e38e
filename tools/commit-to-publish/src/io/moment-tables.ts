import { type Moments, momentTables } from '../engine/lead-times.js';
import { outPackagesQuery, recentQuery, reportLeadTimesQuery } from '../engine/report-queries.js';
import type { Micros } from '../model/event.js';
import type { ReportQuestion } from '../report/question.js';
import type { Database } from './database.js';

interface MomentScope {
  readonly moments: Moments;
  /** The start of the period in question: lead times that ended before may be missing or wrong. */
  readonly horizon: Micros;
}

/** Creates the tables for the queries of a report: `momentTables`, `out_package`, and `lead_time`. It reads events once for all of them. */
export async function makeMomentTables(database: Database, question: ReportQuestion, { moments, horizon }: MomentScope): Promise<void> {
  const source = await sourceOf(database, question, horizon);
  await database.run(`create or replace temp table out_package as ${outPackagesQuery(question.lead.channels)}`);
  for (const { name, query } of momentTables(question.lead, { moments, source }))
    await database.run(`create or replace temp table ${name} as ${query}`);
  await database.run(`create or replace temp table lead_time as ${reportLeadTimesQuery(question)}`);
}

/** All consumers that a package ever had count, so only a question that ends with the publication can omit older events. */
async function sourceOf(database: Database, { lead }: ReportQuestion, horizon: Micros): Promise<'event' | 'recent'> {
  if (lead.until !== 'published') return 'event';
  const older = await database.rows(`select 1 from event where endedAt < ${horizon} limit 1`);
  if (older.length === 0) return 'event';
  await database.run(`create or replace temp view recent as ${recentQuery(horizon)}`);
  return 'recent';
}
