import type { Progress } from '@tributary/terminal/progress';
import type { KeptTests, TestKey } from '../../io/kept-tests.js';
import { isWorse, lastOf, outcomeOf, type TestRun } from '../../tests/test-run.js';
import type { TestCauseResult } from '../../tests-result.js';
import type { Alone } from './alone.js';
import type { CauseSearch } from './cause-search.js';
import { findClosedOut, suspectsOf } from './closed-out.js';
import type { ComparedPackage, Comparing } from './compare-tests.js';
import type { Laboratory } from './experiments.js';
import { findCauses, tryShown } from './find-causes.js';
import type { MigratedBranch } from './migrated.js';
import type { TestBed, TestSite } from './test-site.js';
import { fareWithRemedy, isProven } from './with-remedy.js';

/** The means to search for causes. */
export interface Explaining {
  readonly site: TestSite;
  readonly branch: MigratedBranch;
  readonly alone: Alone;
  /** Tests a package where it was tested after the migration. */
  readonly after: TestBed;
  readonly laboratory: Laboratory;
  readonly kept: KeptTests;
  readonly keysOf: Comparing['keysOf'];
  readonly progress: Progress;
}

/** Whether causes are searched for. That needs the files of the side before. */
export function isExplained(one: ComparedPackage): boolean {
  const outcome = outcomeOf(one);
  return outcome === 'newly failing' || outcome === 'failed before';
}

/** A package with the causes of its failure; none if it passes. */
export interface ExplainedPackage {
  readonly one: ComparedPackage;
  readonly causes: readonly TestCauseResult[];
}

/**
 * Finds the causes of failures, and returns all packages in order. Runs one search at a time, because experiments
 * change the installation. If a package passes without a change, it is returned with that run, and is flaky. Throws as
 * `runContained`.
 */
export async function explain(compared: readonly ComparedPackage[], work: Explaining): Promise<readonly ExplainedPackage[]> {
  const { branch, alone, laboratory, progress } = work;
  const failing = compared.filter(isExplained).length;
  if (failing > 0) progress.phase('Looking for causes', failing);
  const explained: ExplainedPackage[] = [];
  for (const one of compared) {
    if (!isExplained(one)) {
      explained.push({ one, causes: [] });
      continue;
    }
    const onAttempt = (what: string): void => progress.message(`${one.name}: ${what}`, 'aside');
    const isShared = compared.some((other) => other !== one && !other.kept.after);
    explained.push(await explainOne(one, { ...work, isShared }, { alone, laboratory, branch, onAttempt }));
    alone.close(one.name);
    progress.step(one.name);
  }
  return explained;
}

/** `isShared`: this run tested other packages in the checkout where the package failed. */
type ExplainingOne = Explaining & { readonly isShared: boolean };

async function explainOne(one: ComparedPackage, work: ExplainingOne, search: CauseSearch): Promise<ExplainedPackage> {
  if (outcomeOf(one) === 'failed before') return explainFailedBefore(one, work, search);
  const key = causesKey(one, work);
  const known = work.kept.readCauses(key);
  const { causes, passing } = known === undefined ? await findCauses(one, search) : { causes: known, passing: undefined };
  if (passing !== undefined) return explainPassing(one, passing, work, search);
  work.kept.writeCauses(key, causes);
  return { one, causes };
}

/**
 * It fares well in another checkout, unchanged. Where other packages were tested in that of all packages, it runs twice
 * there and once more in the other one. If each run fares as those before it in the same checkout, the checkout decides;
 * else chance, or a kept result is outdated. A kept failure is not repeated: this run may have left nothing there.
 */
async function explainPassing(
  one: ComparedPackage,
  passing: TestRun,
  work: ExplainingOne,
  { laboratory, onAttempt }: CauseSearch,
): Promise<ExplainedPackage> {
  forget(one, work);
  const before = lastOf(one.before);
  const flaky = (run: TestRun): ExplainedPackage => ({
    one: { ...one, after: [...one.after, run], kept: { ...one.kept, after: false } },
    causes: [],
  });
  if (one.kept.after || !work.isShared) return flaky(passing);
  for (let runs = 0; runs < LEFTOVER_RUNS; runs += 1) {
    const again = await work.after(one.name);
    if (!isWorse(before, again)) return flaky(again);
  }
  onAttempt('nothing changed');
  const last = await laboratory.attempt(one.name, {});
  return isProven(fareWithRemedy(before, last, false)) ? { one, causes: [leftovers(before, last)] } : flaky(passing);
}

/** With one run, tests that pass and fail by turns would look as if the checkout decided. */
const LEFTOVER_RUNS = 2;

function leftovers(before: TestRun, passing: TestRun): TestCauseResult {
  return {
    kind: 'leftovers',
    text: 'Unchanged, it fared as before the migration in 2 of 2 runs in another checkout of the branch. In the 2 runs between them it fared worse, in the checkout where other packages were built and tested. Files that these left there may decide.',
    remedy: 'In another checkout',
    withRemedy: fareWithRemedy(before, passing, false),
  };
}

async function explainFailedBefore(one: ComparedPackage, work: Explaining, search: CauseSearch): Promise<ExplainedPackage> {
  const suspects = await suspectsOf(one.name, work);
  // The result also depends on the user's variables.
  const key = causesKey(one, work, JSON.stringify(suspects));
  const known = work.kept.readCauses(key);
  if (known !== undefined) return { one, causes: known };
  const { causes, passing } = await findClosedOut(one, suspects, search);
  if (passing !== undefined) {
    forget(one, work);
    return { one: { ...one, before: [...one.before, passing], kept: { ...one.kept, before: false } }, causes: [] };
  }
  const shown = await tryShown(one, search);
  if (shown.passing !== undefined) {
    forget(one, work);
    return { one: { ...one, after: [...one.after, shown.passing], kept: { ...one.kept, after: false } }, causes: [] };
  }
  const all = [...causes, ...shown.causes];
  work.kept.writeCauses(key, all);
  return { one, causes: all };
}

/** What was kept of either side is not used again. */
function forget({ name }: ComparedPackage, { kept, keysOf }: Explaining): void {
  const { before, after } = keysOf(name);
  for (const key of [before, after]) kept.removeRuns(key);
}

function causesKey({ name }: ComparedPackage, { keysOf }: Explaining, ...more: readonly string[]): TestKey {
  const { before, after } = keysOf(name);
  return ['causes', ...before, ...after, ...more];
}
