import type { Moments } from '../engine/lead-times.js';
import { horizonOf } from '../engine/report-queries.js';
import { arrivalsQuery, groupCountsQuery, membersQuery, windowCountsQuery } from '../engine/roll-up-queries.js';
import type { Micros } from '../model/event.js';
import { LEAST_FOR_P90 } from '../report/least.js';
import { type ReportQuestion, WEEK } from '../report/question.js';
import type { ReportRow } from '../report/report.js';
import { offerRollUps, type RollUpCandidate, type RollUps } from '../report/roll-up.js';
import type { Database } from './database.js';
import { makeMomentTables } from './moment-tables.js';
import type { Widen } from './record.js';

/** In weeks: a quarter, half a year, one, two and five years. */
const WINDOWS = [13, 26, 52, 104, 260];

/**
 * Returns the options that would give the rows enough changes; runs no query if all have enough. Reads `lead_time`, and extends it into the
 * past.
 */
export async function readRollUps(
  database: Database,
  question: ReportQuestion,
  { rows, moments, widen }: { readonly rows: readonly ReportRow[]; readonly moments: Moments; readonly widen?: Widen | undefined },
): Promise<RollUps> {
  const counts = new Map(rows.map(({ group, n }) => [group, n]));
  if (rows.every(({ n }) => n >= LEAST_FOR_P90)) return offerRollUps(counts, []);
  const longest = Math.max(question.weeks, ...WINDOWS);
  const from = Math.max(0, question.until - longest * WEEK) as Micros;
  if (from < horizonOf(question)) await makeMomentTables(database, question, { moments, horizon: from, widen });
  await database.run(`create or replace temp table arrival as ${arrivalsQuery(question, longest)}`);
  const groups = question.by === 'package' ? (['team', 'repo'] as const) : question.by === 'team' ? (['repo'] as const) : [];
  const candidates: RollUpCandidate[] = [];
  for (const by of groups) candidates.push(await groupsOf(database, question, by));
  return offerRollUps(counts, [...candidates, ...(await windowsOf(database, question))]);
}

async function groupsOf(database: Database, question: ReportQuestion, by: 'team' | 'repo'): Promise<RollUpCandidate> {
  const sizes = new Map((await database.rows(groupCountsQuery(question, by))).map(({ label, n }) => [String(label), Number(n)]));
  const counts = new Map<string, number>();
  for (const { label, in_group } of await database.rows(membersQuery(by))) {
    const [row, size] = [String(label), sizes.get(String(in_group)) ?? 0];
    counts.set(row, Math.max(counts.get(row) ?? 0, size));
  }
  return { option: '--by', value: by, counts };
}

async function windowsOf(database: Database, question: ReportQuestion): Promise<readonly RollUpCandidate[]> {
  // Changes that ended before the requested period count in no window, because `arrivalsQuery` excludes them.
  const windows = WINDOWS.filter((weeks) => weeks > question.weeks);
  if (windows.length === 0) return [];
  const rows = await database.rows(windowCountsQuery(question, windows));
  return windows.map((weeks) => ({
    option: '--window',
    value: `${weeks}w`,
    counts: new Map(rows.map((row) => [String(row['label']), Number(row[`w${weeks}`])])),
  }));
}
