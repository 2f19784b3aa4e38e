import type { TurboTask } from '../io/turbo.js';
import { pieceName } from '../plan/plan.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { addTimings, type FileTimes, isTime, type Run, type Runs } from './timings.js';

/** One run of a task, in seconds, and when it began. */
interface TaskRun {
  readonly task: string;
  readonly seconds: number;
  readonly startedAt: number;
  readonly testFiles?: number | undefined;
  readonly files?: FileTimes | undefined;
}

/** The runs in receipts: of what was executed and succeeded. The parts of a workspace are one run, if all of them are there. `now`: in milliseconds since 1970. */
export function timingsOfReceipts(receipts: readonly Receipt[], { task, now }: { readonly task: string; readonly now: number }): Runs {
  const builds = receipts.flatMap((receipt) => receipt.builds.map((build) => runOf(build.task, build)));
  return inOrder([...builds, ...testRuns(receipts, task)], now);
}

/** The same of run summaries of turborepo. */
export function timingsOfRuns(runs: readonly (readonly TurboTask[])[], now: number): Runs {
  const executed = runs.flat().filter(({ state, exit }) => state === 'executed' && exit === 0);
  return inOrder(
    executed.map((one) => runOf(`${one.workspace}#${one.task}`, one)),
    now,
  );
}

function testRuns(receipts: readonly Receipt[], task: string): readonly TaskRun[] {
  const whole: TaskRun[] = [];
  const parts = new Map<string, Map<string, TaskRun>>();
  for (const { plan, pieces } of receipts) {
    for (const piece of pieces) {
      if (piece.state !== 'executed' || piece.exit !== 0) continue;
      const run = runOf(`${piece.workspace}#${task}`, piece);
      if (piece.part === null) whole.push(run);
      else listOf(parts, `${plan}\0${piece.workspace}\0${piece.part[1]}`).set(pieceName(piece), run);
    }
  }
  const summed = [...parts].flatMap(([key, runs]) =>
    runs.size === Number(key.slice(key.lastIndexOf('\0') + 1)) ? [sumOf([...runs.values()])] : [],
  );
  return [...whole, ...summed];
}

function sumOf(runs: readonly TaskRun[]): TaskRun {
  const seconds = runs.reduce((sum, run) => sum + run.seconds, 0);
  const { task = '' } = runs[0] ?? {};
  const testFiles = runs.find((run) => run.testFiles !== undefined)?.testFiles;
  // Of all parts, or of none: the rest would seem to take no time.
  const files = runs.every((run) => run.files !== undefined)
    ? Object.fromEntries(runs.flatMap((run) => Object.entries(run.files ?? {})))
    : undefined;
  return { task, seconds, startedAt: Math.min(...runs.map(({ startedAt }) => startedAt)), testFiles, files };
}

function runOf(
  task: string,
  { startedAt, endedAt, testFiles, fileSeconds }: Pick<ReceiptPiece, 'startedAt' | 'endedAt'> & Partial<ReceiptPiece>,
): TaskRun {
  const files = fileSeconds === undefined ? {} : { files: Object.fromEntries(fileSeconds.map(({ file, seconds }) => [file, seconds])) };
  return { task, seconds: (endedAt - startedAt) / 1000, startedAt, testFiles: testFiles ?? undefined, ...files };
}

/**
 * What no task can have taken is left out: the file would be refused ever after. So is what begins later than now, on a machine whose clock
 * is wrong: it would be the newest for a long time. A run that stands there twice counts once.
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
