import fc from 'fast-check';
import { type Choice, choosePlan, type SizeRequest } from './choose.js';
import { ROUNDING } from './count.js';
import { type Item, type Load, longestOf, secondsAlone, secondsTogether } from './item.js';
import { Packer, type Packing } from './pack.js';

/** FOR TESTS. Items that need no builds, called a, b, c, … */
export function plainLoad(...seconds: readonly number[]): Load {
  return { items: seconds.map((own, at) => ({ name: letters(at), seconds: own, builds: [] })), buildSeconds: [] };
}

function letters(at: number): string {
  return at < 26 ? String.fromCharCode(97 + at) : `${letters(Math.floor(at / 26) - 1)}${letters(at % 26)}`;
}

/** FOR TESTS. Returns the names in each shard. */
export function namesIn({ items }: Load, { shards }: Packing): readonly string[] {
  return shards.map((shard) => shard.map((place) => items[place]?.name).join(' '));
}

/** FOR TESTS. Returns the time of a shard by the definition. */
export function loadOf({ items, buildSeconds }: Load, places: readonly number[]): number {
  const builds = new Set(places.flatMap((place) => items[place]?.builds ?? []));
  const building = [...builds].reduce((sum, build) => sum + (buildSeconds[build] ?? 0), 0);
  return places.reduce((sum, place) => sum + (items[place]?.seconds ?? 0), building);
}

/** FOR TESTS. Returns the shortest possible makespan by trying everything; for a handful of items. */
export function shortestOf(load: Load, shards: number, filled: readonly (readonly number[])[] = []): number {
  const place = filled.flat().length;
  if (place === load.items.length) return Math.max(0, ...filled.map((shard) => loadOf(load, shard)));
  const next = filled.map((_, at) => filled.map((shard, other) => (other === at ? [...shard, place] : shard)));
  // All empty shards are alike: one of them is enough.
  if (filled.length < shards) next.push([...filled, [place]]);
  return Math.min(...next.map((one) => shortestOf(load, shards, one)));
}

/** FOR TESTS. The textbook LPT algorithm. */
export function longestFirst(load: Load, shards: number): number {
  const { items } = load;
  const places = [...items.keys()].sort(
    (a, b) => (items[b]?.seconds ?? 0) - (items[a]?.seconds ?? 0) || ((items[a]?.name ?? '') < (items[b]?.name ?? '') ? -1 : 1),
  );
  const filled = Array.from({ length: Math.min(shards, items.length) }, (): number[] => []);
  for (const place of places) {
    const after = filled.map((shard) => loadOf(load, [...shard, place]));
    filled[after.indexOf(Math.min(...after))]?.push(place);
  }
  return Math.max(0, ...filled.map((shard) => loadOf(load, shard)));
}

/** FOR TESTS. Typical times: often equal, usual ones, and absurd ones. */
const anySeconds = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 4, arbitrary: fc.double({ min: 0.1, max: 600, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(1e-9, 1e9) },
);

/** FOR TESTS. Loads without builds. */
export function plainLoads(maxItems: number): fc.Arbitrary<Load> {
  return fc.array(anySeconds, { maxLength: maxItems }).map((seconds) => plainLoad(...seconds));
}

/** FOR TESTS. Loads with builds, some of which take no time. No build depends on another here. */
function builtLoads(maxItems: number): fc.Arbitrary<Load> {
  const buildSeconds = fc.array(fc.oneof(fc.constant(0), anySeconds), { minLength: 1, maxLength: 6 });
  return fc.tuple(buildSeconds, plainLoads(maxItems)).chain(([seconds, { items }]) => {
    const needs = items.map(() => fc.uniqueArray(fc.nat(seconds.length - 1), { maxLength: 4 }));
    return fc.tuple(...needs).map((lists) => ({
      items: items.map((item, at): Item => ({ ...item, builds: lists[at] ?? [] })),
      buildSeconds: seconds,
    }));
  });
}

export function anyLoads(maxItems: number): fc.Arbitrary<Load> {
  return fc.oneof(plainLoads(maxItems), builtLoads(maxItems));
}

/** FOR TESTS. Packs a load of items that are not split, as requested. */
export function chooseShards(load: Load, shardRequest: SizeRequest): Choice {
  const packer = new Packer(load);
  const planner = {
    planFor: (shards: number) => ({ packing: packer.pack(shards) }),
    sketchFor: (shards: number) => packer.sketch(shards),
    longest: longestOf(load.items.map((item) => secondsAlone(item, load.buildSeconds))),
    total: secondsTogether(load),
  };
  const { plan, unused } = choosePlan(planner, shardRequest);
  return { packing: plan.packing, unused };
}

/** FOR TESTS. Tells whether a choice ends within the requested time. If nothing runs, there is no set-up. */
export function isInTime({ packing: { shards, makespan } }: Choice, { setupSeconds, targetSeconds = 0 }: SizeRequest): boolean {
  return (shards.length === 0 ? 0 : setupSeconds + makespan) <= targetSeconds * ROUNDING;
}
