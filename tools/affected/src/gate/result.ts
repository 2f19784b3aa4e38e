import type { FailureDocument } from '@tributary/model/errors';
import { leftOutOf } from '../plan/left-out.js';
import type { LeftOut, Plan } from '../plan/plan.js';
import { type RunReport, reportOfRun } from '../report-only/one-run.js';
import type { GateProblem, Verdict } from './judge.js';
import { notProven } from './not-proven.js';
import type { Note } from './notes.js';

/** The output of `affected gate --json`. Schema: `schema/gate-result.schema.json`; a change of shape is a new version. */
export interface GateResult {
  readonly schemaVersion: 2;
  readonly passed: boolean;
  readonly problems: readonly GateProblem[];
  readonly leftOut: readonly LeftOut[];
  /** Of a plan that only reports: what a selection would have left out. */
  readonly reportOnly?: RunReport;
  readonly notes: readonly Note[];
  /** The commit that it passed or refused; missing: not known. */
  readonly commit?: string;
  /** Missing exactly if it passed. */
  readonly error?: FailureDocument['error'];
}

export function gateResult(plan: Plan, verdict: Verdict): GateResult {
  const { passed, problems, notes, commit } = verdict;
  const error = notProven(verdict);
  const reportOnly = reportOfRun(plan, verdict.receipts);
  return {
    schemaVersion: 2,
    passed,
    problems,
    leftOut: leftOutOf(plan),
    ...(reportOnly === undefined ? {} : { reportOnly }),
    notes,
    ...(commit === undefined ? {} : { commit }),
    ...(error === undefined ? {} : { error: error.toJSON() }),
  };
}
