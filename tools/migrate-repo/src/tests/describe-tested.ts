import type { PackageTestsResult, SideTestsResult, TestCandidates } from '../result/tests-result.js';
import { type ComparedRuns, isGood, lastOf, outcomeOf, type TestRuns } from './test-run.js';

/** Returns the test results of a package for people and programs. */
export function describeTested(
  one: ComparedRuns & { readonly name: string; readonly kept: { readonly before: boolean; readonly after: boolean } },
  log: string | undefined,
  candidates: TestCandidates | undefined,
): PackageTestsResult {
  return {
    name: one.name,
    outcome: outcomeOf(one),
    before: describeSide(one.before, one.kept.before),
    after: describeSide(one.after, one.kept.after),
    candidates: candidates ?? null,
    log: log ?? null,
  };
}

/** Describes one side by its last run. The output is that of the last failed run, which says more. */
function describeSide(runs: TestRuns, kept: boolean): SideTestsResult {
  const { result, counts, coverage, remarks } = lastOf(runs);
  const bad = runs.findLast((run) => !isGood(run));
  return {
    result,
    runs: runs.length,
    passed: counts?.passed ?? null,
    failed: counts?.failed ?? null,
    coverage: coverage ?? null,
    output: bad?.output ?? '',
    remarks,
    kept,
  };
}
