import type { Comparison, Side } from '../report/comparison.js';
import type { Migration } from '../report/migration.js';
import type { Report } from '../report/report.js';

/** A report as JSON. Times are microseconds since 1970 (UTC), lengths microseconds. */
export function reportDocument({ question, rows, waiting, rollUps, elsewhere }: Report, migrations: readonly Migration[]): object {
  const { lead, ...rest } = question;
  return {
    schemaVersion: 1,
    question: { ...rest, ...lead, until: rest.until, to: lead.until, channels: [...lead.channels] },
    rows,
    ...{ waiting, rollUps, elsewhere, migrations },
  };
}

/** A comparison as JSON; as `reportDocument`. */
export function comparisonDocument({ question, ...found }: Comparison): object {
  const sideOf = ({ lead, ...rest }: Side): object => ({ ...rest, ready: lead.ready, to: lead.until, channels: [...lead.channels] });
  return {
    schemaVersion: 1,
    question: { before: sideOf(question.before), after: sideOf(question.after), method: question.method },
    ...found,
  };
}
