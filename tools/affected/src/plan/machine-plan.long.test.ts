import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { planInput, workspaceOf } from './build-plan.fixture.js';
import { buildPlan } from './build-plan.js';
import type { Machine } from './machine.js';
import { type Plan, pieceName } from './plan.js';
import type { PlanInput } from './plan-input.js';
import { formatPlan, parsePlan } from './seal.js';

// Plans for machines that run several tasks at the same time.

/** The tests of a workspace, in seconds: alone, the computing part of it, and the build. */
interface Tested {
  readonly seconds: number;
  readonly cpu?: number | undefined;
  readonly building?: number;
  readonly files?: number;
  readonly after?: readonly string[];
}

const TEN: Machine = { cores: 2, concurrency: 10 };

function given(tested: Readonly<Record<string, Tested>>, more: Partial<PlanInput> = {}): PlanInput {
  const all = Object.entries(tested);
  const workspaces = all.map(([name, { after = [] }]) => workspaceOf(name, { build: 'tsc', test: 'jest' }, after));
  const files = new Map(all.map(([name, one]) => [name, one.files ?? 0]));
  return planInput(workspaces, {
    timings: new Map(
      all.flatMap(([name, { seconds, building }]): readonly (readonly [string, readonly number[]])[] => [
        [`${name}#test`, [seconds]],
        [`${name}#build`, building === undefined ? [] : [building]],
      ]),
    ),
    cpuSeconds: new Map(all.map(([name, { cpu }]) => [`${name}#test`, cpu === undefined ? [] : [cpu]])),
    machine: TEN,
    testFiles: files,
    listedFiles: files,
    ...more,
  });
}

function times(count: number, one: Tested): Readonly<Record<string, Tested>> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, one]));
}

function secondsIn({ shards }: Plan): readonly number[] {
  return shards.map(({ seconds }) => seconds);
}

describe('one shard', () => {
  test.each<[title: string, tested: Readonly<Record<string, Tested>>, machine: Machine, seconds: number]>([
    ['waits for ten tests at once', times(10, { seconds: 4, cpu: 0.3 }), TEN, 4],
    ['waits for them one after the other, if it runs one at once', times(10, { seconds: 4, cpu: 0.3 }), { cores: 2, concurrency: 1 }, 40],
    ['waits for twenty in two turns', times(20, { seconds: 4, cpu: 0.3 }), TEN, 8],
    ['computes ten tests on two processors', times(10, { seconds: 4, cpu: 4 }), TEN, 20],
    ['takes tests for computing of which nobody knows', times(10, { seconds: 4 }), TEN, 20],
    ['takes the others for like those that are known', { ...times(5, { seconds: 4, cpu: 0.4 }), a: { seconds: 4 } }, TEN, 4],
    ['builds first', { lib: { seconds: 1, cpu: 0, building: 3 }, app: { seconds: 4, cpu: 0.4, after: ['lib'] } }, TEN, 7],
    [
      'builds one thing after the other, if it has to',
      {
        a: { seconds: 1, cpu: 0, building: 3 },
        b: { seconds: 1, cpu: 0, building: 2, after: ['a'] },
        c: { seconds: 4, cpu: 0, after: ['b'] },
      },
      TEN,
      9,
    ],
  ])('%s', (_, tested, machine, seconds) => {
    const [first, ...others] = secondsIn(buildPlan(given(tested, { machine })));
    expect(first).toBeCloseTo(seconds, 1);
    expect(others).toEqual([]);
  });

  test('says what everything would take on such a machine', () => {
    expect(buildPlan(given(times(10, { seconds: 4, cpu: 0.3 }))).everythingSeconds).toBeCloseTo(4, 1);
  });
});

describe('several shards', () => {
  const shards = (count: number): PlanInput['shardRequest'] => ({ setupSeconds: 1, maxShards: 20, shards: count });

  test('are no more than help: ten tests that wait are done on one as early as on five', () => {
    const plan = buildPlan(given(times(10, { seconds: 4, cpu: 0.3 }), { shardRequest: shards(5) }));
    expect([plan.shards.length, plan.unusedShards]).toEqual([1, 4]);
  });

  test('share what is computed', () => {
    const seconds = secondsIn(buildPlan(given(times(10, { seconds: 4, cpu: 4 }), { shardRequest: shards(5) })));
    expect(seconds).toHaveLength(5);
    for (const one of seconds) expect(one).toBeCloseTo(4, 1);
  });

  test('cut a suite that is longer alone than the others take together, though it leaves the machine to them', () => {
    const tested = { long: { seconds: 100, cpu: 10, files: 40 }, ...times(10, { seconds: 10, cpu: 5 }) };
    const plan = buildPlan(given(tested, { shardRequest: shards(4) }));
    const parts = plan.shards.flatMap(({ pieces }) => pieces.filter(({ workspace }) => workspace === 'long').map(pieceName));
    expect(parts.length).toBeGreaterThan(1);
    expect(Math.max(...secondsIn(plan))).toBeLessThan(60);
  });

  test('run a part while they run nothing else, and count it so', () => {
    const plan = buildPlan(given({ long: { seconds: 100, cpu: 1, files: 40 } }, { shardRequest: shards(2) }));
    expect(secondsIn(plan)).toEqual([50, 50]);
  });

  test('are as many as a time takes', () => {
    const shardRequest = { setupSeconds: 1, maxShards: 20, targetSeconds: 11 };
    const plan = buildPlan(given(times(20, { seconds: 4, cpu: 4 }), { shardRequest }));
    expect(plan.shards.length).toBeLessThanOrEqual(5);
    expect(Math.max(...secondsIn(plan))).toBeLessThanOrEqual(10);
  });
});

describe('whatever the machine', () => {
  const tested = fc.record({
    seconds: fc.integer({ min: 1, max: 900 }),
    share: fc.option(fc.double({ min: 0, max: 2, noNaN: true }), { nil: undefined }),
    building: fc.integer({ min: 0, max: 60 }),
    files: fc.nat(30),
    below: fc.subarray(['p0', 'p1', 'p2', 'p3']),
  });
  const machines = fc.record({ cores: fc.integer({ min: 1, max: 8 }), concurrency: fc.integer({ min: 1, max: 12 }) });
  const requests = fc
    .record({ setupSeconds: fc.integer({ min: 1, max: 100 }), maxShards: fc.integer({ min: 1, max: 8 }), way: fc.nat(2) })
    .map(({ way, ...size }) => [size, { ...size, shards: size.maxShards }, { ...size, targetSeconds: 300 }][way] ?? size);
  const inputs = fc.tuple(fc.array(tested, { maxLength: 12 }), machines, requests).map(([all, machine, shardRequest]) =>
    given(
      Object.fromEntries(
        all.map(({ share, below, ...one }, at) => {
          const after = below.filter((name) => Number(name.slice(1)) < at && at < all.length);
          return [`p${at}`, { ...one, cpu: share === undefined ? undefined : one.seconds * Math.min(share, machine.cores), after }];
        }),
      ),
      { machine, shardRequest },
    ),
  );

  test('no shard is shorter than its longest piece', () => {
    fc.assert(
      fc.property(inputs, (one) => {
        const { shards } = buildPlan(one);
        for (const { pieces, seconds, builds } of shards) {
          expect(seconds).toBeGreaterThanOrEqual(Math.max(...pieces.map((piece) => piece.seconds)) * 0.999 - 0.01);
          expect(builds).toBeLessThanOrEqual(seconds);
        }
        expect(secondsIn({ shards } as Plan)).toEqual(secondsIn({ shards } as Plan).toSorted((a, b) => b - a));
      }),
    );
  });

  test('one task at once is as if nothing were known of the machine', () => {
    fc.assert(
      fc.property(inputs, ({ machine, cpuSeconds = new Map(), ...one }) => {
        const about = { cores: machine?.cores ?? 1, concurrency: 1 };
        const alone = buildPlan({ ...one, cpuSeconds, machine: about });
        expect({ ...alone, hash: '', machine: null }).toEqual({ ...buildPlan(one), hash: '' });
      }),
    );
  });

  test('the plan is the same in whatever order workspaces are read, and as it is written', () => {
    fc.assert(
      fc.property(inputs, (one) => {
        const plan = buildPlan(one);
        expect(buildPlan({ ...one, workspaces: one.workspaces.toReversed() })).toEqual(plan);
        expect(parsePlan(formatPlan(plan), 'plan.json')).toEqual(plan);
      }),
    );
  });
});
