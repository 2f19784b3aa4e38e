import { type ReportQuestion, startOfWeek, WEEK } from '../report/question.js';
import { groupedQuery, labelOf } from './report-queries.js';

/** How many changes each row of a report would have if it took so many weeks together: `label`, and `w<weeks>` for each of them. */
export function windowCountsQuery(question: ReportQuestion, windows: readonly number[]): string {
  const { until } = question;
  const longest = Math.max(...windows);
  // A report of one week whose only point takes all of them together.
  const grouped = groupedQuery({ ...question, weeks: longest, since: (until - WEEK) as ReportQuestion['since'] });
  const last = `(${until} - ${startOfWeek(0)}) // ${WEEK}`;
  const counts = windows.map((weeks) => `count(*) filter (week >= ${last} - ${weeks}) as w${weeks}`);
  return `select label, ${counts.join(', ')} from (${grouped}) group by label`;
}

/** How many changes each team or repository has in the weeks of a report: `label`, `n`. */
export function groupCountsQuery(question: ReportQuestion, by: 'team' | 'repo'): string {
  const { until, weeks } = question;
  return `select label, count(*) as n from (${groupedQuery({ ...question, by, since: (until - WEEK) as ReportQuestion['since'], weeks })}) group by label`;
}

/** Which teams or repositories the rows of a report are in: `label`, `in_group`, the one where no team is named left out. */
export function membersQuery(question: ReportQuestion, by: 'team' | 'repo'): string {
  return `select distinct ${labelOf(question.by)} as label, ${by} as in_group from event where consumer is null and ${by} is not null`;
}
