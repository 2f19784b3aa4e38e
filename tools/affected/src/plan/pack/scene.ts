import type { Filling } from './filling.js';
import type { Problem } from './problem.js';

/** Shards under improvement. */
export interface PackScene {
  readonly problem: Problem;
  readonly filling: Filling;
  /** By shard: its items, ascending by rank, hence longest first. */
  readonly members: readonly (readonly number[])[];
}

/** An item of one shard goes to another, and one of that comes back, or nothing (-1). */
export interface Exchange {
  readonly from: number;
  readonly to: number;
  readonly item: number;
  readonly back: number;
}

/** What is less than this part of a load may be rounding. */
export const ROUNDING = 1e-12;

/** Whether no items come together that must be kept apart. */
export function isAllowed(filling: Filling, { from, to, item, back }: Exchange): boolean {
  return filling.allows(item, to) && (back === -1 || filling.allows(back, from));
}
