import { describe, expect, test } from '@jest/globals';
import { listPromised, Seen, undescribed } from '@tributary/test-repo/schema-places';
import { changes, comparisons, failures, predictions, reports } from './answers.fixture.js';
import { collections, compactions, ingestions } from './recorded-answers.fixture.js';
import { compileSchema, readSchema } from './schemas.fixture.js';

// Holds the published schemas against the types and against the answers of the pure code. Each answer is valid, and every field and word of
// a schema occurs in some answer.

const ANSWERS: Readonly<Record<string, () => readonly unknown[]>> = {
  'collect-result': collections,
  'ingest-result': ingestions,
  'compact-result': compactions,
  'report-result': reports,
  'compare-result': comparisons,
  'predict-result': predictions,
  'explain-result': changes,
  error: failures,
};

describe.each(Object.entries(ANSWERS))('%s.schema.json', (name, build) => {
  const schema = readSchema(name);
  const printed = build().map((answer): unknown => JSON.parse(JSON.stringify(answer)));

  test('every answer is valid', () => {
    const validate = compileSchema(name);
    expect(printed.flatMap((answer) => (validate(answer) ? [] : [{ answer, errors: validate.errors }])).slice(0, 1)).toEqual([]);
  });

  test('every field and every word of it occurs', () => {
    const seen = new Seen(schema);
    for (const value of printed) seen.add({ schema, value, at: '' });
    expect(listPromised(schema).filter((place) => !seen.places.has(place))).toEqual([]);
  });

  test('every field is described, and no other is allowed', () => {
    const text = JSON.stringify(schema);
    const open = name === 'error' ? 1 : 0;
    // Objects with names as keys allow any key, and have a schema for the values.
    expect(text.match(/"type":"object"/g)?.length).toBe((text.match(/"additionalProperties":(?:false|\{)/g)?.length ?? 0) + open);
    expect(undescribed(schema, '')).toEqual([]);
  });
});

test('compare and predict say the same about what they share', () => {
  const [one, other] = ['compare-result', 'predict-result'].map((name) => readSchema(name).definitions);
  for (const part of ['figure', 'interval', 'pair', 'scenario', 'figures']) expect(other?.[part]).toEqual(one?.[part]);
});

test('an event in the answer of explain is held to the schema of events', () => {
  const validate = compileSchema('explain-result');
  const way = { package: 'ui', consumer: null, leadTime: 'not merged', events: [{ schemaVersion: 1 }] };
  const answer = { schemaVersion: 1, question: { ready: 'merged', to: 'published', channels: ['latest'] }, repo: 'acme/ui', change: '#1' };
  expect(validate({ ...answer, targets: [way] })).toBe(false);
  expect(validate({ ...answer, targets: [{ ...way, events: [] }] })).toBe(true);
});
