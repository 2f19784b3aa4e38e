import { isDeepStrictEqual } from 'node:util';
import type { Plan } from '../plan/plan.js';
import { tasksOf } from '../plan/plans-by-task.js';
import type { Receipt } from '../receipt/receipt.js';
import { placeOf } from '../report/failed-pieces.js';
import { type Outcome, outcomesOf } from './outcomes.js';

/** A file of a run. The top folder is that of its path; '' for a file without a folder. */
export type RunFile = { readonly file: string; readonly top: string } & (
  | { readonly plan: Plan }
  | { readonly receipt: Receipt }
  | { readonly problem: string }
);

/** The output of `affected report --json`. Schema: `schema/report-result.schema.json`; a change of shape is a new version. */
export interface ReportResult {
  readonly schemaVersion: 1;
  /** The tasks of runs with several: then each workspace counts once for each of its tasks. Missing: each run has one. */
  readonly tasks?: readonly string[];
  /** The number of runs that only report. The others tell nothing of what they left out. */
  readonly runs: number;
  /** The number of those among them in which a planned workspace has no result. */
  readonly incomplete: number;
  /** The number of runs that ran only what was selected. */
  readonly selecting: number;
  /** The workspaces that ran, added up over the runs. */
  readonly workspaces: number;
  /** Those of them that a selection would have left out. */
  readonly leftOut: number;
  /** The seconds of their tests. */
  readonly seconds: number;
  /** The part of these seconds that a selection would have left out. */
  readonly leftOutSeconds: number;
  /** The number of failed workspaces that a selection would have run. */
  readonly failedInside: number;
  /** The failed workspaces that a selection would have left out; ordered by commit and name. */
  readonly failedOutside: readonly FailedOutside[];
  /** Files that are neither a plan nor a receipt of one of the plans. */
  readonly unread: readonly { readonly file: string; readonly problem: string }[];
}

export interface FailedOutside {
  /** `null`: the plan names none. */
  readonly commit: string | null;
  readonly workspace: string;
  /** Why a selection leaves it out. */
  readonly reason: string;
  /** The first failed tests, with their place; none if its runner did not report them. */
  readonly tests: readonly string[];
  /** It passed in a later attempt of the same run. */
  readonly passedLater: boolean;
}

interface Run {
  readonly plan: Plan;
  readonly receipts: readonly Receipt[];
}

/** Adds up runs, whatever their order and their clocks. The same run in several places counts once. */
export function reportOfRuns(files: readonly RunFile[]): ReportResult {
  const runs = runsIn(files);
  const hashes = new Set(runs.map(({ plan }) => plan.hash));
  const reporting = runs.filter(({ plan }) => plan.unselected !== undefined);
  const outcomes = reporting.map((run) => ({ run, ...outcomesOfRun(run) }));
  const all = outcomes.flatMap(({ last }) => last);
  const out = all.filter(({ leftOut }) => leftOut !== null);
  const tasks = new Set(reporting.flatMap(({ plan }) => (plan.also === undefined ? [] : tasksOf(plan).map(({ task }) => task))));
  return {
    schemaVersion: 1,
    ...(tasks.size === 0 ? {} : { tasks: [...tasks].sort() }),
    runs: reporting.length,
    incomplete: outcomes.filter(({ last }) => last.some(({ state }) => state === 'unknown')).length,
    selecting: runs.length - reporting.length,
    workspaces: all.length,
    leftOut: out.length,
    seconds: secondsOf(all),
    leftOutSeconds: secondsOf(out),
    failedInside: outcomes.flatMap(({ failed }) => failed).filter(({ leftOut }) => leftOut === null).length,
    failedOutside: outcomes.flatMap(({ run, failed, last }) => failedOutside(run.plan, failed, last)).sort(byCommit),
    unread: files.flatMap((one): ReportResult['unread'] => {
      if ('problem' in one) return [{ file: one.file, problem: one.problem }];
      if (!('receipt' in one)) return [];
      if (!hashes.has(one.receipt.plan)) return [{ file: one.file, problem: 'its plan is not there' }];
      const isTaken = runs.some(({ receipts }) => receipts.some((receipt) => isDeepStrictEqual(receipt, one.receipt)));
      return isTaken ? [] : [{ file: one.file, problem: 'several plans are equal, and none is in its folder' }];
    }),
  };
}

/** Two runs may have equal plans, as of one commit. Then the receipts in the folder of a plan are those of its run. */
function runsIn(files: readonly RunFile[]): readonly Run[] {
  const plans = new Map<string, Map<string, Plan>>();
  for (const one of files)
    if ('plan' in one) plans.set(one.plan.hash, (plans.get(one.plan.hash) ?? new Map<string, Plan>()).set(one.top, one.plan));
  const receipts = files.flatMap((one) => ('receipt' in one ? [one] : []));
  return [...plans].flatMap(([hash, tops]) => {
    const own = receipts.filter(({ receipt }) => receipt.plan === hash);
    const runs = [...tops].map(([top, plan]): Run => {
      const there = tops.size === 1 ? own : own.filter((one) => one.top === top);
      return { plan, receipts: unique(there.map(({ receipt }) => receipt)) };
    });
    // A plan that was copied without its receipts is not a run of its own.
    const isCopy = (one: Run): boolean => one.receipts.length === 0 && one.plan.shards.length > 0;
    return unique(runs.every(isCopy) ? runs.slice(0, 1) : runs.filter((one) => !isCopy(one)));
  });
}

function unique<Value>(values: readonly Value[]): readonly Value[] {
  return values.filter((one, at) => !values.slice(0, at).some((other) => isDeepStrictEqual(other, one)));
}

/** `last`: by the newest receipt of each shard. `failed`: in any attempt, once for each workspace. */
function outcomesOfRun({ plan, receipts }: Run): { readonly last: readonly Outcome[]; readonly failed: readonly Outcome[] } {
  const attempts = [...new Set(receipts.map(({ attempt }) => attempt))].sort((a, b) => a - b);
  const newest = new Map<string, Receipt>();
  const failed = new Map<string, Outcome>();
  for (const attempt of attempts) {
    for (const receipt of receipts) if (receipt.attempt === attempt) newest.set(receipt.shard, receipt);
    for (const one of outcomesOf(plan, newest)) if (one.state === 'failed') failed.set(one.workspace, one);
  }
  return { last: outcomesOf(plan, newest), failed: [...failed.values()] };
}

function failedOutside({ affected }: Plan, failed: readonly Outcome[], last: readonly Outcome[]): readonly FailedOutside[] {
  const passed = new Set(last.filter(({ state }) => state === 'passed').map(({ workspace }) => workspace));
  return failed.flatMap(({ workspace, leftOut, failures }): readonly FailedOutside[] => {
    if (leftOut === null) return [];
    const tests = failures.map((one) => [one.test, placeOf(one)].filter((text) => text !== '').join(', '));
    return [{ commit: affected.head, workspace, reason: leftOut, tests, passedLater: passed.has(workspace) }];
  });
}

function byCommit(a: FailedOutside, b: FailedOutside): number {
  const [one, other] = [a, b].map(({ commit, workspace }) => `${commit ?? ''} ${workspace}`);
  return (one ?? '') < (other ?? '') ? -1 : 1;
}

function secondsOf(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { seconds }) => sum + seconds, 0);
}
