import type { Progress } from '@tributary/terminal/progress';
import type { KeptTests, TestKey } from '../../io/kept-tests.js';
import { isGood, isWorse, lastOf, outcomeOf, type TestRun } from '../../tests/test-run.js';
import type { TestCauseResult } from '../../tests-result.js';
import type { Alone } from './alone.js';
import type { CauseSearch } from './cause-search.js';
import { findClosedOut, suspectsOf } from './closed-out.js';
import type { ComparedPackage, Comparing } from './compare-tests.js';
import type { Laboratory } from './experiments.js';
import { findCauses, tryShown } from './find-causes.js';
import type { MigratedBranch } from './migrated.js';
import type { TestBed, TestSite } from './test-site.js';

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
    explained.push(await explainOne(one, work, { alone, laboratory, branch, onAttempt }));
    alone.close(one.name);
    progress.step(one.name);
  }
  return explained;
}

async function explainOne(one: ComparedPackage, work: Explaining, search: CauseSearch): Promise<ExplainedPackage> {
  if (outcomeOf(one) === 'failed before') return explainFailedBefore(one, work, search);
  const key = causesKey(one, work);
  const known = work.kept.readCauses(key);
  const { causes, passing } = known === undefined ? await findCauses(one, search) : { causes: known, passing: undefined };
  if (passing !== undefined) return explainPassing(one, passing, work);
  work.kept.writeCauses(key, causes);
  return { one, causes };
}

/** It passes in a checkout of its own. If it still fails in that of all packages, something that lies there decides; else chance does, or what was kept is no longer so. */
async function explainPassing(one: ComparedPackage, passing: TestRun, work: Explaining): Promise<ExplainedPackage> {
  forget(one, work);
  const again = one.kept.after ? passing : await work.after(one.name);
  if (isWorse(lastOf(one.before), again)) return { one, causes: [leftovers(passing)] };
  return { one: { ...one, after: [...one.after, again], kept: { ...one.kept, after: false } }, causes: [] };
}

function leftovers(passing: TestRun): TestCauseResult {
  return {
    kind: 'leftovers',
    text: 'It fails only in a checkout where other packages were built and tested before: a file that is left there decides.',
    remedy: 'In a checkout of its own',
    withRemedy: isGood(passing) ? 'passes' : 'as before',
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
