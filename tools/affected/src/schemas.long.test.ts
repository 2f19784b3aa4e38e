import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ALL_CODES } from '@tributary/model/changeset';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { compareWithSchema, compileSchema, NO_FAULTS, readSchema } from '@tributary/test-repo/schemas';
import { audits } from './audit/audit-documents.fixture.js';
import { checked } from './check-documents.fixture.js';
import { initResults } from './init/init-documents.fixture.js';
import { observations } from './observation-documents.fixture.js';
import { gateResults, plans, receipts, shardResults, stageResults } from './plan-documents.fixture.js';
import { everything, explanations, failure, graphOf, notAffected, replayed, selections, tuned } from './result-documents.fixture.js';
import { ledgers, shadowResults } from './shadow/shadow-documents.fixture.js';

// Holds the published schemas against the types and against the answers of the pure code. Each answer is valid, and every field and word of
// a schema occurs in some answer. A new word of a type does not compile here until it has an answer, which the schema then refuses.

const ANSWERS: Readonly<Record<string, () => readonly unknown[]>> = {
  'affected-result': () => [...selections(), ...ALL_CODES.map(everything), { ...everything('FAILED'), head: null }],
  'why-result': () => [...explanations(), notAffected()],
  'graph-result': () => [graphOf()],
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
  'check-result': () => [checked('transitive'), checked('terminal')],
  plan: () => [...selections(), everything('FAILED')].flatMap(plans),
  receipt: () => receipts(),
  'gate-result': () => gateResults(),
  'shard-result': () => shardResults(),
  'stage-result': () => stageResults(),
  observation: () => observations(),
  'ledger-entry': () => ledgers().flatMap(({ entries }) => entries),
  'audit-result': () => audits(),
  'shadow-result': () => shadowResults(),
  error: () => [failure({ hint: 'Did you mean app?' }), failure({})],
};

test.each(Object.entries(ANSWERS))('%s.schema.json and the answers agree, and no field but a known one is allowed', (name, build) => {
  const faults = compareWithSchema(['affected', name], build(), (place) => isShownElsewhere(name, place));
  expect(faults).toEqual({ ...NO_FAULTS, open: name === 'error' ? ['.error.data'] : [] });
});

test('the setup of all tools is told in the same way', () => {
  const read = (tool: string): string => readFileSync(join(findProjectRoot(), 'tools', tool, 'schema/setup-result.schema.json'), 'utf8');
  expect([read('migrate-repo'), read('commit-to-publish')]).toEqual([read('affected'), read('affected')]);
});

test.each(['affected-result', 'why-result', 'replay-result'])('%s knows every code of "all"', (name) => {
  const { properties } = readSchema('affected', name).definitions?.['allReason'] ?? {};
  expect(properties?.['code']?.enum).toEqual(ALL_CODES);
});

test('the two schemas that hold reasons say the same about them', () => {
  const [one, other] = ['affected-result', 'why-result'].map((name) => readSchema('affected', name).definitions);
  for (const part of ['allReason', 'reason', 'directReason']) expect(other?.[part]).toEqual(one?.[part]);
});

test.each<[name: string, broken: (document: object) => unknown]>([
  ['plan', (plan) => ({ ...plan, affected: { schemaVersion: 1 } })],
  ['shard-result', (result) => ({ ...result, receipts: [{ schemaVersion: 1 }] })],
])('%s is held to the schema that it refers to', (name, broken) => {
  const validate = compileSchema('affected', name);
  const [document] = ANSWERS[name]?.() ?? [];
  expect([validate(document), validate(broken(document as object))]).toEqual([true, false]);
});

/** Codes are the same in every answer that has one. The answer of `affected` itself has all of them. */
function isShownElsewhere(name: string, place: string): boolean {
  return name !== 'affected-result' && place.startsWith('#/definitions/allReason.code = ');
}
