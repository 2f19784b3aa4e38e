import type { Progress } from '@tributary/terminal/progress';
import type { KeptTests, TestKey } from '../../io/kept-tests.js';
import { outcomeOf } from '../../tests/test-run.js';
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

/** Returns the causes of what fails, by package. One after the other: experiments change what is installed. Throws as `runContained`. */
export async function explain(
  compared: readonly ComparedPackage[],
  work: Explaining,
): Promise<ReadonlyMap<string, readonly TestCauseResult[]>> {
  const { branch, alone, laboratory, progress } = work;
  const failing = compared.filter(isExplained);
  if (failing.length > 0) progress.phase('Looking for causes', failing.length);
  const causes = new Map<string, readonly TestCauseResult[]>();
  for (const one of failing) {
    const onAttempt = (what: string): void => progress.message(`${one.name}: ${what}`, 'aside');
    causes.set(one.name, await explainOne(one, work, { alone, laboratory, branch, onAttempt }));
    alone.close(one.name);
    progress.step(one.name);
  }
  return causes;
}

async function explainOne(one: ComparedPackage, work: Explaining, search: CauseSearch): Promise<readonly TestCauseResult[]> {
  if (outcomeOf(one) === 'newly failing') return keptOr(one, work, { more: [], find: () => findCauses(one, search) });
  const suspects = await suspectsOf(one.name, work);
  // What the user has set decides it too.
  const found = await keptOr(one, work, { more: [JSON.stringify(suspects)], find: () => findClosedOut(one, suspects, search) });
  return [...found, ...listShown(one, work.branch)];
}

async function keptOr(
  { name }: ComparedPackage,
  { kept, keysOf }: Explaining,
  { more, find }: { readonly more: TestKey; readonly find: () => Promise<readonly TestCauseResult[]> },
): Promise<readonly TestCauseResult[]> {
  const { before, after } = keysOf(name);
  const key = ['causes', ...before, ...after, ...more];
  const found = kept.readCauses(key) ?? (await find());
  kept.writeCauses(key, found);
  return found;
}
