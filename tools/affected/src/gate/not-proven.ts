import { ToolError } from '@tributary/model/errors';
import { countOf } from '../describe.js';
import type { GateProblem, Verdict } from './judge.js';

const START_OVER = 'delete the folder of receipts, then run the shards again';

/** What to do about each kind of problem, in output order: causes come before consequences. Each fits into a line of 80 columns. */
const HINTS: Readonly<Record<GateProblem['kind'], string>> = {
  dropped: 'Dropped: restore the task, or give the reason in "affected.dropped".',
  script: 'Script: end it with the exit code of its tests, or unset "strictScripts".',
  plan: 'Plan: make a new one, with one version of affected in all jobs.',
  commit: 'Commit: run the gate on the commit of the plan, or name it: --commit <id>.',
  empty: 'Empty: put the receipts of all jobs there, or name it with --receipts.',
  unreadable: `Unreadable: ${START_OVER}.`,
  foreign: 'Foreign: delete the receipts, then run all shards again under one Node.',
  stale: 'Stale: run these shards again; a plan needs receipts made after it.',
  duplicate: `Duplicate: ${START_OVER}.`,
  unplanned: `Unplanned: ${START_OVER}.`,
  missing: 'Missing: see the log of that shard for the cause, and run it again.',
  failed: 'Failed: see the output of the tests in the log of that shard.',
  report: 'Report: run that shard again; its log has the output of the runner.',
  parts: 'Parts: run all shards again, with the same files in each.',
  replayed: 'Replayed: run that shard again, with one version of affected in all jobs.',
};

/** Returns one hint for each kind of problem that occurred. */
export function hintsFor(problems: readonly GateProblem[]): readonly string[] {
  return kindsOf(problems).map((kind) => HINTS[kind]);
}

/** Returns the error of a verdict, with the code `GATE_NOT_PROVEN`; `undefined` if it passed. */
export function notProven({ passed, problems }: Verdict): ToolError | undefined {
  if (passed) return undefined;
  return new ToolError({
    code: 'GATE_NOT_PROVEN',
    message: `The gate has not passed: ${countOf(problems.length, 'problem')}.`,
    hint: hintsFor(problems).join(' '),
    data: { kinds: kindsOf(problems) },
  });
}

function kindsOf(problems: readonly GateProblem[]): readonly GateProblem['kind'][] {
  const kinds = new Set(problems.map(({ kind }) => kind));
  return (Object.keys(HINTS) as GateProblem['kind'][]).filter((kind) => kinds.has(kind));
}

/** A folder in which receipts were expected and none was found. */
export interface EmptyPlace {
  /** As the user named it. */
  readonly folder: string;
  readonly there: 'nothing' | 'no folder' | 'an empty folder';
}

const EMPTY: Readonly<Record<EmptyPlace['there'], (folder: string) => string>> = {
  nothing: (folder) => `The folder ${folder} for receipts does not exist.`,
  'no folder': (folder) => `${folder} is not a folder. --receipts needs a folder.`,
  'an empty folder': (folder) => `The folder ${folder} has no receipts.`,
};

/** Adds a problem for a folder without any receipts, in addition to what each shard lacks. A verdict that passed without receipts stays. */
export function withEmptyPlace(verdict: Verdict, { folder, there }: EmptyPlace): Verdict {
  if (verdict.passed) return verdict;
  return { ...verdict, problems: [{ kind: 'empty', shard: null, message: EMPTY[there](folder) }, ...verdict.problems] };
}
