import { expect, test } from '@jest/globals';
import type { AuditedMutant } from '../result.js';
import { withoutUnproven } from './proven-failures.js';

const ONE: AuditedMutant = {
  number: 1,
  kind: 'source',
  file: 'a.js',
  line: 1,
  before: '1',
  after: '2',
  selected: 1,
  spared: [],
  outcome: 'killed',
  failed: ['a', 'b'],
  missed: [],
};

test.each<[string, Partial<AuditedMutant>, readonly string[], Partial<AuditedMutant>]>([
  ['all pass without it', {}, [], {}],
  ['one of two fails without it', {}, ['b'], { failed: ['a'] }],
  ['all fail without it', {}, ['a', 'b', 'c'], { failed: [], outcome: 'unclear' }],
  ['it was missed', { failed: ['a'], missed: ['a'] }, ['a'], { failed: ['a'], missed: ['a'] }],
  ['nothing failed', { failed: [], outcome: 'survived' }, ['a'], { failed: [], outcome: 'survived' }],
])('a mutant of which %s', (_, more, failing, expected) => {
  expect(withoutUnproven([{ ...ONE, ...more }], failing)).toEqual([{ ...ONE, ...expected }]);
});
