import { expect, test } from '@jest/globals';
import { compileSchema } from '@tributary/test-repo/schemas';
import fc from 'fast-check';
import { eventNumber } from './event.fixture.js';
import type { Micros } from './event.js';
import { eventFlaw } from './parse-event.js';

const NOW = (Date.UTC(2026, 5, 1) * 1000) as Micros;
const EVENT = eventNumber(1);
const FIELDS = [...Object.keys(EVENT), 'consumer', 'release', 'channel', 'team', 'url', 'files', 'revision'];

test('the published schema and the program refuse the same', () => {
  const validate = compileSchema('commit-to-publish', 'event');
  const odd = fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    'x',
    0,
    1,
    1.5,
    -1,
    2,
    1e7,
    [],
    {},
    true,
    'success',
    'unmeasured',
    'publish',
    'pr-tests',
    'bot',
    'y'.repeat(1001),
    '😀'.repeat(1000),
    '😀'.repeat(1001),
    'a\u0000b',
    '\ud83d',
    EVENT.endedAt,
  );
  const key = fc.constantFrom(...FIELDS, 'other', 'toString');
  fc.assert(
    fc.property(fc.array(fc.tuple(key, odd), { maxLength: 2 }), (changes) => {
      const value: unknown = JSON.parse(JSON.stringify({ ...EVENT, ...Object.fromEntries(changes) }));
      const flaw = eventFlaw(value, NOW);
      // The schema does not compare two fields with each other.
      fc.pre(flaw !== 'ends before it starts' && flaw?.includes('only for "stage" publish') !== true);
      expect([flaw === undefined, value]).toEqual([validate(value), value]);
    }),
    { numRuns: 1000 },
  );
});
