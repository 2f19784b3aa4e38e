import { expect, test } from '@jest/globals';
import type { TestRun } from '../../tests/test-run.js';
import type { Variables } from '../../tests/variables.js';
import type { FoundCauses } from './cause-search.js';
import { findClosedOut } from './closed-out.js';

const run = (result: TestRun['result']): TestRun => ({ result, counts: undefined, coverage: undefined, output: '', remarks: [] });
const failing = { name: 'a', before: [run('failed')], after: [run('failed')], kept: { before: true, after: true } } as const;
const CHANGES = ['A', 'B', 'C', 'D'].map((name) => ({ name, value: '1', from: 'ci' }) as const);

/** Looks for variables where the tests pass in the runs that `passes` accepts; `at` counts them from 0. */
function closedOutWhere(passes: (variables: Variables, at: number) => boolean): Promise<FoundCauses> {
  let at = 0;
  const attempt = async (_name: string, variables: Variables): Promise<TestRun> => run(passes(variables, at++) ? 'passed' : 'failed');
  return findClosedOut(failing, { tried: CHANGES, untried: ['E'], refused: [] }, { alone: { attempt }, onAttempt: () => {} });
}

const textsOf = ({ causes }: FoundCauses): readonly string[] => causes.map(({ text, withRemedy }) => `${withRemedy}: ${text}`);

test('a variable is a cause where the tests pass with it, and fail without it before and afterwards', async () => {
  const found = await closedOutWhere(({ C }) => C === '1');
  expect(textsOf(found)).toEqual(['passes: It fails only in the closed environment: the workflows of the source set `C` to `1`.']);
  expect(textsOf(await closedOutWhere(() => false))).toEqual([expect.stringMatching(/^not tried: Its files read `E`/)]);
});

test('at the limit of runs, a variable that is not needed is not named as the cause', async () => {
  const many = Array.from({ length: 44 }, (_, at) => ({ name: `V${at}`, value: '1', from: 'ci' }) as const);
  const passes = (variables: Variables): boolean => ['V10', 'V30'].every((name) => variables[name] === '1');
  const attempt = async (_name: string, variables: Variables): Promise<TestRun> => run(passes(variables) ? 'passed' : 'failed');
  const suspects = { tried: many, untried: [], refused: [] };
  const [cause] = (await findClosedOut(failing, suspects, { alone: { attempt }, onAttempt: () => {} })).causes;
  const some = Array.from({ length: 10 }, (_, at) => `\`V${at}\``).join(', ');
  expect(cause?.text).toBe(
    `It fails only in the closed environment: the workflows of the source set \`V10\` to \`1\`; the workflows of the source set \`V30\` to \`1\`; perhaps some of ${some} (not narrowed down within 12 runs).`,
  );
  expect(cause?.remedy).toContain('--tests-env V9=1');
});

test('where the tests pass without a change, no variable is blamed', async () => {
  const stale = await closedOutWhere(() => true);
  expect([stale.causes, stale.passing?.result]).toEqual([[], 'passed']);
  // The machine was busy during the first run.
  const flaky = await closedOutWhere((_, at) => at > 0);
  expect([flaky.causes, flaky.passing?.result]).toEqual([[], 'passed']);
});
