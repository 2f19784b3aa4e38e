import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bestBuiltExchange } from './built-exchange.js';
import { Filling } from './filling.js';
import { improve } from './improve.js';
import type { Load } from './item.js';
import { anyLoads, plainLoads } from './load.fixture.js';
import { bestPlainExchange } from './plain-exchange.js';
import { numbersOf, problemOf } from './problem.js';
import type { Exchange, Scene } from './scene.js';

/** Loads, spread over shards without any thought. */
function spread(loads: fc.Arbitrary<Load>): fc.Arbitrary<Scene> {
  return fc
    .tuple(
      loads.filter(({ items }) => items.length > 0),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.nat(), { minLength: 10, maxLength: 10 }),
    )
    .map(([load, shards, places]) => sceneOf(load, { shards, places }));
}

function sceneOf(load: Load, { shards, places }: { readonly shards: number; readonly places: readonly number[] }): Scene {
  const problem = problemOf(numbersOf(load), shards);
  const filling = new Filling(problem);
  const members = Array.from({ length: problem.shards }, (): number[] => []);
  for (let item = 0; item < problem.count; item++) {
    const shard = (places[item] ?? 0) % problem.shards;
    filling.add(item, shard);
    members[shard]?.push(item);
  }
  return { problem, filling, members };
}

/** The larger of the two loads after an exchange that is really made, and taken back. */
function after({ filling }: Scene, { from, to, item, back }: Exchange): number {
  const tried = filling.settled();
  tried.remove(item, from);
  if (back !== -1) {
    tried.remove(back, to);
    tried.add(back, from);
  }
  tried.add(item, to);
  const settled = tried.settled();
  return Math.max(settled.loads[from] ?? 0, settled.loads[to] ?? 0);
}

function everyExchange({ problem, members }: Scene, from: number): readonly Exchange[] {
  const others = Array.from({ length: problem.shards }, (_, to) => to).filter((to) => to !== from);
  return (members[from] ?? []).flatMap((item) =>
    others.flatMap((to) => [-1, ...(members[to] ?? [])].map((back) => ({ from, to, item, back }))),
  );
}

describe.each([
  ['without builds', bestPlainExchange, plainLoads(10)],
  ['with builds', bestBuiltExchange, anyLoads(10)],
] as const)('the exchange that is found, %s', (_, findBest, loads) => {
  test('is as good as any, and none is found only where none helps', () => {
    fc.assert(
      fc.property(spread(loads), (scene) => {
        const from = scene.filling.heaviest();
        const load = scene.filling.loads[from] ?? 0;
        const best = Math.min(load, ...everyExchange(scene, from).map((exchange) => after(scene, exchange)));
        const found = findBest(scene, from);
        const reached = found === undefined ? load : after(scene, found);
        expect(Math.abs(reached - best)).toBeLessThanOrEqual(load * 1e-9);
        if (found !== undefined) expect(reached).toBeLessThan(load);
      }),
    );
  });
});

describe('local search', () => {
  test('never makes it longer, loses nothing, and keeps the books', () => {
    fc.assert(
      fc.property(spread(anyLoads(10)), ({ problem, filling }) => {
        const before = filling.makespan();
        improve(problem, filling, 0);
        const settled = filling.settled();
        expect(settled.makespan()).toBeLessThanOrEqual(before);
        expect([...filling.shardOf].every((shard) => shard >= 0 && shard < problem.shards)).toBe(true);
        for (const [shard, load] of settled.loads.entries())
          expect(Math.abs((filling.loads[shard] ?? 0) - load)).toBeLessThanOrEqual(before * 1e-9);
      }),
    );
  });

  test('stops where it is short enough', () => {
    const { problem, filling } = sceneOf(
      { items: [item('a', 5), item('b', 3), item('c', 1)], buildSeconds: [] },
      { shards: 2, places: [0, 0, 0] },
    );
    improve(problem, filling, 9);
    expect([...filling.loads]).toEqual([9, 0]);
    improve(problem, filling, 0);
    expect([...filling.loads]).toEqual([4, 5]);
  });
});

function item(name: string, seconds: number): Load['items'][number] {
  return { name, seconds, builds: [] };
}
