import type { RandomGenerator } from 'pure-rand';

/** A number from 0 to below `limit`, of 32 bits: one of a thousand is more likely than another by less than one in a million, which is cheaper than drawing again until all are alike. */
export function numberBelow(limit: number, generator: RandomGenerator): number {
  return (((generator.unsafeNext() >>> 0) / 2 ** 32) * limit) >>> 0;
}
