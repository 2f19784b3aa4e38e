import { describe, expect, test } from '@jest/globals';
import { cases } from '@tributary/test-repo/cases';
import fc from 'fast-check';
import { bestExchange } from './exchange.js';
import { Filling } from './filling.js';
import { improve } from './improve.js';
import type { Load } from './item.js';
import { anyLoads } from './load.fixture.js';
import { numbersOf, problemOf } from './problem.js';
import type { Exchange, PackScene } from './scene.js';

/** Loads, spread over shards at random. */
function spread(loads: fc.Arbitrary<Load>): fc.Arbitrary<PackScene> {
  return fc
    .tuple(
      loads.filter(({ items }) => items.length > 0),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.nat(), { minLength: 10, maxLength: 10 }),
    )
    .map(([load, shards, places]) => sceneOf(load, { shards, places }));
}

function sceneOf(load: Load, { shards, places }: { readonly shards: number; readonly places: readonly number[] }): PackScene {
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

/** Makes the exchange on a copy, and returns the larger of the two loads. */
function after({ filling }: PackScene, { from, to, item, back }: Exchange): number {
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

function everyExchange({ problem, members }: PackScene, from: number): readonly Exchange[] {
  const others = Array.from({ length: problem.shards }, (_, to) => to).filter((to) => to !== from);
  return (members[from] ?? []).flatMap((item) =>
    others.flatMap((to) => [-1, ...(members[to] ?? [])].map((back) => ({ from, to, item, back }))),
  );
}

describe('the exchange that is found', () => {
  test('is as good as any, and none is found only where none helps', () => {
    fc.assert(
      fc.property(spread(anyLoads(10)), (scene) => {
        const from = scene.filling.heaviest();
        const load = scene.filling.loads[from] ?? 0;
        const best = Math.min(load, ...everyExchange(scene, from).map((exchange) => after(scene, exchange)));
        const found = bestExchange(scene, from);
        const reached = found === undefined ? load : after(scene, found);
        expect(Math.abs(reached - best)).toBeLessThanOrEqual(load * 1e-9);
        if (found !== undefined) expect(reached).toBeLessThan(load);
      }),
      { numRuns: cases(400) },
    );
  });
});

test('what a third item needs too stays in the shard, whatever is swapped', () => {
  const seconds = [50, 41, 15, 7, 3];
  const load = { items: seconds.map((own, at) => ({ ...item(`p${at}`, own), builds: [0] })), buildSeconds: [100] };
  const scene = sceneOf(load, { shards: 2, places: [0, 0, 1, 1, 0] });
  expect(bestExchange(scene, 0)).toEqual({ from: 0, to: 1, item: 0, back: 2 });
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
