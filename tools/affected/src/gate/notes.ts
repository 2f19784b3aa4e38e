import { kindOfTask, type TaskKind } from '@tributary/workspaces/task-kinds';
import { countOf } from '../describe.js';
import { type Plan, pieceName, wholeName } from '../plan/plan.js';
import { flawsOf, plansByTask, tasksOf } from '../plan/plans-by-task.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { describeRetried, firstTests } from '../report/retried-tests.js';
import { describeFlaws } from '../scripts/script-flaw.js';
import { fewerTests } from './test-counts.js';

/** A fact that a pass does not show: not a problem, but worth knowing. */
export interface Note {
  readonly kind: 'base' | 'dirty' | 'shared' | 'flaky' | 'retried' | 'only' | 'fewer' | 'untold' | 'untested' | 'unheeded' | 'script';
  /** `null`: it is about all of them. */
  readonly shard: string | null;
  readonly message: string;
}

/** What a pass must not hide: a sentence for each, without its end, which names the place of the notes. */
export function leftOutIn(notes: readonly Note[]): readonly string[] {
  const has = (wanted: Note['kind']): boolean => notes.some(({ kind }) => kind === wanted);
  return [...(has('only') ? ['Not all of their tests ran'] : []), ...(has('fewer') ? ['Fewer tests ran than before'] : [])];
}

/** Notes on what ran; `all`: every receipt that was found, `counted`: of each shard the one that counts. Ordered by shard. */
export function notesOn(plan: Plan, { all, counted }: Record<'all' | 'counted', readonly Receipt[]>): readonly Note[] {
  const sorted = counted.toSorted((a, b) => (a.shard < b.shard ? -1 : 1));
  return [
    ...base(plan),
    ...scripts(plan),
    ...fewer(plan, counted),
    ...untold(plan, counted),
    ...sorted.flatMap((receipt) => [
      ...dirty(receipt),
      ...shared(receipt, counted),
      ...flaky(receipt, all),
      ...retried(receipt),
      ...only(receipt),
      ...untested(receipt),
      ...unheeded(receipt),
    ]),
  ];
}

/** Once, if it is the same for several tasks. */
function base(plan: Plan): readonly Note[] {
  const reasons = new Set(tasksOf(plan).flatMap(({ atBase }) => atBase.unknown ?? []));
  return [...reasons].map((why) => ({ kind: 'base', shard: null, message: `Unknown which workspaces had the task before: ${why}` }));
}

function dirty({ shard, workTree }: Receipt): readonly Note[] {
  if (workTree === 'clean') return [];
  const message =
    workTree === 'dirty'
      ? `Shard ${shard} ran on tracked files that differ from those of the commit.`
      : `Shard ${shard}: git could not determine whether the tracked files match the commit.`;
  return [{ kind: 'dirty', shard, message }];
}

/** Compares times only within one checkout, because only times of the same machine are comparable. */
function shared(receipt: Receipt, counted: readonly Receipt[]): readonly Note[] {
  const { shard, checkout, startedAt, endedAt } = receipt;
  const others = counted.filter(
    (other) => other !== receipt && other.checkout === checkout && other.startedAt < endedAt && startedAt < other.endedAt,
  );
  if (others.length === 0) return [];
  const ids = others.map((other) => other.shard).sort();
  const message = `Shard ${shard} ran in one checkout at the same time as ${ids.join(', ')}: each may have changed files of the other.`;
  return [{ kind: 'shared', shard, message }];
}

/** Finds pieces that failed before on the same content and pass now. Receipts of attempts before the plan count too. */
function flaky(receipt: Receipt, all: readonly Receipt[]): readonly Note[] {
  const earlier = all.filter(
    ({ attempt, commit, workTree }) => attempt < receipt.attempt && commit === receipt.commit && workTree !== 'dirty',
  );
  if (receipt.workTree === 'dirty') return [];
  return receipt.pieces.flatMap((piece) => {
    const asBuild = all.find((one) => hasFailedAsBuild(one, piece, receipt));
    const before = earlier.find((one) => failedIn(one, piece, receipt) !== undefined);
    const failed = before?.attempt ?? piece.failedBefore;
    const { failures: tests = [] } = (before && failedIn(before, piece, receipt)) ?? piece;
    if (piece.exit !== 0 || (failed === undefined && asBuild === undefined)) return [];
    const when =
      failed === undefined
        ? `before another task in shard ${asBuild?.shard}, attempt ${asBuild?.attempt},`
        : failed < receipt.attempt
          ? `in attempt ${failed}`
          : 'when its shard ran before';
    const which = tests.length === 0 ? '' : ` Failed then: ${firstTests(tests)}.`;
    const message = `${pieceName(piece)} is flaky: it failed ${when} and passed in attempt ${receipt.attempt}, on the same commit.${which}`;
    return [{ kind: 'flaky', shard: receipt.shard, message } as const];
  });
}

function retried({ shard, pieces }: Receipt): readonly Note[] {
  return pieces.flatMap((piece) => {
    const message = describeRetried(piece);
    return message === undefined ? [] : [{ kind: 'retried', shard, message } as const];
  });
}

/** A test that somebody is at work on, and forgot; or a runner whose settings leave out tests by their names. */
function only({ shard, pieces }: Receipt): readonly Note[] {
  return pieces.flatMap((piece) => {
    const { only: places = [], exit } = piece;
    if (exit !== 0 || places.length === 0) return [];
    const why = /:\d+$/.test(places[0] ?? '') ? 'has `.only`, and' : 'passed, but';
    const message = `${pieceName(piece)} ${why} some of its tests did not run: ${places.slice(0, SHOWN).join(', ')}${restOf(places)}.`;
    return [{ kind: 'only', shard, message } as const];
  });
}

/** No test at all is a problem, unless somebody agreed. */
function fewer(plan: Plan, counted: readonly Receipt[]): readonly Note[] {
  const all = fewerTests(plan, counted);
  return all.flatMap(({ name, tests, before, agreed }): readonly Note[] => {
    if (tests === undefined || tests >= before || (tests === 0 && agreed === undefined)) return [];
    const message = `${name}: ${countOf(tests, 'test')} ran, and ${before} in its newest known run.`;
    return [{ kind: 'fewer', shard: null, message: agreed === undefined ? message : `${message} Dropped: ${agreed}` }];
  });
}

/**
 * In one note: where no job watches its tests, none has a number. Workspaces whose tests are known from before come first: there the script
 * may have changed.
 */
function untold(plan: Plan, counted: readonly Receipt[]): readonly Note[] {
  const ofBefore = fewerTests(plan, counted).filter(({ tests }) => tests === undefined);
  const silent = counted.flatMap(({ pieces }) => pieces.filter(isSilent));
  function isSilent({ task = plan.task, exit, tests }: ReceiptPiece): boolean {
    return exit === 0 && tests === undefined && !RUNS_NO_TESTS.has(kindOfTask(task));
  }
  const names = [...new Set([...ofBefore.map(({ name }) => name), ...silent.map(wholeName).sort()])];
  const message = `No runner told how many tests ran in ${shownOf(names)}: they may have ended early, or not have run.`;
  return names.length === 0 ? [] : [{ kind: 'untold', shard: null, message }];
}

/** Nobody expects a number of tests from these. */
const RUNS_NO_TESTS: ReadonlySet<TaskKind> = new Set(['build', 'lint', 'format']);

/** Many: whoever looks for a workspace must find it. */
const SHOWN_NAMES = 20;

function shownOf(names: readonly string[]): string {
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : '';
  return `${names.slice(0, SHOWN_NAMES).join(', ')}${more}`;
}

/** With `strictScripts`, a script that discards an exit code is a problem. */
function scripts(plan: Plan): readonly Note[] {
  const told = plansByTask(plan).flatMap((one) =>
    flawsOf(one).filter(({ kind }) => kind !== 'discards' || one.plan.strictScripts !== true),
  );
  return describeFlaws(told).map((message) => ({ kind: 'script', shard: null, message: `${message}.` }));
}

/** In one note: some teams give each workspace the same script, with tests or without. */
function untested({ shard, pieces }: Receipt): readonly Note[] {
  const names = pieces.filter((piece) => piece.exit === 0 && piece.tests === 0).map(pieceName);
  if (names.length === 0) return [];
  return [{ kind: 'untested', shard, message: `Shard ${shard}: no test ran in ${shownOf(names)}, and that passed.` }];
}

const SHOWN = 5;

function restOf(names: readonly string[]): string {
  return names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
}

/** Some scripts pass whatever their tests do. */
function unheeded({ shard, pieces }: Receipt): readonly Note[] {
  return pieces.flatMap((piece) => {
    if (piece.exit !== 0 || piece.unheeded === undefined) return [];
    const message = `${pieceName(piece)} passed although ${countOf(piece.unheeded, 'test')} failed: its script ignores the result of its runner.`;
    return [{ kind: 'unheeded', shard, message } as const];
  });
}

/** Returns a piece as it failed in a receipt. For another plan, only turborepo's hash shows that it was the same task. */
function failedIn({ plan, pieces }: Receipt, piece: ReceiptPiece, of: Receipt): ReceiptPiece | undefined {
  const name = pieceName(piece);
  return pieces.find((one) => one.exit !== 0 && pieceName(one) === name && (plan === of.plan || one.taskHash === piece.taskHash));
}

/** Tells whether a piece of several tasks failed where it ran before another one. */
function hasFailedAsBuild({ plan, commit, workTree, failedBuilds = [] }: Receipt, piece: ReceiptPiece, of: Receipt): boolean {
  return plan === of.plan && commit === of.commit && workTree !== 'dirty' && failedBuilds.some(({ task }) => task === wholeName(piece));
}
