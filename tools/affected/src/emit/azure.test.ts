import { describe, expect, test } from '@jest/globals';
import { emitAzure } from './azure.js';
import { idsOf, planOf, sameTime } from './plan.fixture.js';

const COMMAND = /^##vso\[task\.setvariable variable=(\w+);isOutput=true\](.*)$/;

/** As the agent reads them: a line each; no other line may be there. */
function outputsOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [, name, value] = COMMAND.exec(line) ?? [];
        if (name === undefined || value === undefined) throw new Error(`not a command: ${line}`);
        return [name, value];
      }),
  );
}

type Legs = Readonly<Record<string, { readonly LEG: string; readonly SHARDS: string }>>;

function legsOf(text: string): Legs {
  return JSON.parse(outputsOf(text)['legs'] ?? '');
}

test('an empty plan has no work and no legs', () => {
  expect(outputsOf(emitAzure(planOf([])))).toEqual({ hasWork: 'false', legs: '{}' });
});

test('one shard is one leg', () => {
  expect(outputsOf(emitAzure(planOf([10])))).toEqual({ hasWork: 'true', legs: '{"leg_01":{"LEG":"01","SHARDS":"01"}}' });
});

test('the longest leg stands first', () => {
  expect(Object.keys(legsOf(emitAzure(planOf([10, 30, 20]))))).toEqual(['leg_02', 'leg_03', 'leg_01']);
});

test('no name of a package is handed on', () => expect(emitAzure(sameTime(7))).not.toContain('acme'));

describe.each([
  [1, 1],
  [7, 7],
  [253, 253],
  [254, 254],
  [255, 254],
  [1_000, 254],
  [6_000, undefined],
])('%i shards', (count, expected) => {
  const plan = sameTime(count);
  const legs = legsOf(emitAzure(plan));

  test('are no more jobs than a stage may have, next to the plan and the gate', () => {
    if (expected === undefined) expect(Object.keys(legs).length).toBeLessThan(254);
    else expect(Object.keys(legs)).toHaveLength(expected);
  });

  test('are all there once', () => {
    expect(
      Object.values(legs)
        .flatMap(({ SHARDS }) => SHARDS.split(' '))
        .sort(),
    ).toEqual([...idsOf(plan)].sort());
  });

  test('have names that Azure Pipelines takes', () => {
    for (const name of Object.keys(legs)) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_]{0,99}$/);
  });

  test('are a value that fits into a variable', () => {
    expect(outputsOf(emitAzure(plan))['legs']?.length).toBeLessThanOrEqual(32_766);
  });
});

test('more shards than a variable can name are refused', () => {
  expect(() => emitAzure(sameTime(10_000))).toThrow(expect.objectContaining({ code: 'PLAN_INVALID' }));
});
