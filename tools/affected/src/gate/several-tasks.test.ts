import { describe, expect, test } from '@jest/globals';
import { describePlan } from '../cli/describe-plan.js';
import { leftOutOf } from '../plan/left-out.js';
import { type Piece, type Plan, pieceName, type TaskPlan } from '../plan/plan.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { renderReport } from '../render-report.js';
import { failedPiecesOf } from '../report/failed-pieces.js';
import { junitOf } from '../report/junit.js';
import { reportOfRuns } from '../report-only/all-runs.js';
import { describeRun, reportOfRun } from '../report-only/one-run.js';
import { gateComment } from '../summary/gate-comment.js';
import { gateSummary } from '../summary/gate-summary.js';
import { planSummary } from '../summary/plan-summary.js';
import { timingsOfReceipts } from '../timings/collect.js';
import { testEventsOf } from './events.js';
import { judge, type Verdict } from './judge.js';
import { affectedOf, planOfPieces, receiptsFor } from './proof.fixture.js';

/** What a plan says of the task `lint`, which selects `ui` and `core`. */
const LINT: TaskPlan = {
  affected: affectedOf(['core', 'ui']),
  task: 'lint',
  changed: [],
  changedSets: [{ changed: [], sets: [] }],
  outside: null,
  fileTimes: [],
  leftOut: [],
  atBase: { unknown: null, workspaces: 2, lost: [] },
  guessed: 0,
  everythingSeconds: 7,
};

/** A plan of `test` for `ui` and of `lint` for `ui` and `core`; `more`: of the lint. */
function planOf(more: Partial<TaskPlan> = {}, pieces = ['ui#test', 'core#lint', 'ui#lint']): Plan {
  const shards = planOfPieces([pieces]).shards.map((shard) => ({ ...shard, pieces: shard.pieces.map(withTask) }));
  return planOfPieces([], { affected: affectedOf(['ui']), shards, also: [{ ...LINT, ...more }] });
}

function withTask(piece: Piece): Piece {
  const [workspace = '', task = ''] = piece.workspace.split('#');
  return { ...piece, workspace, task };
}

/** Receipts in which everything passed, but for what `change` says of a piece. */
function ran(plan: Plan, change: (name: string) => Partial<ReceiptPiece> | undefined = () => ({})): readonly Receipt[] {
  return receiptsFor(plan).map((receipt, at) => {
    const tasks = plan.shards[at]?.pieces ?? [];
    const pieces = receipt.pieces.flatMap((piece, place) => {
      const { tests, ...one } = { ...piece, task: tasks[place]?.task ?? '' };
      const changed = change(pieceName(one));
      return changed === undefined ? [] : [{ ...one, ...(one.task === 'test' ? { tests } : {}), ...changed } as ReceiptPiece];
    });
    return { ...receipt, pieces };
  });
}

function judged(plan: Plan, change?: Parameters<typeof ran>[1]): Verdict {
  const found = ran(plan, change).map((receipt) => ({ file: `${receipt.shard}.json`, receipt }));
  return judge(plan, found, { ofPlan: 1, ofRun: 1 });
}

function problemsOf(plan: Plan, change?: Parameters<typeof ran>[1]): readonly string[] {
  return judged(plan, change).problems.map(({ message }) => message);
}

describe('a gate over several tasks', () => {
  test('passes if each piece of each task is proven, and expects numbers of tests only from tests', () => {
    expect(judged(planOf())).toMatchObject({ passed: true, problems: [], notes: [] });
  });

  test.each<[title: string, of: string, change: Partial<ReceiptPiece> | undefined, message: string]>([
    ['is lost', 'ui#lint', undefined, 'ui#lint was planned, but did not run.'],
    ['failed', 'ui#lint', { exit: 2 }, 'ui#lint failed with exit code 2.'],
    ['proves nothing', 'ui#test', { problem: 'Why.' }, 'ui#test proves nothing. Why.'],
    ['is of another task', 'core#lint', { task: 'test' }, 'core#lint was planned, but did not run.'],
    ['is of no task', 'core#lint', { task: undefined as never }, 'core#lint was planned, but did not run.'],
  ])('is red if a piece %s', (_title, of, change, message) => {
    expect(problemsOf(planOf(), (name) => (name === of ? change : {}))).toContain(`Shard 01: ${message}`);
  });

  test('is red for a plan that omits a task of an affected workspace, or has it twice', () => {
    expect(problemsOf(planOf({}, ['ui#test', 'ui#lint']))).toContain('core#lint is affected, but not in the plan.');
    expect(problemsOf(planOf({}, ['ui#test', 'core#lint', 'core#lint', 'ui#lint']))).toContain(
      'The plan must have core#lint exactly once.',
    );
    // That it has the test of a workspace says nothing of its lint.
    expect(problemsOf(planOf({ affected: affectedOf(['core', 'ui', 'web']) }, ['ui#test', 'core#lint', 'ui#lint']))).toEqual([
      'web#lint is affected, but not in the plan.',
    ]);
    const unselected = [{ workspace: 'web', reason: 'no', path: 'packages/web' }];
    expect(problemsOf(planOf({ unselected }))).toEqual(['web#lint is not in the plan, which is to run everything.']);
  });

  test('is red for a workspace that lost one of the tasks, and for a script of one that swallows failures', () => {
    const lost = [{ workspace: 'ui', reason: 'Its script is gone.', agreed: null }];
    expect(problemsOf(planOf({ atBase: { unknown: null, workspaces: 2, lost } }))).toEqual([
      'ui had the task "lint" at the base and lost it: Its script is gone.',
    ]);
    const scriptFlaws = [{ workspace: 'ui', kind: 'discards', what: 'eslint (|| true)' }] as const;
    const told = 'ui#lint: the script discards an exit code, and may pass although a command fails: eslint (|| true).';
    expect(problemsOf(planOf({ scriptFlaws, strictScripts: true }))).toEqual([told]);
    expect(judged(planOf({ scriptFlaws })).notes.map(({ message }) => message)).toEqual([told]);
  });

  test('compares the number of tests with that of the same task alone', () => {
    const { shards, ...plan } = planOf({}, ['ui#test', 'core#lint', 'ui#lint']);
    const [shard] = shards;
    const pieces = shard?.pieces.map((piece) => (piece.task === 'test' ? { ...piece, tests: 4 } : piece)) ?? [];
    const known = { ...plan, shards: shard === undefined ? [] : [{ ...shard, pieces }] };
    expect(problemsOf(known, (name) => (name === 'ui#test' ? { tests: 0 } : {}))).toEqual([
      'ui#test passed without a test, and its newest known run had 4.',
    ]);
    expect(judged(known, (name) => (name === 'ui#test' ? { tests: 4 } : {}))).toMatchObject({ passed: true, notes: [] });
  });

  test('names as flaky what failed before, and no other task of the same workspace', () => {
    const plan = planOf();
    const [before, now] = [ran(plan, (name) => (name === 'ui#lint' ? { exit: 1 } : {})), ran(plan)];
    const found = [...before, ...now.map((one) => ({ ...one, attempt: 2 }))].map((receipt, at) => ({ file: `${at}/01.json`, receipt }));
    expect(judge(plan, found, { ofPlan: 1, ofRun: 2 })).toMatchObject({
      passed: true,
      notes: [{ kind: 'flaky', message: 'ui#lint is flaky: it failed in attempt 1 and passed in attempt 2, on the same commit.' }],
    });
  });

  test('says which task failed before a piece that did not run, and that it is flaky where its own piece passed', () => {
    const plan = planOf();
    const failedBuilds = [{ task: 'core#lint', exit: 1, log: '1:1 error' }];
    const [receipt] = ran(plan, (name) => (name === 'ui#test' ? undefined : {})).map((one) => ({ ...one, failedBuilds }));
    const found = receipt === undefined ? [] : [{ file: '01.json', receipt }];
    const verdict = judge(plan, found, { ofPlan: 1, ofRun: 1 });
    const message = 'Shard 01: ui#test was planned, but did not run. Failed in that shard: core#lint (exit code 1).';
    expect(verdict).toMatchObject({
      passed: false,
      problems: [{ kind: 'missing', message }],
      notes: [
        {
          kind: 'flaky',
          message: 'core#lint is flaky: it failed before another task in shard 01, attempt 1, and passed in attempt 1, on the same commit.',
        },
      ],
    });
    expect(gateSummary(plan, verdict)).toContain('**Failed:** `core#lint` in shard 01, exit code 1\n\n```\n1:1 error\n```');
    expect(gateComment(plan, verdict, { runUrl: undefined })).toContain(
      '**Failed:** `core#lint` in shard 01, exit code 1. What it printed',
    );
    expect(junitOf(plan, verdict)).toContain('Failed in that shard: core#lint (exit code 1).');
    // As a piece too, it is shown once.
    const both = ran(plan, (name) => (name === 'core#lint' ? { exit: 1 } : {})).map((one) => ({ ...one, failedBuilds }));
    expect(failedPiecesOf(both).map(({ name }) => name)).toEqual(['core#lint']);
  });

  test('says once why the base is unknown', () => {
    const atBase = { unknown: 'No base.', workspaces: 0, lost: [] };
    const plan = { ...planOf({ atBase }), atBase };
    expect(judged(plan).notes.map(({ message }) => message)).toEqual(['Unknown which workspaces had the task before: No base.']);
  });
});

describe('what people see of several tasks', () => {
  const plan = planOf({ leftOut: [{ workspace: 'docs', reason: 'It has no script "lint".' }] });

  test('summaries name each piece with its task', () => {
    expect(leftOutOf(plan)).toEqual([{ workspace: 'docs#lint', reason: 'It has no script "lint".' }]);
    const before = planSummary(plan);
    expect(before).toContain('`test`: 1 of 2 workspaces is affected. `lint`: 2 of 3 workspaces are affected.');
    expect(before).toContain('| shard | about | of it builds | `test`, `lint` |');
    expect(before).toContain('`ui#test`, `core#lint`, `ui#lint`');
    const verdict = judged(plan);
    expect(gateSummary(plan, verdict)).toContain('## All planned tasks ran and passed\n\n3 pieces in 1 shard.');
    expect(gateComment(plan, verdict, { runUrl: undefined })).toContain('Tasks `test`, `lint`, commit');
    const failed = judged(plan, (name) => (name === 'core#lint' ? { exit: 1, log: '1:1 error' } : {}));
    expect(gateSummary(plan, failed)).toContain('**Failed:** `core#lint` in shard 01, exit code 1');
    expect(junitOf(plan, failed)).toMatch(/<testsuite name="core#lint"[^>]*>\s*<testcase name="lint" classname="core"[^>]*><failure/);
  });

  test('a terminal has a line for each task, and names each piece with its own', () => {
    const page = describePlan(plan, { width: 100, shard: '01' });
    expect(page).toContain('test: 1 of 2 workspaces affected.\nlint: 2 of 3 workspaces affected.\n1 shard, about 1 min 30 s with set-up.');
    expect(page).toContain('Left out: docs#lint. It has no script "lint".');
    expect(page).toMatch(/shard +about +pieces +tasks\n01 +30 s +3 +ui#test, core#lint, ui#lint/);
    expect(page).toContain('Shard 01:\n  ui#test, about 10 s\n  core#lint, about 10 s');
    const idle = { ...plan, shards: [], affected: affectedOf([]), also: [{ ...LINT, affected: affectedOf([]) }] };
    expect(describePlan(idle, { width: 100, shard: undefined })).toBe(
      'test: 0 of 1 workspace affected.\nlint: 0 of 1 workspace affected.\nNothing to run.',
    );
    expect(planSummary(idle)).toContain('## Nothing to run\n');
  });

  test('times are those of each task, and events name each package once', () => {
    const receipts = ran(plan);
    expect([...timingsOfReceipts(receipts, { task: 'test', now: 1e6 }).keys()].sort()).toEqual(['core#lint', 'ui#lint', 'ui#test']);
    const changed = (names: readonly string[]): TaskPlan['affected'] => {
      const { workspaces, ...rest } = affectedOf(names);
      return { ...rest, workspaces: workspaces.map((one) => ({ ...one, reasons: [{ kind: 'file', file: 'x', others: 0 }] })) };
    };
    const both = { ...planOf({ affected: changed(['core', 'ui']) }), affected: changed(['ui']) };
    const events = testEventsOf(both, judged(both), { repo: 'acme/app', stage: 'pr-tests', now: 0 as never });
    expect(events.map((event) => event.package)).toEqual(['ui', 'core']);
  });

  test('a run that only reports counts a workspace once for each task', () => {
    const unselected = [{ workspace: 'core', reason: 'no', path: 'packages/core' }];
    const reporting = { ...planOf({ affected: affectedOf(['ui']), unselected }), unselected: [] };
    const failed = ran(reporting, (name) => (name === 'core#lint' ? { exit: 1 } : {}));
    const report = reportOfRun(reporting, new Map(failed.map((one) => [one.shard, one])));
    expect(report).toMatchObject({ tasks: ['test', 'lint'], planned: 3, leftOut: ['core#lint'], failed: ['core#lint'] });
    expect(describeRun(report)).toEqual([
      'Report only: a selection would have left out 1 of 3 tasks, with 1 s of work.',
      'Failed outside of the selection: core#lint.',
    ]);
    const files = [{ file: 'p', top: '', plan: reporting }, ...failed.map((receipt) => ({ file: 'r', top: '', receipt }))];
    const all = reportOfRuns(files);
    expect(all).toMatchObject({ tasks: ['lint', 'test'], workspaces: 3, leftOut: 1, failedOutside: [{ workspace: 'core#lint' }] });
    expect(renderReport(all, { width: 100, bold: (text) => text })).toContain('left out 1 of 3 tasks, and 1 s of 2 s of work.');
  });
});
