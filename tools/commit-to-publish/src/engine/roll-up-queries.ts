import type { Micros } from '../model/event.js';
import { type GroupBy, type ReportQuestion, startOfWeek, timeOfFigures, WEEK } from '../report/question.js';
import { groupedQuery, heldQuery, inTime, labelOf } from './report-queries.js';

/**
 * All that arrived in so many weeks before the end of a report, as the queries below want it for a table `arrival`: `label` as in `groupedQuery`, `repo`, `change`, `team`, `ended_at`. By stage a row
 * for each stage, with `label` alone and the end of its week. Reads `lead_time`.
 */
export function arrivalsQuery(question: ReportQuestion, weeks: number): string {
  const { by, until } = question;
  if (by === 'stage') {
    // A report of one week whose only point takes all of them together.
    const grouped = groupedQuery({ ...question, weeks, since: (until - WEEK) as Micros });
    return `select label, ${startOfWeek(1)} + week * ${WEEK} - 1 as ended_at from (${grouped})`;
  }
  return `select ${labelOf(by)} as label, repo, change, team, ended_at from (${inTime('lead_time', question, until - weeks * WEEK)})`;
}

/** How many changes each row of a report would have if it took so many weeks together: `label`, and `w<weeks>` for each of them. */
export function windowCountsQuery({ by, until }: ReportQuestion, windows: readonly number[]): string {
  const counts = windows.map((weeks) => `count(*) filter (ended_at >= ${until - weeks * WEEK}) as w${weeks}`);
  return `select label, ${counts.join(', ')} from (${oncePerChange(by, 'label')}) group by label`;
}

/** How many changes each team or repository has in the weeks of a report, without those of which a package waits: `label`, `n`. Reads `lead_time`. */
export function groupCountsQuery(question: ReportQuestion, by: 'team' | 'repo'): string {
  const { lead } = question;
  return `
    select label, count(*) as n from (${oncePerChange(by, labelOf(by))}) anti join (${heldQuery('lead_time', by, lead)}) using (label, repo, change)
    where ended_at >= ${timeOfFigures(question).from} group by label`;
}

/** A package has a row for each of its lead times, and a stage for each time; a team or a repository one for each change, which ends with the last of them. */
function oncePerChange(by: GroupBy, label: string): string {
  if (by === 'package' || by === 'stage') return `select ${label} as label, ended_at from arrival`;
  return `select ${label} as label, repo, change, max(ended_at) as ended_at from arrival group by ${label}, repo, change`;
}

/** Which teams or repositories the rows of a report are in: `label`, `in_group`; who is in no team is in none. */
export function membersQuery(by: 'team' | 'repo'): string {
  return `select distinct label, ${by} as in_group from arrival where ${by} is not null`;
}
