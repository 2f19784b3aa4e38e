import type { Load } from '@tributary/affected/plan/pack/item';
import { Dice } from '@tributary/test-repo/dice';
import { planMonorepo } from './affected-plan.js';

/** A generated load. */
export interface LoadShape {
  readonly items: number;
  /** How different the items are: 1.2 like the tests of real packages, 0.3 nearly equal. */
  readonly sigma: number;
  readonly builds: 'none' | 'graph';
  readonly seed: number;
}

/** Generates a load. `graph`: each item needs its own build and those of all its dependencies, in a realistic monorepo. */
export function makeLoad({ items, sigma, builds, seed }: LoadShape): Load {
  const dice = new Dice(seed);
  const seconds = Array.from({ length: items }, () => logNormal(dice, { middle: 20, sigma }));
  const closures = builds === 'none' ? [] : closuresOf(items, seed);
  return {
    items: seconds.map((own, at) => ({ name: nameOf(at), seconds: own, builds: closures[at] ?? [] })),
    buildSeconds: closures.map(() => logNormal(dice, { middle: 4, sigma: 0.8 })),
  };
}

/** Returns a realistic name, whose order is unrelated to the times. */
function nameOf(at: number): string {
  return `@made-up/${['ui', 'api', 'core', 'app', 'tool'][at % 5]}-${String(at).padStart(4, '0')}`;
}

function closuresOf(workspaces: number, seed: number): readonly (readonly number[])[] {
  const closures: Set<number>[] = [];
  for (const [at, { internal }] of planMonorepo({ workspaces, externals: 10, seed }).packages.entries()) {
    closures.push(new Set([at, ...internal.flatMap(({ to }) => [...(closures[to] ?? [])])]));
  }
  return closures.map((closure) => [...closure]);
}

/** Returns a realistic time of a test: around `middle` seconds, half of them less, a few many times as long. */
function logNormal(dice: Dice, { middle, sigma }: { readonly middle: number; readonly sigma: number }): number {
  const fraction = (): number => dice.below(2 ** 30) / 2 ** 30;
  // Box and Muller.
  return middle * Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction()));
}
