import { expect, test } from '@jest/globals';
import { compareWithSchema, compileSchema, NO_FAULTS, readSchema } from '@tributary/test-repo/schemas';
import { changes, comparisons, failures, predictions, reports } from './answers.fixture.js';
import { collections, compactions, ingestions } from './recorded-answers.fixture.js';

// Holds the published schemas against the types and against the answers of the pure code. Each answer is valid, and every field and word of
// a schema occurs in some answer.

const TOOL = 'commit-to-publish';
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

test.each(Object.entries(ANSWERS))('%s.schema.json and the answers agree, and no field but a known one is allowed', (name, build) => {
  expect(compareWithSchema([TOOL, name], build())).toEqual({ ...NO_FAULTS, open: name === 'error' ? ['.error.data'] : [] });
});

test('compare and predict say the same about what they share', () => {
  const [one, other] = ['compare-result', 'predict-result'].map((name) => readSchema(TOOL, name).definitions);
  for (const part of ['figure', 'interval', 'pair', 'scenario', 'figures']) expect(other?.[part]).toEqual(one?.[part]);
});

test('an event in the answer of explain is held to the schema of events', () => {
  const validate = compileSchema(TOOL, 'explain-result');
  const way = { package: 'ui', consumer: null, leadTime: 'not merged', events: [{ schemaVersion: 1 }] };
  const answer = { schemaVersion: 1, question: { ready: 'merged', to: 'published', channels: ['latest'] }, repo: 'acme/ui', change: '#1' };
  expect(validate({ ...answer, targets: [way] })).toBe(false);
  expect(validate({ ...answer, targets: [{ ...way, events: [] }] })).toBe(true);
});
