import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type SimulatedTask, simulate } from './simulate.js';

type Row = readonly [seconds: number, cpuSeconds: number, ...after: number[]];

function tasks(...rows: readonly Row[]): readonly SimulatedTask[] {
  return rows.map(([seconds, cpuSeconds, ...after]) => ({ seconds, cpuSeconds, after }));
}

function times(count: number, row: Row): readonly Row[] {
  return Array.from({ length: count }, () => row);
}

describe('a machine', () => {
  test.each<[title: string, rows: readonly Row[], cores: number, concurrency: number, seconds: number]>([
    ['has nothing to do', [], 2, 10, 0],
    [
      'runs one task after the other',
      [
        [4, 0.1],
        [3, 3],
        [2, 0],
      ],
      2,
      1,
      9,
    ],
    ['waits for ten tasks at once', times(10, [4, 0.2]), 2, 10, 4],
    ['waits for ten tasks, four at a time', times(10, [4, 0.2]), 2, 4, 12],
    ['computes ten tasks on two processors', times(10, [4, 4]), 2, 10, 20],
    ['computes one task that wants two processors as quickly as two that want one', [[3, 6]], 2, 10, 3],
    [
      'gives a task that has several processes more than one that has one',
      [
        [3, 6],
        [3, 3],
      ],
      2,
      10,
      4.5,
    ],
    ['lets a task that waits wait, whatever computes beside it', [[10, 0], ...times(4, [2, 2])], 2, 10, 10],
    [
      'goes on faster when fewer are left',
      [
        [1, 1],
        [1, 1],
        [3, 3],
      ],
      2,
      10,
      1.5 + 2,
    ],
    [
      'stretches what a task computes, not what it waits for',
      [
        [4, 2],
        [4, 2],
        [4, 2],
        [4, 2],
        [4, 2],
      ],
      2,
      10,
      5,
    ],
    [
      'begins what comes first in the list',
      [
        [1, 0],
        [1, 0],
        [10, 0],
      ],
      2,
      2,
      11,
    ],
    [
      'waits for builds',
      [
        [2, 2],
        [3, 0, 0],
        [4, 0, 0, 1],
      ],
      2,
      10,
      9,
    ],
    [
      'does other things meanwhile',
      [
        [2, 2],
        [3, 0, 0],
        [4, 0],
      ],
      2,
      10,
      5,
    ],
  ])('%s', (_, rows, cores, concurrency, seconds) => {
    expect(simulate(tasks(...rows), { cores, concurrency })).toBeCloseTo(seconds, 3);
  });
});

describe('laws', () => {
  const machines = fc.record({ cores: fc.integer({ min: 1, max: 8 }), concurrency: fc.integer({ min: 1, max: 12 }) });
  const lists = fc.array(
    fc.record({
      seconds: fc.double({ min: 0.01, max: 500, noNaN: true }),
      share: fc.double({ min: 0, max: 3, noNaN: true }),
      before: fc.array(fc.nat(30), { maxLength: 3 }),
    }),
    { maxLength: 30 },
  );
  const made = fc.tuple(machines, lists).map(([machine, list]) => ({
    machine,
    list: list.map(
      ({ seconds, share, before }, at): SimulatedTask => ({
        seconds,
        cpuSeconds: seconds * Math.min(share, machine.cores),
        after: [...new Set(before.filter((other) => other < at))],
      }),
    ),
  }));

  test('one at a time takes the sum', () => {
    fc.assert(
      fc.property(made, ({ machine, list }) => {
        const sum = list.reduce((total, { seconds }) => total + seconds, 0);
        expect(simulate(list, { ...machine, concurrency: 1 })).toBeCloseTo(sum, 3);
      }),
    );
  });

  test('it is never below the longest, nor below what the processors, or the places, can do', () => {
    fc.assert(
      fc.property(made, ({ machine, list }) => {
        const sumOf = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
        const seconds = list.map((one) => one.seconds);
        const least = Math.max(
          0,
          ...seconds,
          sumOf(seconds) / machine.concurrency,
          sumOf(list.map(({ cpuSeconds }) => cpuSeconds)) / machine.cores,
        );
        expect(simulate(list, machine)).toBeGreaterThanOrEqual(least * 0.9999);
      }),
    );
  });
});
