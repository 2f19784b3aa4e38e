import type { Dice } from '@tributary/test-repo/dice';
import type { Machine } from './machine.js';

/** FOR TESTS. A task in the simulated world. Its phases, in seconds, compute and wait in turns; the first one computes. */
export interface WorldTask {
  readonly name: string;
  readonly phases: readonly number[];
  /** The number of processes that compute at the same time. */
  readonly processes: number;
}

/** FOR TESTS. The run of a task: its start, end and processor time, in seconds. */
export interface WorldRun {
  readonly name: string;
  readonly began: number;
  readonly ended: number;
  readonly cpuSeconds: number;
}

interface Process {
  readonly task: WorldTask;
  readonly began: number;
  phase: number;
  /** The remaining seconds of the phase. */
  left: number;
}

const STEP = 0.05;

/**
 * FOR TESTS. Runs tasks on a machine, step by step, in the order of the list. All processes that compute share the processors equally. It
 * does not use the tool's prediction.
 */
export function runWorld(tasks: readonly WorldTask[], { cores, concurrency }: Machine): readonly WorldRun[] {
  const waiting = [...tasks];
  const runs: WorldRun[] = [];
  let running: Process[] = [];
  for (let now = 0; waiting.length > 0 || running.length > 0; now += STEP) {
    while (running.length < concurrency && waiting.length > 0) running.push(...waiting.splice(0, 1).map((task) => start(task, now)));
    const computing = running.filter(isComputing).reduce((sum, { task }) => sum + task.processes, 0);
    for (const one of running) advance(one, isComputing(one) ? Math.min(1, cores / computing) * one.task.processes : 1);
    for (const { task, began } of running.filter(isDone)) {
      const cpuSeconds = task.phases.reduce((sum, seconds, phase) => sum + (phase % 2 === 0 ? seconds : 0), 0);
      runs.push({ name: task.name, began, ended: now + STEP, cpuSeconds });
    }
    running = running.filter((one) => !isDone(one));
  }
  return runs;
}

function start(task: WorldTask, now: number): Process {
  return { task, began: now, phase: 0, left: task.phases[0] ?? 0 };
}

function isComputing({ phase }: Process): boolean {
  return phase % 2 === 0;
}

function isDone({ task, phase }: Process): boolean {
  return phase >= task.phases.length;
}

function advance(one: Process, pace: number): void {
  one.left -= STEP * pace;
  while (one.left <= 0 && !isDone(one)) {
    one.phase++;
    one.left += one.task.phases[one.phase] ?? 0;
  }
}

/** FOR TESTS. Makes typical suites: all start a program, which computes. Then they compute, wait, or do both in turns. */
export function makeSuites(dice: Dice, count: number): readonly WorldTask[] {
  return Array.from({ length: count }, (_, at): WorldTask => {
    const seconds = (1 + dice.below(120)) / 10;
    const starting = 0.5 + dice.below(10) / 10;
    const name = `suite-${String(at).padStart(2, '0')}`;
    switch (dice.below(4)) {
      case 0:
        return { name, processes: 1, phases: [starting, seconds] };
      case 1:
        return { name, processes: 1, phases: [starting + seconds] };
      case 2:
        return { name, processes: 2, phases: [starting + seconds * 2] };
      default:
        return { name, processes: 1, phases: [starting, ...Array.from({ length: 20 }, () => seconds / 20)] };
    }
  });
}

/** FOR TESTS. Returns the suites of another run: in another order, and each a little longer or shorter. */
export function again(dice: Dice, suites: readonly WorldTask[]): readonly WorldTask[] {
  const keyed = suites.map((suite) => ({ suite, key: dice.below(1_000_000), scale: 0.95 + dice.below(100) / 1000 }));
  return keyed.sort((a, b) => a.key - b.key).map(({ suite, scale }) => ({ ...suite, phases: suite.phases.map((one) => one * scale) }));
}
