import { expect, test } from '@jest/globals';
import { affectedBy, planInput, workspaceOf } from './build-plan.fixture.js';
import { buildPlan } from './build-plan.js';
import type { PlanInput } from './plan-input.js';
import type { SparedFiles } from './spared-files.js';

const SPARED: SparedFiles = { files: ['a.test.js', 'b.test.js'], of: 4, hasNew: false, because: 'used nothing that changed' };

/** Plans a workspace whose tests take 100 s. */
function planned(
  spared: SparedFiles | undefined,
  { script = 'jest', ...more }: Partial<PlanInput> & { readonly script?: string } = {},
): unknown {
  const workspaces = [workspaceOf('app', { test: script }, ['lib']), workspaceOf('lib', { test: script })];
  const { shards, leftOut } = buildPlan(
    planInput(workspaces, {
      affected: affectedBy(['app']),
      turboTasks: new Map([['test', []]]),
      timings: new Map([['app#test', [100]]]),
      testFiles: new Map([['app', 4]]),
      listedFiles: new Map([['app', 4]]),
      testsRun: new Map([['app', 9]]),
      fileSelection: { spared: new Map(spared === undefined ? [] : [['app', spared]]), whole: new Map([['app', 'it was not observed']]) },
      shardRequest: { setupSeconds: 1, maxShards: 4, shards: 2 },
      ...more,
    }),
  );
  if (leftOut.length > 0) return leftOut;
  return shards.flatMap(({ pieces }) => pieces.map(({ workspace: _, fresh: __, changed: ___, ...rest }) => rest));
}

const REASON = '2 of 4 test files do not run: they used nothing that changed';

test('a piece without some test files takes less, is not cut into parts, and runs an unknown number of tests', () => {
  expect(planned(SPARED)).toEqual([{ part: null, seconds: 50, spared: { files: ['a.test.js', 'b.test.js'], of: 4, reason: REASON } }]);
});

test('a workspace without an affected test file is left out, unless new ones may have come', () => {
  const all = { ...SPARED, of: 2 };
  expect(planned(all)).toEqual([{ workspace: 'app', reason: '2 of 2 test files do not run: they used nothing that changed' }]);
  expect(planned({ ...all, hasNew: true })).toMatchObject([{ spared: { of: 2 } }]);
});

const whole = [{ part: [1, 2], tests: 9, whole: 'it was not observed' }, { part: [2, 2] }];

test('a piece runs all its test files, and says why, if none is spared', () => {
  expect(planned(undefined)).toMatchObject(whole);
});

test.each<[string, Partial<PlanInput> & { readonly script?: string }]>([
  ['a runner that may share a process', { script: 'vitest run' }],
  ['a script that is not only its runner', { script: 'jest && node more.js' }],
  ['a script that selects tests', { script: 'jest src' }],
  ['a task that runs before as well', { turboTasks: new Map([['test', ['^test']]]) }],
])('no test file of %s is left out', (_, more) => {
  expect(JSON.stringify(planned(SPARED, more))).not.toContain('spared');
});
