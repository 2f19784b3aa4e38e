import { expect, test } from '@jest/globals';
import { Dice } from '@tributary/test-repo/dice';
import type { Machine } from './machine.js';
import { type PredictedPiece, predictShard } from './predict-shard.js';
import { type SimulatedTask, simulate } from './simulate.js';

function piece(seconds: number, cpuSeconds: number): PredictedPiece {
  return { seconds, cpuSeconds, part: null, fresh: false, builds: [], after: [] };
}

/** Returns pieces of 1 to 20 seconds, which compute or wait, and one that waits for long. */
function madeUp(dice: Dice, count: number): readonly PredictedPiece[] {
  const pieces = Array.from({ length: count - 1 }, () => {
    const seconds = 2 ** (dice.below(430) / 100);
    return piece(seconds, dice.chance(50) ? seconds : (seconds * dice.below(50)) / 100);
  });
  return [...pieces, piece(20 + dice.below(20), 1)];
}

/** Returns the mean over many random orders. */
function meanOf(tasks: readonly SimulatedTask[], machine: Machine, dice: Dice): number {
  const orders = 400;
  let sum = 0;
  for (let order = 0; order < orders; order++) {
    const keyed = tasks.map((task) => ({ task, key: dice.below(2 ** 30) }));
    const sorted = keyed.sort((a, b) => a.key - b.key).map(({ task }) => task);
    sum += simulate(sorted, machine);
  }
  return sum / orders;
}

test('a shard is predicted to take what random orders take on average', () => {
  const machine = { cores: 2, concurrency: 4 };
  const dice = new Dice(15);
  const off = Array.from({ length: 20 }, () => {
    const pieces = madeUp(dice, 15);
    return Math.abs(predictShard(pieces, [], machine) / meanOf(pieces, machine, dice) - 1);
  });
  expect(Math.max(...off)).toBeLessThanOrEqual(0.04);
});
