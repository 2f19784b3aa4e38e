import { describe, expect, test } from '@jest/globals';
import { planOf } from '../engines/plan.fixture.js';
import type { Plan } from './plan.js';
import { formatPlan, parsePlan, sealPlan } from './seal.js';

const { hash: _, ...open } = planOf([10, 20, 30]);
const plan = sealPlan(open);
const text = formatPlan(plan);

function parse(changed: unknown): Plan {
  return parsePlan(typeof changed === 'string' ? changed : JSON.stringify(changed), 'plan.json');
}

const invalid = (problem: string): unknown =>
  expect.objectContaining({ code: 'PLAN_INVALID', message: `plan.json cannot be used as a plan: ${problem}.` });

test('a plan is read as it was written', () => {
  expect(parse(text)).toEqual(plan);
  expect(plan).toMatchObject({ schemaVersion: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(text.endsWith('}\n')).toBe(true);
});

test('the same plan has the same hash, and another one another', () => {
  expect(sealPlan({ ...open }).hash).toBe(plan.hash);
  expect(sealPlan({ ...open, setupSeconds: 61 }).hash).not.toBe(plan.hash);
});

test('how it is laid out does not matter, nor where the hash stands', () => {
  const { hash, ...rest } = plan;
  expect(parse(JSON.stringify({ ...rest, hash }, undefined, 4))).toEqual(plan);
});

describe('a plan that was changed is none:', () => {
  const [first, ...others] = plan.shards;
  test.each<[title: string, changed: unknown]>([
    ['a shard is missing', { ...plan, shards: others }],
    ['a shard stands twice', { ...plan, shards: [first, ...plan.shards] }],
    ['shards stand in another order', { ...plan, shards: plan.shards.toReversed() }],
    ['keys stand in another order', Object.fromEntries(Object.entries(plan).toReversed())],
    ['there is one field more', { ...plan, more: 1 }],
    ['there is one field less', { ...plan, leftOut: undefined }],
    ['a piece may come out of a cache', JSON.parse(text.replace('"fresh": false', '"fresh": true'))],
    ['it has no hash', { ...plan, hash: undefined }],
    ['its hash is none', { ...plan, hash: null }],
  ])('%s', (_title, changed) => expect(() => parse(changed)).toThrow(invalid('it was changed after its creation')));

  test('each digit of it counts', () => {
    for (const { index } of text.matchAll(/\d/g)) {
      const digit = text[index] === '1' ? '2' : '1';
      expect(() => parse(text.slice(0, index) + digit + text.slice(index + 1))).toThrow(expect.objectContaining({ code: 'PLAN_INVALID' }));
    }
  });
});

test('a plan that is cut off is none, wherever', () => {
  for (let length = 0; length < text.trimEnd().length; length++)
    expect(() => parse(text.slice(0, length))).toThrow(invalid('it is not JSON, or is truncated'));
});

describe('no plan is', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  test.each<[title: string, changed: unknown, problem: string]>([
    ['another version', { ...plan, schemaVersion: 4 }, 'its version is 4, but this program supports version 3'],
    ['another version of another shape', { schemaVersion: 4, jobs: [] }, 'its version is 4, but this program supports version 3'],
    ['null', null, 'it is not a plan'],
    ['a list', [], 'it is not a plan'],
    ['an object', {}, 'it is not a plan'],
    ['one without a version', { ...plan, schemaVersion: undefined }, 'it is not a plan'],
    ['one whose version is a text', { ...plan, schemaVersion: '2' }, 'it is not a plan'],
    ['one whose version is nested without end', `{"schemaVersion":${deep}}`, 'it is not a plan'],
    ['one without shards', { ...plan, shards: undefined }, 'it is not a plan'],
    ['a receipt', { schemaVersion: 3, plan: plan.hash, shard: '01' }, 'it is not a plan'],
  ])('%s', (_title, changed, problem) => expect(() => parse(changed)).toThrow(invalid(problem)));
});

test('a plan of version 1 is refused for its version, with what to do', () => {
  const hint = 'Another version of affected made it: run the same version in all jobs.';
  const message = 'plan.json cannot be used as a plan: its version is 1, but this program supports version 3.';
  expect(() => parse({ ...plan, schemaVersion: 1 })).toThrow(expect.objectContaining({ code: 'PLAN_INVALID', message, hint }));
});
