import { describe, expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import { compileSchema } from '@tributary/test-repo/schemas';
import fc from 'fast-check';
import { ENGINES } from '../engines/engines.js';
import { judge } from '../gate/judge.js';
import { affectedOf, planOfPieces, receiptsFor } from '../gate/proof.fixture.js';
import { plans } from '../plan-documents.fixture.js';
import { everything, selections } from '../result-documents.fixture.js';
import { gateSummary } from '../summary/gate-summary.js';
import type { Plan } from './plan.js';
import { formatPlan, parsePlan, sealPlan } from './seal.js';

// Whoever can write a plan can compute its hash. So these plans with the wrong shape have the right hash.

const whole = planOfPieces([['ui', 'app 1/2!'], ['app 2/2']], {
  affected: { ...affectedOf(['ui', 'app', 'docs']), unclaimedFiles: ['x'], warnings: ['careful'] },
  leftOut: [{ workspace: 'docs', reason: 'It has no script "test".' }],
  atBase: { unknown: null, workspaces: 3, lost: [{ workspace: 'gone', reason: 'It has no script.', agreed: 'It is old.' }] },
  scriptFlaws: [{ workspace: 'ui', kind: 'discards', what: 'jest (|| true)' }],
  strictScripts: true,
});

/** Parses a plan with another value at a place (`undefined` deletes it) and a new hash. */
function parseWith(plan: Plan, place: readonly string[], value: unknown): Plan {
  const { hash: _, ...open } = JSON.parse(formatPlan(plan)) as Plan;
  put(open, place, value);
  return parsePlan(JSON.stringify(sealPlan(open)), 'plan.json');
}

function put(into: object, [key = '', ...rest]: readonly string[], value: unknown): void {
  const holder = into as Record<string, unknown>;
  if (rest.length > 0) put(holder[key] as object, rest, value);
  else if (value === undefined && !Array.isArray(into)) delete holder[key];
  else holder[key] = value;
}

describe('plans that affected makes are of the right shape:', () => {
  const made = [...selections(), everything('FAILED')].flatMap(plans);
  test.each([whole, ...made].map((plan, at) => [at, plan] as const))('%d', (_, plan) => {
    expect(parsePlan(formatPlan(plan), 'plan.json')).toEqual(JSON.parse(formatPlan(plan)));
  });
});

describe('a plan of another shape is none, whatever its hash:', () => {
  const line = 'a\n::error::forged';
  test.each<[place: string, values: readonly unknown[]]>([
    ['shards', [[null], [[]], ['01'], [...whole.shards, whole.shards[0]]]],
    ['shards.0.id', ['../../evil', '01"; curl x', '1', '', '01\n', ' 01', 1, null, '0x1', '١٢', undefined]],
    ['shards.0.seconds', [-1, '1', null, undefined]],
    ['shards.0.builds', [-0.5, 'x', []]],
    ['shards.0.pieces', [null, [], [null], {}, undefined]],
    ['shards.0.pieces.0.workspace', ['', line, 'a"b', "a'b", 'a\\b', 'a`b', 'x'.repeat(301), 'a\u2028b', 7, null]],
    ['shards.0.pieces.0.part', [undefined, [], [1], [0, 2], [3, 2], [1, 2, 3], ['1', '2'], '1/2', {}, [1.5, 2]]],
    ['shards.0.pieces.0.seconds', [-1, null]],
    ['shards.0.pieces.0.fresh', [undefined, 'false', 0, null]],
    ['shards.0.pieces.0.changed', [undefined, null, -1, 0.5, '0', [0], 7]],
    ['changedSets.0.changed', [undefined, 0, [-1], [0.5], ['0'], [7]]],
    ['changedSets.0.sets', [undefined, 0, [-1], [0]]],
    ['changed', [undefined, null, {}, [null], ['a']]],
    ['affected', [null, [], {}, 'x']],
    ['affected.head', [undefined, '', 7, line, 'main', 'a'.repeat(41)]],
    ['affected.all', [undefined, 'x', {}, { code: 'X' }]],
    ['affected.workspaces', [null, [null], {}]],
    ['affected.workspaces.0.name', [null, '', line]],
    ['affected.workspaces.0.path', [null, '', '/etc', '../out', 'packages/../../out', line]],
    ['affected.workspaces.0.reasons', [null, [null], [{}]]],
    ['affected.workspaceCount', [null, -1, 1.5, '3']],
    ['affected.unclaimedFiles', [null, [7]]],
    ['affected.warnings', [null, [null]]],
    ['leftOut', [null, [null], {}, ['docs']]],
    ['leftOut.0.workspace', [null, line]],
    ['leftOut.0.reason', [undefined, line]],
    ['atBase', [undefined, null, [], {}]],
    ['atBase.unknown', [undefined, 7, '', line]],
    ['atBase.workspaces', [undefined, -1, 1.5, '3']],
    ['atBase.lost', [undefined, null, [null], ['gone'], [{ workspace: 'gone', reason: 'x' }]]],
    ['atBase.lost.0.workspace', [undefined, line]],
    ['atBase.lost.0.reason', [undefined, line]],
    ['shards.0.pieces.0.agreed', ['', line, true]],
    ['atBase.lost.0.agreed', [undefined, '', line, true]],
    [
      'shards.0.pieces.0.testsAtBase',
      [null, {}, { runners: ['jest'], files: 0 }, { runners: [line], files: 1 }, { runners: 'jest', files: 1 }],
    ],
    ['scriptFlaws', [null, [null], {}]],
    ['scriptFlaws.0.workspace', [undefined, line]],
    ['scriptFlaws.0.kind', [undefined, 'other']],
    ['scriptFlaws.0.what', [undefined, '', line]],
    ['strictScripts', [null, false, 'true']],
    ['task', [null, '', '--force', line]],
    ['setupSeconds', [null, -1, '60']],
    ['everythingSeconds', [undefined, -1]],
    ['guessed', [undefined, -1]],
    ['unusedShards', [undefined, -1]],
  ])('%s', (place, values) => {
    for (const value of values)
      expect(() => parseWith(whole, place.split('.'), value)).toThrow(
        expect.objectContaining({
          code: 'PLAN_INVALID',
          message: 'plan.json cannot be used as a plan: its hash is valid, but its format is not.',
        }),
      );
  });

  test('also one that is nested without end', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const text = formatPlan(whole).replace('"warnings": [', `"warnings": [${deep},`);
    expect(() => parsePlan(text, 'plan.json')).toThrow(expect.objectContaining({ code: 'PLAN_INVALID' }));
  });
});

describe('whatever stands at a place of a plan in place of what was there', () => {
  const validate = compileSchema('affected', 'plan');
  const values = fc.oneof(
    fc.constantFrom<unknown>(undefined, null, true, [], {}, [null], [[]], '', '../../evil', '01', '"; curl x', -1, 0, 1.5, 1e300, [1, 2]),
    fc.jsonValue(),
  );
  const mutations = fc
    .constantFrom(...placesIn(whole).map((place) => [place] as const))
    .chain(([place]) => fc.tuple(fc.constant(place), values));

  test('it is refused, or it is a plan that the schema allows and that everybody can work with', () => {
    let read = 0;
    fc.assert(
      fc.property(mutations, ([place, value]) => {
        const plan = parsedOrRefused(place, value);
        if (plan === undefined) return;
        read++;
        // Nothing reads reasons and codes from a plan.
        if (!/reasons|\.all/.test(place.join('.'))) expect([place, validate(plan), validate.errors]).toEqual([place, true, null]);
        useEverywhere(plan);
      }),
      { numRuns: 2000 },
    );
    expect(read).toBeGreaterThan(10);
  });
});

/** Returns the plan; `undefined` if it was refused, which must be with `PLAN_INVALID`. */
function parsedOrRefused(place: readonly string[], value: unknown): Plan | undefined {
  try {
    return parseWith(whole, place, value);
  } catch (error) {
    expect(error).toMatchObject({ code: 'PLAN_INVALID' });
    return undefined;
  }
}

function useEverywhere(plan: Plan): void {
  const verdict = judge(
    plan,
    receiptsFor(plan).map((receipt) => ({ file: 'x.json', receipt })),
    { ofPlan: 1 },
  );
  gateSummary(plan, verdict);
  for (const { emit } of ENGINES) {
    try {
      expect(emit(plan)).not.toMatch(/evil|curl/);
    } catch (error) {
      if (!isToolError(error)) throw error;
    }
  }
}

/** Returns all places of a document, except its hash, which is computed again: fields and list items. */
function placesIn(value: unknown, before: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => before.length > 0 || key !== 'hash')
    .flatMap(([key, below]) => [[...before, key], ...placesIn(below, [...before, key])]);
}
