import { type FailRule, judgeRule, type RuleVerdict } from '../report/fail-rule.js';
import { questionBefore } from '../report/question.js';
import type { Report } from '../report/report.js';
import type { Database } from './database.js';
import { readLast } from './read-report.js';

/** Returns the verdicts of rules on the rows of a report. Call it right after `readReport`, because it reads its table `lead_time`. */
export async function readVerdicts(database: Database, report: Report, rules: readonly FailRule[]): Promise<readonly RuleVerdict[]> {
  if (rules.length === 0) return [];
  const now = await readLast(database, report.question);
  const before = rules.some(({ kind }) => kind === 'growth') ? await readLast(database, questionBefore(report.question)) : new Map();
  return rules.flatMap((rule) =>
    report.rows.flatMap((row) => judgeRule(rule, row, { now: now.get(row.group) ?? [], before: before.get(row.group) ?? [] }) ?? []),
  );
}
