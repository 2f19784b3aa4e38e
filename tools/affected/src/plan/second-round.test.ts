import { describe, expect, test } from '@jest/globals';
import { Dice } from '@tributary/test-repo/dice';
import type { Receipt } from '../receipt/receipt.js';
import { timingsOfReceipts } from '../timings/collect.js';
import { addTimings, cpuSecondsOf, machineOf, type Runs, runsOn, secondsOf } from '../timings/timings.js';
import { planInput, workspaceOf } from './build-plan.fixture.js';
import { buildPlan } from './build-plan.js';
import type { Machine } from './machine.js';
import { again, makeSuites, runWorld, type WorldTask } from './world.fixture.js';

// From the receipts of one round to the prediction for the next one, in a simulated world where processes share processors step by step.

const SUITES = 30;

interface Round {
  readonly seconds: number;
  readonly receipt: Receipt;
}

/** Runs a round. `number` is that of the round, and sets its times. */
function run(suites: readonly WorldTask[], machine: Machine, number: number): Round {
  const from = number * 1_000_000_000;
  const runs = runWorld(suites, machine);
  const seconds = Math.max(...runs.map(({ ended }) => ended));
  const pieces = runs.map(({ name, began, ended, cpuSeconds }) => ({
    workspace: name,
    part: null,
    state: 'executed' as const,
    taskHash: 'h',
    exit: 0,
    testFiles: null,
    startedAt: Math.round(from + began * 1000),
    endedAt: Math.round(from + ended * 1000),
    cpuSeconds,
  }));
  const where = { workTree: 'clean', checkout: 'x', ...machine, startedAt: from, endedAt: from + seconds * 1000 } as const;
  const receipt: Receipt = { schemaVersion: 2, plan: 'p', shard: '01', attempt: 1, commit: 'c', ...where, pieces, builds: [] };
  return { seconds, receipt };
}

function collect(known: Runs, { receipt }: Round): Runs {
  return addTimings(known, timingsOfReceipts([receipt], { task: 'test', now: Number.MAX_SAFE_INTEGER }));
}

function predict(known: Runs): number {
  const machine = machineOf(known);
  const runs = runsOn(known, machine);
  const workspaces = makeSuites(new Dice(1), SUITES).map(({ name }) => workspaceOf(name, { test: 'node test.js' }));
  const plan = buildPlan(planInput(workspaces, { timings: secondsOf(runs), cpuSeconds: cpuSecondsOf(runs), machine }));
  return plan.shards[0]?.seconds ?? Number.NaN;
}

/**
 * Returns the predicted time divided by the real one, for several worlds. `before` is the machine of the first two rounds, if it differs.
 */
function ratios(machine: Machine, before?: Machine): readonly number[] {
  return Array.from({ length: 4 }, (_, seed) => {
    const dice = new Dice(seed + 1);
    const suites = makeSuites(dice, SUITES);
    const earlier = before === undefined ? [] : [run(again(dice, suites), before, 1), run(again(dice, suites), before, 2)];
    const known = [...earlier, run(again(dice, suites), machine, 3)].reduce(collect, new Map() as Runs);
    return predict(known) / run(again(dice, suites), machine, 4).seconds;
  });
}

const CONCURRENCIES = [1, 2, 4, 10];

const cores = 2;

describe('on two processors', () => {
  test.each(CONCURRENCIES)('with %d tasks at once, the second round takes what was predicted, within a fifth', (concurrency) => {
    for (const ratio of ratios({ cores, concurrency })) expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(0.2);
  });

  test.each([
    [1, 10],
    [10, 1],
    [2, 10],
    [10, 4],
  ])('the same, when %d at once become %d and one round was run so', (from, to) => {
    for (const ratio of ratios({ cores, concurrency: to }, { cores, concurrency: from }))
      expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(0.2);
  });
});
