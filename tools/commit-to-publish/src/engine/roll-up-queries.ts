import type { Micros } from '../model/event.js';
import { type GroupBy, type ReportQuestion, startOfWeek, timeOfFigures, WEEK } from '../report/question.js';
import { groupedQuery, heldQuery, inTime, labelOf } from './report-queries.js';

/**
 * Returns the query for all arrivals in the given weeks before the end of a report, for a table `arrival`: `label` as in `groupedQuery`,
 * `repo`, `change`, `team`, `ended_at`. By stage there is a row for each stage, with only `label` and the end of its week. Reads
 * `lead_time`.
 */
export function arrivalsQuery(question: ReportQuestion, weeks: number): string {
  const { by, until } = question;
  if (by === 'stage') {
    // A report of one week, whose only point covers all the weeks.
    const grouped = groupedQuery({ ...question, weeks, since: (until - WEEK) as Micros });
    return `select label, ${startOfWeek(1)} + week * ${WEEK} - 1 as ended_at from (${grouped})`;
  }
  return `select ${labelOf(by)} as label, repo, change, team, ended_at from (${inTime('lead_time', question, until - weeks * WEEK)})`;
}

/** Returns the query for the number of changes that each row would have with each window: `label`, and a column `w<weeks>` per window. */
export function windowCountsQuery({ by, until }: ReportQuestion, windows: readonly number[]): string {
  const counts = windows.map((weeks) => `count(*) filter (ended_at >= ${until - weeks * WEEK}) as w${weeks}`);
  return `select label, ${counts.join(', ')} from (${oncePerChange(by, 'label')}) group by label`;
}

/**
 * Returns the query for the number of changes of each team or repository in the weeks of a report, without changes with a package that
 * waits: `label`, `n`. Reads `lead_time`.
 */
export function groupCountsQuery(question: ReportQuestion, by: 'team' | 'repo'): string {
  const { lead } = question;
  return `
    select label, count(*) as n from (${oncePerChange(by, labelOf(by))}) anti join (${heldQuery('lead_time', by, lead)}) using (label, repo, change)
    where ended_at >= ${timeOfFigures(question).from} group by label`;
}

/**
 * A package has a row for each lead time, and a stage for each of its times. A team or repository has one for each change, which ends with
 * the last of them.
 */
function oncePerChange(by: GroupBy, label: string): string {
  if (by === 'package' || by === 'stage') return `select ${label} as label, ended_at from arrival`;
  return `select ${label} as label, repo, change, max(ended_at) as ended_at from arrival group by ${label}, repo, change`;
}

/** Returns the query for the teams or repositories of a report's rows: `label`, `in_group`. Rows without a team are missing. */
export function membersQuery(by: 'team' | 'repo'): string {
  return `select distinct label, ${by} as in_group from arrival where ${by} is not null`;
}
