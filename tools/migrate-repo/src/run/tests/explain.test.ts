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

test.each([
  ['a kept failure', true, 'failed', 'flaky', []],
  ['a failure that does not come again', false, 'passed', 'flaky', []],
  ['one that comes again in the checkout of all packages', false, 'failed', 'newly failing', ['leftovers']],
] as const)('%s, which is none in a checkout of its own, is not used again', async (_, isKept, again, outcome, causes) => {
  const kept = openKeptTests(cleanUp.add(new TempFolder()).path, '');
  const one: ComparedPackage = { name: 'a', before: [run('passed')], after: [run('failed')], kept: { before: isKept, after: isKept } };
  kept.writeRuns(keysOf('a').before, one.before);
  kept.writeRuns(keysOf('a').after, one.after);
  const work = {
    kept,
    keysOf,
    alone: { close: () => {} },
    after: async () => run(again),
    progress: { phase: () => {}, message: () => {}, step: () => {} },
    laboratory: { attempt: async () => run('passed') },
  } as unknown as Explaining;
  const [explained] = await explain([one], work);
  expect([outcomeOf(explained?.one ?? one), explained?.causes.map(({ kind }) => kind)]).toEqual([outcome, causes]);
  expect([kept.readRuns(keysOf('a').before), kept.readRuns(keysOf('a').after)]).toEqual([undefined, undefined]);
});
