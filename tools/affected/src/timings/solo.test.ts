import { describe, expect, test } from '@jest/globals';
import { soloSeconds, type TaskSpan } from './solo.js';

type Row = readonly [from: number, to: number, cpuSeconds: number | null];

function spans(...rows: readonly Row[]): readonly TaskSpan[] {
  return rows.map(([from, to, cpuSeconds]) => ({ startedAt: 1e12 + from * 1000, endedAt: 1e12 + to * 1000, cpuSeconds }));
}

function times(count: number, row: Row): readonly Row[] {
  return Array.from({ length: count }, () => row);
}

describe('what tasks would have taken alone, on two processors', () => {
  test.each<[title: string, rows: readonly Row[], seconds: readonly number[]]>([
    ['nothing ran', [], []],
    ['a task that ran alone', [[0, 4, 1]], [4]],
    [
      'one after the other',
      [
        [0, 4, 4],
        [4, 9, 5],
      ],
      [4, 5],
    ],
    [
      'two that computed',
      [
        [0, 4, 4],
        [0, 4, 4],
      ],
      [4, 4],
    ],
    ['many that waited', times(10, [0, 4, 0.2]), Array(10).fill(4)],
    ['many that computed', times(10, [0, 20, 4]), Array(10).fill(4)],
    ['one that waited beside those that computed', [[0, 20, 0.1], ...times(4, [0, 8, 4])], [19.95, 4, 4, 4, 4]],
    ['one that used both processors alone', [[0, 3, 6]], [3]],
    ['nothing is known of the processor', times(10, [0, 20, null]), Array(10).fill(4)],
    [
      'one that took no time',
      [
        [0, 0, 0],
        [0, 4, 1],
      ],
      [0, 4],
    ],
  ])('%s', (_, rows, seconds) => {
    const found = soloSeconds(spans(...rows), 2);
    expect(found).toHaveLength(seconds.length);
    for (const [at, one] of found.entries()) expect(one).toBeCloseTo(seconds[at] ?? Number.NaN, 1);
  });
});
