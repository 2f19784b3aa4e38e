import { isGood, isWorse, type TestRun } from '../../tests/test-run.js';
import type { TestCauseResult } from '../../tests-result.js';

/**
 * Returns what one run with a remedy shows. `isShown`: its output still shows the cause. Two failures fare the same only
 * by their counts.
 */
export function fareWithRemedy(before: TestRun, run: TestRun, isShown: boolean): TestCauseResult['withRemedy'] {
  if (isGood(run)) return isWorse(before, run) ? 'still fails' : 'passes';
  if (run.result !== 'failed') return 'not finished';
  if (isShown || isWorse(before, run)) return 'still fails';
  return before.result === 'failed' && before.counts !== undefined && run.counts !== undefined ? 'as before' : 'not shown';
}

/** Whether a remedy is proven: the tests fare at least as well as before the migration. */
export function isProven(withRemedy: TestCauseResult['withRemedy']): boolean {
  return withRemedy === 'passes' || withRemedy === 'as before';
}
