import { type ComparedRuns, mayBeChance } from '../../tests/test-run.js';
import { mapFew } from '../map-few.js';
import type { TestBed } from './test-steps.js';

/** A package on both sides. */
export interface ComparedPackage extends ComparedRuns {
  readonly name: string;
}

export interface Comparing {
  readonly before: TestBed;
  readonly after: TestBed;
  /** The number of packages tested in parallel at first. */
  readonly atOnce: number;
  /** Called when a package has been tested on both sides. */
  readonly onTested: (name: string) => void;
  /** Called when the comparison will not test a package again. */
  readonly onSettled: (one: ComparedPackage) => void;
}

/**
 * Tests each package on both sides, in the order of `names`. If one side fails, or lost tests or coverage, both sides
 * run once more, with nothing in parallel: tests that depend on timing fail randomly.
 */
export async function compareTests(names: readonly string[], work: Comparing): Promise<readonly ComparedPackage[]> {
  const { before, after, onTested, onSettled } = work;
  const first = await mapFew(
    names,
    async (name) => {
      const one: ComparedPackage = { name, before: [await before(name)], after: [await after(name)] };
      onTested(name);
      if (!mayBeChance(one)) onSettled(one);
      return one;
    },
    work.atOnce,
  );
  const compared: ComparedPackage[] = [];
  for (const one of first) compared.push(mayBeChance(one) ? await again(one, work) : one);
  return compared;
}

async function again(one: ComparedPackage, { before, after, onSettled }: Comparing): Promise<ComparedPackage> {
  const repeated = { ...one, before: [...one.before, await before(one.name)], after: [...one.after, await after(one.name)] } as const;
  onSettled(repeated);
  return repeated;
}
