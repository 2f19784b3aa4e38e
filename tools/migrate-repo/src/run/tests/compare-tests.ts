import type { KeptTests, TestKey } from '../../io/kept-tests.js';
import { type ComparedRuns, isGood, mayBeChance, outcomeOf, type TestRun, type TestRuns } from '../../tests/test-run.js';
import { mapFew } from '../map-few.js';
import type { TestBed } from './test-steps.js';

/** A package on both sides, and which side's result was kept by an earlier run. */
export interface ComparedPackage extends ComparedRuns {
  readonly name: string;
  readonly kept: { readonly before: boolean; readonly after: boolean };
}

export interface Comparing {
  readonly before: TestBed;
  readonly after: TestBed;
  readonly kept: KeptTests;
  readonly keysOf: (name: string) => { readonly before: TestKey; readonly after: TestKey };
  /** The number of packages tested in parallel at first. */
  readonly atOnce: number;
  /** Called when a package has been tested on both sides. */
  readonly onTested: (name: string) => void;
  /** Called when the comparison will not test a package again. */
  readonly onSettled: (one: ComparedPackage) => void;
}

/**
 * Tests each package on both sides, in the order of `names`, and reuses kept results. If one side fails, or lost tests
 * or coverage, both sides run once more, with nothing in parallel: tests that depend on timing fail randomly.
 */
export async function compareTests(names: readonly string[], work: Comparing): Promise<readonly ComparedPackage[]> {
  const first = await mapFew(
    names,
    async (name) => {
      const one = await compareOne(name, work);
      work.onTested(name);
      if (!isOpen(one)) settle(one, work);
      return one;
    },
    work.atOnce,
  );
  const compared: ComparedPackage[] = [];
  for (const one of first) compared.push(isOpen(one) ? settle(await again(one, work), work) : one);
  return compared;
}

async function compareOne(name: string, { before, after, kept, keysOf }: Comparing): Promise<ComparedPackage> {
  const keys = keysOf(name);
  const [keptBefore, keptAfter] = [kept.readRuns(keys.before), kept.readRuns(keys.after)];
  const one: TestRuns = keptBefore ?? [await before(name)];
  const other: TestRuns = keptAfter ?? [await after(name)];
  return { name, before: one, after: other, kept: { before: keptBefore !== undefined, after: keptAfter !== undefined } };
}

/** Whether it must be repeated. Results that an earlier run kept for both sides were repeated then. */
function isOpen({ kept, ...one }: ComparedPackage): boolean {
  return !(kept.before && kept.after) && mayBeChance(one);
}

async function again(one: ComparedPackage, { before, after }: Comparing): Promise<ComparedPackage> {
  const kept = { before: false, after: false };
  return { ...one, before: [...one.before, await before(one.name)], after: [...one.after, await after(one.name)], kept };
}

/** Keeps the results. Random ones are not kept, nor those that a network or a time limit may have caused. */
function settle(one: ComparedPackage, work: Comparing): ComparedPackage {
  const keys = work.keysOf(one.name);
  if (outcomeOf(one) !== 'flaky') {
    if (one.before.every(isLasting)) work.kept.writeRuns(keys.before, one.before);
    if (one.after.every(isLasting)) work.kept.writeRuns(keys.after, one.after);
  }
  work.onSettled(one);
  return one;
}

function isLasting(run: TestRun): boolean {
  return isGood(run) || run.result === 'failed';
}
