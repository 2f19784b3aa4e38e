import { type Moments, momentTables } from '../engine/lead-times.js';
import { allOutPackagesQuery, horizonOf, outPackagesQuery, recentQuery, reportLeadTimesQuery } from '../engine/report-queries.js';
import type { Micros } from '../model/event.js';
import type { ReportQuestion } from '../report/question.js';
import type { Database } from './database.js';
import type { EventScope } from './open-events.js';
import type { Widen } from './record.js';

interface MomentScope {
  readonly moments: Moments;
  /** The start of the period in question: lead times that ended before may be missing or wrong. */
  readonly horizon: Micros;
  /** For a record of which not all files are open. */
  readonly widen?: Widen | undefined;
}

/** Creates the tables for the queries of a report: `momentTables`, `out_package`, and `lead_time`. It reads events once for all of them. */
export async function makeMomentTables(
  database: Database,
  question: ReportQuestion,
  { moments, horizon, widen }: MomentScope,
): Promise<void> {
  await widen?.(momentNeeded(question, horizon));
  const source = await sourceOf(database, question, horizon);
  const outPackages = widen === undefined ? outPackagesQuery : allOutPackagesQuery;
  await database.run(`create or replace temp table out_package as ${outPackages(question.lead.channels)}`);
  for (const { name, query } of momentTables(question.lead, { moments, source }))
    await database.run(`create or replace temp table ${name} as ${query}`);
  await database.run(`create or replace temp table lead_time as ${reportLeadTimesQuery(question)}`);
}

/**
 * Returns the moment from which events are needed. All consumers that a package ever had count, so only a question that ends with the
 * publication can omit older events.
 */
function momentNeeded({ lead }: Pick<ReportQuestion, 'lead'>, horizon: Micros): Micros {
  return lead.until === 'published' ? horizon : (0 as Micros);
}

/** Returns the part of a record that a report needs at first. */
export function scopeOf(question: ReportQuestion): EventScope {
  return { since: momentNeeded(question, horizonOf(question)), changes: question.lead.changes };
}

async function sourceOf(database: Database, question: ReportQuestion, horizon: Micros): Promise<'event' | 'recent'> {
  if (momentNeeded(question, horizon) === 0) return 'event';
  const older = await database.rows(`select 1 from event where endedAt < ${horizon} limit 1`);
  if (older.length === 0) return 'event';
  await database.run(`create or replace temp view recent as ${recentQuery(horizon)}`);
  return 'recent';
}
