import { pieceName, wholeName } from '../plan/plan.js';
import type { Receipt, ReceiptBuild, ReceiptPiece } from '../receipt/receipt.js';
import { soloSeconds, type TaskSpan } from './solo.js';
import { addTimings, isTime, type Run, type Runs } from './timings.js';

/** One run of a task. */
interface TaskRun extends Run {
  readonly task: string;
  readonly startedAt: number;
}

/**
 * Returns the runs in receipts: tasks that ran and succeeded. The parts of a workspace are one run, if all are present. The seconds are
 * those that each task would have taken alone on the machine. `task`: where a receipt does not name one. `now`: in
 * milliseconds since 1970.
 */
export function timingsOfReceipts(receipts: readonly Receipt[], { task, now }: { readonly task: string; readonly now: number }): Runs {
  const alone = receipts.map(withSoloTimes);
  const builds = alone.flatMap((receipt) => receipt.builds.map((build) => ({ ...build.run, task: build.task })));
  return inOrder([...builds, ...testRuns(alone, task)], now);
}

interface WithRun {
  readonly run: Omit<TaskRun, 'task'>;
}

/** A receipt with the time that each task would have taken alone. */
interface SoloReceipt {
  readonly plan: string;
  readonly pieces: readonly (ReceiptPiece & WithRun)[];
  readonly builds: readonly (ReceiptBuild & WithRun)[];
}

function withSoloTimes({ plan, cores, concurrency, pieces, builds }: Receipt): SoloReceipt {
  const executed = pieces.filter(({ state }) => state === 'executed');
  const spans: readonly TaskSpan[] = [...executed, ...builds];
  const seconds = new Map(soloSeconds(spans, cores).map((one, at) => [spans[at], one]));
  const runOf = (one: TaskSpan & Partial<Pick<ReceiptPiece, 'testFiles' | 'tests' | 'fileSeconds'>>): WithRun['run'] => ({
    seconds: inMilliseconds(seconds.get(one) ?? 0),
    startedAt: one.startedAt,
    testFiles: one.testFiles ?? undefined,
    tests: one.tests,
    cpuSeconds: one.cpuSeconds === null ? undefined : inMilliseconds(one.cpuSeconds),
    cores,
    concurrency,
    files: one.fileSeconds && Object.fromEntries(one.fileSeconds.map(({ file, seconds: took }) => [file, took])),
  });
  const withRun = <One extends TaskSpan>(one: One): One & WithRun => ({ ...one, run: runOf(one) });
  return { plan, pieces: executed.map(withRun), builds: builds.map(withRun) };
}

function testRuns(receipts: readonly SoloReceipt[], task: string): readonly TaskRun[] {
  const whole: TaskRun[] = [];
  const parts = new Map<string, Map<string, TaskRun>>();
  for (const { plan, pieces } of receipts) {
    for (const piece of pieces) {
      if (piece.exit !== 0) continue;
      const run = { ...piece.run, task: `${piece.workspace}#${piece.task ?? task}` };
      if (piece.part === null) whole.push(run);
      else listOf(parts, `${plan}\0${wholeName(piece)}\0${piece.part[1]}`).set(pieceName(piece), run);
    }
  }
  const summed = [...parts].flatMap(([key, runs]) => {
    const [first, ...others] = runs.values();
    return first !== undefined && runs.size === Number(key.slice(key.lastIndexOf('\0') + 1)) ? [sumOf([first, ...others])] : [];
  });
  return [...whole, ...summed];
}

function sumOf(runs: readonly [TaskRun, ...TaskRun[]]): TaskRun {
  const [first] = runs;
  const cpu = runs.flatMap(({ cpuSeconds }) => cpuSeconds ?? []);
  const tests = runs.flatMap((run) => run.tests ?? []);
  return {
    ...first,
    seconds: sum(runs.map(({ seconds }) => seconds)),
    startedAt: Math.min(...runs.map(({ startedAt }) => startedAt)),
    testFiles: runs.find((run) => run.testFiles !== undefined)?.testFiles,
    tests: tests.length === runs.length ? sum(tests) : undefined,
    cpuSeconds: cpu.length === runs.length ? sum(cpu) : undefined,
    // Only if all parts have times: the other files would seem to take no time.
    files: runs.every(({ files }) => files !== undefined)
      ? Object.fromEntries(runs.flatMap(({ files = {} }) => Object.entries(files)))
      : undefined,
  };
}

/** Rounds to the precision of a timings file. */
function inMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0);
}

/**
 * Omits impossible times, because the file would be rejected ever after. Omits runs that begin in the future, from a machine with a wrong
 * clock, because they would stay the newest for long. A repeated run counts once.
 */
function inOrder(runs: readonly TaskRun[], now: number): Runs {
  const byTask = new Map<string, Run[]>();
  for (const { task, ...run } of runs) {
    const { seconds, startedAt } = run;
    if (!isTime(seconds) || startedAt < 0 || startedAt > now) continue;
    byTask.set(task, [...(byTask.get(task) ?? []), run]);
  }
  return addTimings(new Map(), byTask);
}

function listOf(parts: Map<string, Map<string, TaskRun>>, key: string): Map<string, TaskRun> {
  const known = parts.get(key) ?? new Map<string, TaskRun>();
  parts.set(key, known);
  return known;
}
