import type { TurboTask } from '../io/turbo.js';
import { pieceName } from '../plan/plan.js';
import type { Receipt } from '../receipt/receipt.js';
import { isTime, type Timings } from './timings.js';

/** One run of a task, in seconds, and when it began. */
interface Run {
  readonly task: string;
  readonly seconds: number;
  readonly startedAt: number;
}

/** The times in receipts: of what was executed and succeeded. The parts of a workspace are one run, if all of them are there. */
export function timingsOfReceipts(receipts: readonly Receipt[], task: string): Timings {
  const builds = receipts.flatMap((receipt) => receipt.builds.map((build) => runOf(build.task, build)));
  return inOrder([...builds, ...testRuns(receipts, task)]);
}

/** The same of run summaries of turborepo. */
export function timingsOfRuns(runs: readonly (readonly TurboTask[])[]): Timings {
  const executed = runs.flat().filter(({ state, exit }) => state === 'executed' && exit === 0);
  return inOrder(executed.map((one) => runOf(`${one.workspace}#${one.task}`, one)));
}

function testRuns(receipts: readonly Receipt[], task: string): readonly Run[] {
  const whole: Run[] = [];
  const parts = new Map<string, Map<string, Run>>();
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

function sumOf(runs: readonly Run[]): Run {
  const seconds = runs.reduce((sum, run) => sum + run.seconds, 0);
  return { task: runs[0]?.task ?? '', seconds, startedAt: Math.min(...runs.map(({ startedAt }) => startedAt)) };
}

function runOf(task: string, { startedAt, endedAt }: { readonly startedAt: number; readonly endedAt: number }): Run {
  return { task, seconds: (endedAt - startedAt) / 1000, startedAt };
}

/** What no task can have taken is left out: the file would be refused ever after. */
function inOrder(runs: readonly Run[]): Timings {
  const timings = new Map<string, number[]>();
  for (const { task, seconds } of runs.filter((run) => isTime(run.seconds)).sort((a, b) => a.startedAt - b.startedAt))
    timings.set(task, [...(timings.get(task) ?? []), seconds]);
  return timings;
}

function listOf(parts: Map<string, Map<string, Run>>, key: string): Map<string, Run> {
  const known = parts.get(key) ?? new Map<string, Run>();
  parts.set(key, known);
  return known;
}
