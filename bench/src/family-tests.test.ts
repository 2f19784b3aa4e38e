import { expect, jest, test } from '@jest/globals';
import { compareTests, countLost, formatTested } from './family-tests.js';
import type { TestBed, TestRun } from './test-run.js';

const passed: TestRun = { result: 'passed', counts: { passed: 5, failed: 0 }, output: '' };
const failed: TestRun = { result: 'failed', counts: { passed: 4, failed: 1 }, output: 'Error: one\nError: two' };
const unbuilt: TestRun = { result: 'not built', counts: undefined, output: 'tsc is missing' };

/** Answers with the runs of a package in turn, the last one again and again. */
function bed(runs: Readonly<Record<string, readonly TestRun[]>>): TestBed & { readonly asked: string[] } {
  const asked: string[] = [];
  const answer: TestBed = async (name) => {
    asked.push(name);
    const all = runs[name] ?? [passed];
    return all[Math.min(asked.filter((one) => one === name).length, all.length) - 1] ?? passed;
  };
  return Object.assign(answer, { asked });
}

test('what differs is run again in both places, what could not be built is not', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const [alone, migrated] = [bed({ cli: [failed] }), bed({ ui: [failed, passed], core: [unbuilt], cli: [failed] })];
  const tested = await compareTests(['ui', 'core', 'cli', 'docs'], alone, migrated);
  expect(tested).toEqual([
    { name: 'ui', alone: [passed, passed], migrated: [failed, passed] },
    { name: 'core', alone: [passed], migrated: [unbuilt] },
    { name: 'cli', alone: [failed], migrated: [failed] },
    { name: 'docs', alone: [passed], migrated: [passed] },
  ]);
  expect([alone.asked.at(-1), migrated.asked.at(-1)]).toEqual(['ui', 'ui']);
  expect(countLost(tested)).toBe(1);
});

test('every difference is told, with what the last run said if it is not good', () => {
  const text = formatTested([
    { name: 'ui', alone: [passed, passed], migrated: [passed, failed] },
    { name: 'core', alone: [{ ...passed, remark: 'installed in haste' }], migrated: [unbuilt] },
    { name: 'docs', alone: [passed], migrated: [passed] },
  ]);
  expect(text.split('\n')).toEqual([
    'tests alone and in the monorepo: 1 unsteady, 1 lost, 1 the same',
    '',
    'ui: unsteady',
    '  alone: 5; again: 5',
    '  in the monorepo: 5; again: 4 + 1 failed',
    '    | Error: one',
    '    | Error: two',
    '',
    'core: lost',
    '  alone: 5 (installed in haste)',
    '  in the monorepo: not built',
    '    | tsc is missing',
  ]);
});
