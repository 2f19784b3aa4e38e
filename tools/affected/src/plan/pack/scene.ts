import type { Filling } from './filling.js';
import type { Problem } from './problem.js';

/** Shards under improvement. */
export interface PackScene {
  readonly problem: Problem;
  readonly filling: Filling;
  /** By shard: its items, ascending by rank, hence longest first. */
  readonly members: readonly (readonly number[])[];
}

/** Moves an item from one shard to another, and one of that back, or none (-1). */
export interface Exchange {
  readonly from: number;
  readonly to: number;
  readonly item: number;
  readonly back: number;
}

/** Differences below this fraction of a load may be rounding. */
export const ROUNDING = 1e-12;

/** Tells whether an exchange keeps items apart that must be. */
export function isAllowed(filling: Filling, { from, to, item, back }: Exchange): boolean {
  return filling.allows(item, to) && (back === -1 || filling.allows(back, from));
}
