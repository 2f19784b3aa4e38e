import type { RandomGenerator } from 'pure-rand';

/**
 * Returns a random whole number from 0 to below `limit`.
 * It scales 32 bits and accepts the bias: below 1000, the chances differ by less than one in a million. Rejection sampling would cost more.
 */
export function numberBelow(limit: number, generator: RandomGenerator): number {
  return (((generator.unsafeNext() >>> 0) / 2 ** 32) * limit) >>> 0;
}
