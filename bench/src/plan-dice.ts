import type { Dice } from '@tributary/test-repo/dice';

/** Returns a number of the normal distribution around 0, with standard deviation 1 (Box and Muller). */
export function normal(dice: Dice): number {
  return Math.sqrt(-2 * Math.log(1 - fraction(dice))) * Math.cos(2 * Math.PI * fraction(dice));
}

/** Returns a realistic time of a test: around `middle` seconds, half of them less, a few many times as long. */
export function logNormal(dice: Dice, { middle, sigma }: { readonly middle: number; readonly sigma: number }): number {
  return middle * Math.exp(sigma * normal(dice));
}

/** Returns a number from 0 to below 1. */
function fraction(dice: Dice): number {
  return dice.below(2 ** 30) / 2 ** 30;
}
