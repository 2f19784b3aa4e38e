import { afterEach, expect, test } from '@jest/globals';
import type { RepoFolder } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { openKeptTests } from '../../io/kept-tests.js';
import { outcomeOf, type TestRun } from '../../tests/test-run.js';
import type { ComparedPackage } from './compare-tests.js';
import { type Explaining, explain } from './explain.js';

const cleanUp = cleanUpIn(afterEach);
const run = (result: TestRun['result']): TestRun => ({ result, counts: undefined, coverage: undefined, output: '', remarks: [] });
const keysOf = (name: string) => ({ before: ['before', name], after: ['after', name] });

test('a kept failure that passes now is not used again, and the package is flaky', async () => {
  const kept = openKeptTests(cleanUp.add(new TempFolder()).path, '');
  const one: ComparedPackage = { name: 'a', before: [run('failed')], after: [run('failed')], kept: { before: true, after: true } };
  for (const key of [keysOf('a').before, keysOf('a').after]) kept.writeRuns(key, [run('failed')]);
  const alone = { attempt: async () => run('passed'), sourceVariables: async () => ({ ci: new Map(), read: new Set() }), close: () => {} };
  const progress = { phase: () => {}, message: () => {}, step: () => {} };
  const branch = { closures: { of: () => ['' as RepoFolder] } };
  const work = { site: { variables: {} }, alone, kept, keysOf, progress, branch, laboratory: {} } as unknown as Explaining;
  const [explained] = await explain([one], work);
  expect([explained?.causes, explained?.one.kept, outcomeOf(explained?.one ?? one)]).toEqual([[], { before: false, after: true }, 'flaky']);
  expect([kept.readRuns(keysOf('a').before), kept.readRuns(keysOf('a').after)]).toEqual([undefined, undefined]);
});

/** Explains a package that fails after, where its runs in the checkout of all packages, and in the other one, end so. */
async function explainRuns(runs: {
  readonly common: readonly TestRun['result'][];
  readonly other: readonly TestRun['result'][];
  readonly isKept?: boolean;
  readonly beside?: readonly ComparedPackage[];
}) {
  const kept = openKeptTests(cleanUp.add(new TempFolder()).path, '');
  const isKept = runs.isKept ?? false;
  const one: ComparedPackage = { name: 'a', before: [run('passed')], after: [run('failed')], kept: { before: isKept, after: isKept } };
  kept.writeRuns(keysOf('a').before, one.before);
  kept.writeRuns(keysOf('a').after, one.after);
  const [common, other] = [[...runs.common], [...runs.other]];
  const next = (left: TestRun['result'][]) => async (): Promise<TestRun> => {
    const result = left.shift();
    if (result === undefined) throw new Error('one run too many');
    return run(result);
  };
  const work = {
    kept,
    keysOf,
    alone: { close: () => {} },
    after: next(common),
    progress: { phase: () => {}, message: () => {}, step: () => {} },
    laboratory: { attempt: next(other) },
  } as unknown as Explaining;
  const [explained] = await explain([one, ...(runs.beside ?? [BESIDE])], work);
  expect([common, other]).toEqual([[], []]);
  expect([kept.readRuns(keysOf('a').before), kept.readRuns(keysOf('a').after)]).toEqual([undefined, undefined]);
  return { outcome: outcomeOf(explained?.one ?? one), causes: explained?.causes ?? [] };
}

const BESIDE: ComparedPackage = { name: 'b', before: [run('passed')], after: [run('passed')], kept: { before: false, after: false } };
const FLAKY = { outcome: 'flaky', causes: [] };

test('the checkout of all packages is the cause only where each run in it fails, and none in another one', async () => {
  expect(await explainRuns({ other: ['passed', 'passed'], common: ['failed', 'failed'] })).toMatchObject({
    outcome: 'newly failing',
    causes: [{ kind: 'leftovers', text: expect.stringContaining('2 of 2 runs in another checkout'), withRemedy: 'passes' }],
  });
  expect(await explainRuns({ other: ['passed'], common: ['passed'] })).toEqual(FLAKY);
  // By turns.
  expect(await explainRuns({ other: ['passed'], common: ['failed', 'passed'] })).toEqual(FLAKY);
  expect(await explainRuns({ other: ['passed', 'failed'], common: ['failed', 'failed'] })).toEqual(FLAKY);
});

test('where this run tested no other package beside it, nothing that others left is the cause', async () => {
  expect(await explainRuns({ other: ['passed'], common: [], beside: [] })).toEqual(FLAKY);
  const keptBeside = { ...BESIDE, kept: { before: true, after: true } };
  expect(await explainRuns({ other: ['passed'], common: [], beside: [keptBeside] })).toEqual(FLAKY);
  expect(await explainRuns({ other: ['passed'], common: [], isKept: true })).toEqual(FLAKY);
});

test('a package that failed before and passes after in a run without a change is flaky, and not used again', async () => {
  const kept = openKeptTests(cleanUp.add(new TempFolder()).path, '');
  const gone = { ...run('failed'), output: "ENOENT: no such file or directory, open './node_modules/ms/index.js'" };
  const one: ComparedPackage = { name: 'a', before: [run('failed')], after: [gone], kept: { before: true, after: true } };
  kept.writeRuns(keysOf('a').after, one.after);
  const work = {
    site: { variables: {} },
    kept,
    keysOf,
    alone: { attempt: async () => run('failed'), sourceVariables: async () => ({ ci: new Map(), read: new Set() }), close: () => {} },
    progress: { phase: () => {}, message: () => {}, step: () => {} },
    branch: { closures: { of: () => ['' as RepoFolder] } },
    laboratory: { attempt: async () => run('passed') },
  } as unknown as Explaining;
  const [explained] = await explain([one], work);
  expect([outcomeOf(explained?.one ?? one), explained?.causes, kept.readRuns(keysOf('a').after)]).toEqual(['flaky', [], undefined]);
});
