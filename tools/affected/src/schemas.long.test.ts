import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ALL_CODES } from '@tributary/model/changeset';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { listPromised, type Schema, Seen, undescribed } from '@tributary/test-repo/schema-places';
import { Ajv } from 'ajv';
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

describe.each(Object.entries(ANSWERS))('%s.schema.json', (name, build) => {
  const schema = readSchema(name);
  const printed = (): readonly unknown[] => build().map((answer) => JSON.parse(JSON.stringify(answer)));

  test('every answer is valid', () => {
    const validate = compile(schema);
    expect(printed().flatMap((answer) => (validate(answer) ? [] : [{ answer, errors: validate.errors }]))).toEqual([]);
  });

  test('every field and every word of it occurs', () => {
    const seen = new Seen(schema);
    for (const value of printed()) seen.add({ schema, value, at: '' });
    expect(listPromised(schema).filter((place) => !seen.places.has(place) && !isShownElsewhere(name, place))).toEqual([]);
  });

  test('every field is described, and no other is allowed', () => {
    const text = JSON.stringify(schema);
    const open = name === 'error' || name === 'observation' ? 1 : 0;
    expect(text.match(/"type":"object"/g)?.length).toBe((text.match(/"additionalProperties":false/g)?.length ?? 0) + open);
    expect(undescribed(schema, '')).toEqual([]);
  });
});

test('the setup of all tools is told in the same way', () => {
  const read = (tool: string): string => readFileSync(join(findProjectRoot(), 'tools', tool, 'schema/setup-result.schema.json'), 'utf8');
  expect([read('migrate-repo'), read('commit-to-publish')]).toEqual([read('affected'), read('affected')]);
});

test.each(['affected-result', 'why-result', 'replay-result'])('%s knows every code of "all"', (name) => {
  const { properties } = readSchema(name).definitions?.['allReason'] ?? {};
  expect(properties?.['code']?.enum).toEqual(ALL_CODES);
});

test('the two schemas that hold reasons say the same about them', () => {
  const [one, other] = ['affected-result', 'why-result'].map((name) => readSchema(name).definitions);
  for (const part of ['allReason', 'reason', 'directReason']) expect(other?.[part]).toEqual(one?.[part]);
});

test.each<[name: string, broken: (document: object) => unknown]>([
  ['plan', (plan) => ({ ...plan, affected: { schemaVersion: 1 } })],
  ['shard-result', (result) => ({ ...result, receipts: [{ schemaVersion: 1 }] })],
])('%s is held to the schema that it refers to', (name, broken) => {
  const validate = compile(readSchema(name));
  const [document] = ANSWERS[name]?.() ?? [];
  expect([validate(document), validate(broken(document as object))]).toEqual([true, false]);
});

/** Compiles a schema together with the other schemas that it may refer to. */
function compile(schema: Schema): ReturnType<Ajv['compile']> {
  const ajv = new Ajv({ allErrors: true });
  for (const other of ['affected-result', 'receipt', 'ledger-entry']) ajv.addSchema(readSchema(other), `${other}.schema.json`);
  return ajv.compile(schema);
}

/** Codes are the same in every answer that has one. The answer of `affected` itself has all of them. */
function isShownElsewhere(name: string, place: string): boolean {
  return name !== 'affected-result' && place.startsWith('#/definitions/allReason.code = ');
}

function readSchema(name: string): Schema {
  return JSON.parse(readFileSync(join(findProjectRoot(), 'tools/affected/schema', `${name}.schema.json`), 'utf8')) as Schema;
}
