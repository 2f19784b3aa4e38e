import { expect, test } from '@jest/globals';
import type { MigrateResult } from './result/result.js';
import type { TestsResult } from './result/tests-result.js';
import { isUnfinished } from './unfinished.js';

const unfinishedFor = (reason: TestsResult['reason']): boolean =>
  isUnfinished({ leftOut: [], tests: { level: 'off', reason, variables: [], packages: [] } } as Partial<MigrateResult> as MigrateResult);

test('agreed tests that could not be compared are a failure, declined ones are not', () => {
  expect([unfinishedFor('no lockfile'), unfinishedFor('not run')]).toEqual([true, true]);
  expect([unfinishedFor('declined'), unfinishedFor('not agreed'), unfinishedFor('off')]).toEqual([false, false, false]);
});
