import { expect, test } from '@jest/globals';
import { ALL_CODES } from '@tributary/model/changeset';
import { compileSchema, invalidAnswers } from '@tributary/test-repo/schemas';
import { checked, observations } from './check-documents.fixture.js';
import { initResults } from './init/init-documents.fixture.js';
import { gateResults, plans, receipts, reportResults, shardResults } from './plan-documents.fixture.js';
import { everything, explanations, failure, notAffected, replayed, selections, tuned } from './result-documents.fixture.js';

// Holds the schemas, which are made from the types, against the answers of the pure code.

const ANSWERS: Readonly<Record<string, () => readonly unknown[]>> = {
  'affected-result': () => [...selections(), ...ALL_CODES.map(everything), { ...everything('FAILED'), head: null }],
  'why-result': () => [...explanations(), notAffected()],
  'replay-result': () => [replayed()],
  'tune-result': () => [tuned()],
  'init-result': () => initResults(),
  'setup-result': () => [
    {
      schemaVersion: 1,
      requirements: ['ok', 'limited', 'missing', 'unknown'].map((state) => ({ name: 'git', state, found: '2.50', hint: null })),
    },
    { schemaVersion: 1, requirements: [{ name: 'git', state: 'missing', found: 'not found', hint: 'Install it.' }] },
  ],
  'check-result': () => [checked('plain'), checked('fixed')],
  plan: () => [...selections(), everything('FAILED')].flatMap(plans),
  receipt: () => receipts(),
  'gate-result': () => gateResults(),
  'report-result': () => reportResults(),
  'shard-result': () => shardResults(),
  observation: () => observations(),
  error: () => [failure({ hint: 'Did you mean app?' }), failure({})],
};

test.each(Object.entries(ANSWERS))('%s.schema.json allows the answers', (name, build) => {
  expect(invalidAnswers(['affected', name], build())).toEqual([]);
});

test.each<[name: string, broken: (document: object) => unknown]>([
  ['plan', (plan) => ({ ...plan, affected: { schemaVersion: 1 } })],
  ['plan', (plan) => ({ ...plan, other: 1 })],
  ['shard-result', (result) => ({ ...result, receipts: [{ schemaVersion: 1 }] })],
])('%s.schema.json refuses what is no answer', (name, broken) => {
  const validate = compileSchema('affected', name);
  const [document] = ANSWERS[name]?.() ?? [];
  expect([validate(document), validate(broken(document as object))]).toEqual([true, false]);
});
