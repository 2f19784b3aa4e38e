import type { Progress } from '@tributary/terminal/progress';
import type { KeptTests, TestKey } from '../../io/kept-tests.js';
import { outcomeOf, type TestRun } from '../../tests/test-run.js';
import type { TestCauseResult } from '../../tests-result.js';
import type { Alone } from './alone.js';
import type { CauseSearch } from './cause-search.js';
import { findClosedOut, suspectsOf } from './closed-out.js';
import type { ComparedPackage, Comparing } from './compare-tests.js';
import type { Laboratory } from './experiments.js';
import { findCauses, listShown } from './find-causes.js';
import type { MigratedBranch } from './migrated.js';
import type { TestSite } from './test-site.js';

/** What the causes are looked for with. */
export interface Explaining {
  readonly site: TestSite;
  readonly branch: MigratedBranch;
  readonly alone: Alone;
  readonly laboratory: Laboratory;
  readonly kept: KeptTests;
  readonly keysOf: Comparing['keysOf'];
  readonly progress: Progress;
}

/** Whether causes are looked for: it needs the files of the side before. */
export function isExplained(one: ComparedPackage): boolean {
  const outcome = outcomeOf(one);
  return outcome === 'newly failing' || outcome === 'failed before';
}

/** A package with the causes of its failure; none for what passes. */
export interface ExplainedPackage {
  readonly one: ComparedPackage;
  readonly causes: readonly TestCauseResult[];
}

/**
 * Finds the causes of what fails, and returns all packages in their order. One after the other: experiments change what is installed. A package
 * that passes meanwhile without a change is returned with that run, and is flaky. Throws as `runContained`.
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
  const causes = work.kept.readCauses(key) ?? (await findCauses(one, search));
  work.kept.writeCauses(key, causes);
  return { one, causes };
}

async function explainFailedBefore(one: ComparedPackage, work: Explaining, search: CauseSearch): Promise<ExplainedPackage> {
  const suspects = await suspectsOf(one.name, work);
  // What the user has set decides it too.
  const key = causesKey(one, work, JSON.stringify(suspects));
  const known = work.kept.readCauses(key);
  const { causes, passing } = known === undefined ? await findClosedOut(one, suspects, search) : { causes: known, passing: undefined };
  if (passing !== undefined) return { one: withPassing(one, passing, work), causes: [] };
  work.kept.writeCauses(key, causes);
  return { one, causes: [...causes, ...listShown(one, work.branch)] };
}

/** What was kept of either side is not used again. */
function withPassing(one: ComparedPackage, passing: TestRun, { kept, keysOf }: Explaining): ComparedPackage {
  const { before, after } = keysOf(one.name);
  for (const key of [before, after]) kept.removeRuns(key);
  return { ...one, before: [...one.before, passing], kept: { ...one.kept, before: false } };
}

function causesKey({ name }: ComparedPackage, { keysOf }: Explaining, ...more: readonly string[]): TestKey {
  const { before, after } = keysOf(name);
  return ['causes', ...before, ...after, ...more];
}
