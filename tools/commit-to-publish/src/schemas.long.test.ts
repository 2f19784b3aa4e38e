import { expect, test } from '@jest/globals';
import { compileSchema, invalidAnswers } from '@tributary/test-repo/schemas';
import { changes, comparisons, failures, predictions, reports } from './answers.fixture.js';
import { collections, compactions, ingestions } from './recorded-answers.fixture.js';

// Holds the schemas, which are made from the types, against the answers of the pure code.

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

test.each(Object.entries(ANSWERS))('%s.schema.json allows the answers', (name, build) => {
  expect(invalidAnswers([TOOL, name], build())).toEqual([]);
});

test('an event in the answer of explain is held to the schema of events', () => {
  const validate = compileSchema(TOOL, 'explain-result');
  const way = { package: 'ui', consumer: null, leadTime: 'not merged', events: [{ schemaVersion: 1 }] };
  const answer = { schemaVersion: 1, question: { ready: 'merged', to: 'published', channels: ['latest'] }, repo: 'acme/ui', change: '#1' };
  expect(validate({ ...answer, targets: [way] })).toBe(false);
  expect(validate({ ...answer, targets: [{ ...way, events: [] }] })).toBe(true);
});
