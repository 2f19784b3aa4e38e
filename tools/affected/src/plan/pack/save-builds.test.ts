import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Filling } from './filling.js';
import { membersOf } from './improve.js';
import type { Load } from './item.js';
import { anyLoads, loadOf } from './load.fixture.js';
import { numbersOf, type Problem, problemOf } from './problem.js';
import { saveBuilds } from './save-builds.js';
import { bestSaving } from './saving-exchange.js';

/** Items on shards at random. */
const spread = fc
  .tuple(
    anyLoads(10).filter(({ items }) => items.length > 0),
    fc.integer({ min: 1, max: 5 }),
    fc.array(fc.nat(), { minLength: 10, maxLength: 10 }),
  )
  .map(([load, shards, places]) => {
    const problem = problemOf(numbersOf(load), shards);
    return { load, problem, filling: fill(problem, places) };
  });

function fill(problem: Problem, places: readonly number[]): Filling {
  const filling = new Filling(problem);
  for (let item = 0; item < problem.count; item++) filling.add(item, (places[item] ?? 0) % problem.shards);
  return filling;
}

/** Returns the load of each shard by the definition. */
function loadsOf(load: Load, { shardOf, loads }: Filling, places: Int32Array): readonly number[] {
  const shards = Array.from(loads, (): number[] => []);
  for (const [item, shard] of shardOf.entries()) shards[shard]?.push(places[item] ?? 0);
  return shards.map((shard) => loadOf(load, shard));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

test('a saving exchange saves, and leaves both shards within the limit', () => {
  fc.assert(
    fc.property(
      spread,
      fc.nat(),
      fc.double({ min: 0.8, max: 1.2, noNaN: true }),
      fc.constantFrom('moves' as const, 'moves and swaps' as const),
      ({ load, problem, filling }, pick, slack, exchanges) => {
        const limit = filling.makespan() * slack;
        const scene = { problem, filling, members: membersOf(problem, filling) };
        const exchange = bestSaving(scene, pick % problem.count, { limit, exchanges });
        if (exchange === undefined) return;
        const { from, to, item, back } = exchange;
        const before = sum(loadsOf(load, filling, problem.places));
        filling.shardOf[item] = to;
        if (back !== -1) filling.shardOf[back] = from;
        const loads = loadsOf(load, filling, problem.places);
        expect(sum(loads)).toBeLessThan(before);
        expect(loads[to]).toBeLessThanOrEqual(limit * (1 + 1e-9));
        if (back !== -1) expect(loads[from]).toBeLessThanOrEqual(limit * (1 + 1e-9));
      },
    ),
  );
});

test('shards become neither longer nor dearer', () => {
  fc.assert(
    fc.property(spread, ({ load, problem, filling }) => {
      const before = loadsOf(load, filling.settled(), problem.places);
      const after = loadsOf(load, saveBuilds(problem, filling.settled(), 0), problem.places);
      expect(Math.max(...after)).toBeLessThanOrEqual(Math.max(...before) * (1 + 1e-9));
      const isShorter = Math.max(...after) < Math.max(...before);
      if (!isShorter) expect(sum(after)).toBeLessThanOrEqual(sum(before) * (1 + 1e-9));
    }),
  );
});

describe('two builds for two items each', () => {
  const items = ['a', 'b', 'c', 'd'].map((name, at) => ({ name, seconds: 10, builds: [at % 2] }));

  test.each<[what: string, apart: string | undefined, total: number]>([
    ['come together with their items', undefined, 60],
    ['stay where items must be kept apart', 'kept', 80],
  ])('%s', (_, apart, total) => {
    const kept = items.map((item) => (item.builds[0] === 0 && apart !== undefined ? { ...item, apart } : item));
    const problem = problemOf(numbersOf({ items: kept, buildSeconds: [10, 10] }), 2);
    // a and b are in one shard, c and d in the other: each machine builds both.
    const start = new Filling(problem);
    for (const [item, place] of problem.places.entries()) start.add(item, place < 2 ? 0 : 1);
    expect(start.total()).toBe(80);
    expect(saveBuilds(problem, start, 0).total()).toBe(total);
  });
});
