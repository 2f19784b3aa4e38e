import { compareItems, type Load } from '@tributary/affected/plan/pack/item';
import { pack } from '@tributary/affected/plan/pack/pack';

/** A way of distributing items over shards; returns the seconds of the longest one. */
export interface Rival {
  readonly name: string;
  readonly makespan: (load: Load, shards: number) => number;
}

export const OURS = 'ours';

/** The algorithms of usual CI set-ups, and ours. They ignore builds. */
export const RIVALS: readonly Rival[] = [
  { name: 'round-robin', makespan: (load, shards) => spread(load, shards, (at) => at % shards) },
  { name: 'path hash', makespan: (load, shards) => spread(load, shards, (_, name) => hash(name) % shards) },
  { name: 'contiguous', makespan: (load, shards) => spread(load, shards, (at) => Math.floor((at * shards) / load.items.length)) },
  { name: 'LPT', makespan: longestFirst },
  { name: OURS, makespan: (load, shards) => pack(load, shards).makespan },
];

/** `shardOf` gets the alphabetical index. */
function spread({ items }: Load, shards: number, shardOf: (at: number, name: string) => number): number {
  const loads = new Float64Array(shards);
  const sorted = [...items].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const [at, { name, seconds }] of sorted.entries()) {
    const shard = shardOf(at, name);
    loads[shard] = (loads[shard] ?? 0) + seconds;
  }
  return Math.max(...loads);
}

function longestFirst({ items }: Load, shards: number): number {
  const loads = new Float64Array(shards);
  for (const { seconds } of [...items].sort(compareItems)) {
    const lightest = loads.indexOf(Math.min(...loads));
    loads[lightest] = (loads[lightest] ?? 0) + seconds;
  }
  return Math.max(...loads);
}

/** FNV-1a. */
function hash(text: string): number {
  let hashed = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hashed = Math.imul(hashed ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hashed;
}
