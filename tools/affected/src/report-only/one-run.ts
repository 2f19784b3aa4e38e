import { countOf } from '../describe.js';
import type { Plan } from '../plan/plan.js';
import { tasksOf } from '../plan/plans-by-task.js';
import type { Receipt } from '../receipt/receipt.js';
import { span } from '../summary/span.js';
import { outcomesOf } from './outcomes.js';

/** What a run that only reports says of a selection. */
export interface RunReport {
  /** The tasks, if there are several: then each workspace counts once for each of its tasks. */
  readonly tasks?: readonly string[];
  /** The number of workspaces that were planned. */
  readonly planned: number;
  /** Those of them that a selection would have left out, ordered by name. */
  readonly leftOut: readonly string[];
  /** The seconds that the tests of these took, added up. */
  readonly seconds: number;
  /** Those of these that failed. */
  readonly failed: readonly string[];
  /** Those of these without a result that proves anything. */
  readonly unknown: readonly string[];
}

/** Returns the report of one run; `undefined` if its plan does not only report. */
export function reportOfRun(plan: Plan, receipts: ReadonlyMap<string, Receipt>): RunReport | undefined {
  if (plan.unselected === undefined) return undefined;
  const tasks = tasksOf(plan).map(({ task }) => task);
  const all = outcomesOf(plan, receipts);
  const leftOut = all.filter((one) => one.leftOut !== null);
  const namesOf = (state: 'failed' | 'unknown'): readonly string[] =>
    leftOut.filter((one) => one.state === state).map(({ workspace }) => workspace);
  return {
    ...(tasks.length === 1 ? {} : { tasks }),
    planned: all.length,
    leftOut: leftOut.map(({ workspace }) => workspace),
    seconds: leftOut.reduce((sum, { seconds }) => sum + seconds, 0),
    failed: namesOf('failed'),
    unknown: namesOf('unknown'),
  };
}

/** Returns the report as sentences; none for a plan that does not only report. */
export function describeRun(report: RunReport | undefined): readonly string[] {
  if (report === undefined) return [];
  const { tasks, planned, leftOut, seconds, failed, unknown } = report;
  const all = countOf(planned, tasks === undefined ? 'workspace' : 'task');
  if (leftOut.length === 0) return [`Report only: a selection would have left out none of the ${all}.`];
  return [
    `Report only: a selection would have left out ${leftOut.length} of ${all}, with ${span(seconds)} of ${tasks === undefined ? 'tests' : 'work'}.`,
    ...(failed.length + unknown.length === 0 ? ['All of their tasks passed.'] : []),
    ...(failed.length === 0 ? [] : [`Failed outside of the selection: ${firstOf(failed)}.`]),
    ...(unknown.length === 0 ? [] : [`No result outside of the selection: ${firstOf(unknown)}.`]),
  ];
}

const SHOWN = 10;

function firstOf(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${more}`;
}
