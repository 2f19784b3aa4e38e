import { leadTimesQuery, stageColumnsOf, unfinishedQuery } from '../engine/lead-times.js';
import { quote } from '../engine/sql.js';
import type { Micros } from '../model/event.js';
import type { LeadTime, LeadTimeQuestion, StageTime, Unfinished } from '../model/lead-time.js';
import type { LeadTimeTarget } from '../report/explanation.js';
import { type Database, type DatabaseRow, microsIn, textIn } from './database.js';

/** The lead times of one change, unordered. */
interface LeadTimesOfChange {
  readonly finished: readonly { readonly target: LeadTimeTarget; readonly leadTime: LeadTime }[];
  readonly unfinished: readonly { readonly target: LeadTimeTarget; readonly why: Unfinished; readonly mergedAt: Micros | undefined }[];
}

/** Returns the lead times of a change in the table `event`, as reports count them, and the reasons why others are missing. */
export async function readLeadTimes(
  database: Database,
  { repo, change }: { readonly repo: string; readonly change: string },
  lead: LeadTimeQuestion,
): Promise<LeadTimesOfChange> {
  const read = (query: string): Promise<readonly DatabaseRow[]> =>
    database.rows(`from (${query}) where repo = ${quote(repo)} and change = ${quote(change)}`);
  const [finished, unfinished] = [await read(leadTimesQuery(lead)), await read(unfinishedQuery(lead))];
  return {
    finished: finished.map((row) => ({ target: targetOf(row), leadTime: leadTimeOf(row, lead) })),
    unfinished: unfinished.map((row) => ({ target: targetOf(row), why: row['why'] as Unfinished, mergedAt: microsIn(row, 'merged') })),
  };
}

function targetOf(row: DatabaseRow): LeadTimeTarget {
  return { package: String(row['package']), consumer: textIn(row, 'consumer') };
}

/** Converts a row: it has the length of each stage, which begins where the previous one ends. */
function leadTimeOf(row: DatabaseRow, lead: LeadTimeQuestion): LeadTime {
  const [readyAt, endedAt] = [Number(row['ready_at']) as Micros, Number(row['ended_at']) as Micros];
  const stages: StageTime[] = [];
  for (const { stage, whose, column } of stageColumnsOf(lead)) {
    const length = microsIn(row, column);
    const startedAt = stages.at(-1)?.endedAt ?? readyAt;
    if (length !== undefined) stages.push({ stage, whose, startedAt, endedAt: (startedAt + length) as Micros });
  }
  return { readyAt, endedAt, total: endedAt - readyAt, stages, release: textIn(row, 'release') };
}
