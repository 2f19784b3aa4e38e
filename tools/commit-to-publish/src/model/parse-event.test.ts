import { expect, test } from '@jest/globals';
import { eventNumber } from './event.fixture.js';
import type { Micros } from './event.js';
import { parseEventLine } from './parse-event.js';

const NOW = (Date.UTC(2026, 5, 1) * 1000) as Micros;
const EVENT = eventNumber(1);

test.each([
  ['{"id":', 'is no JSON'],
  ['', 'is no JSON'],
  ['[]', 'is no object'],
  ['null', 'is no object'],
  [JSON.stringify({ ...EVENT, schemaVersion: 2 }), 'has schemaVersion 2, which is newer than this program'],
  [JSON.stringify({ ...EVENT, schemaVersion: undefined }), 'has no schemaVersion 1'],
  [JSON.stringify({ ...EVENT, package: '' }), 'needs "package", a string of 1 to 1000 characters without control characters'],
  [JSON.stringify({ ...EVENT, team: 7 }), 'has "team", which is not a string of 1 to 1000 characters without control characters'],
  [JSON.stringify({ ...EVENT, release: null }), 'has "release" with the value null: leave out the field instead'],
  [JSON.stringify({ ...EVENT, revision: null }), 'has "revision" with the value null: leave out the field instead'],
  [JSON.stringify({ ...EVENT, id: null }), 'needs "id", a string of 1 to 1000 characters without control characters'],
  [JSON.stringify({ ...EVENT, url: 'javascript:alert(1)' }), 'has "url", which does not begin with https:// or http://'],
  [JSON.stringify({ ...EVENT, url: 'file:///etc/passwd' }), 'has "url", which does not begin with https:// or http://'],
  [JSON.stringify({ ...EVENT, package: 'ui\u202ecod' }), 'needs "package", a string of 1 to 1000 characters without control characters'],
  [JSON.stringify({ ...EVENT, url: 'a\nb' }), 'has "url", which is not a string of 1 to 1000 characters without control characters'],
  [JSON.stringify({ ...EVENT, id: '\ud83d' }), 'needs "id", a string of 1 to 1000 characters without control characters'],
  [JSON.stringify({ ...EVENT, attempt: 0 }), 'needs "attempt", a number from 1'],
  [JSON.stringify({ ...EVENT, revision: 0 }), 'has "revision", which is not a number from 1'],
  [JSON.stringify({ ...EVENT, outcome: 'ok' }), 'needs "outcome", one of success, failure, cancelled, skipped, unmeasured, retracted'],
  [JSON.stringify({ ...EVENT, stage: 'pr-tests', outcome: 'unmeasured' }), 'has "outcome" unmeasured, which is only for "stage" publish'],
  [JSON.stringify({ ...EVENT, startedAt: 1.5 }), 'needs "startedAt", whole microseconds since 1970 (UTC)'],
  [JSON.stringify({ ...EVENT, startedAt: EVENT.startedAt / 1000 }), 'has "startedAt" before 2000: are these milliseconds?'],
  [JSON.stringify({ ...EVENT, endedAt: EVENT.startedAt - 1 }), 'ends before it starts'],
  [JSON.stringify({ ...EVENT, endedAt: NOW + 3600e6 }), 'has "endedAt" in the future'],
  [JSON.stringify({ ...EVENT, teams: 'a' }), 'has "teams", which is not a field of an event'],
])('%s', (line, flaw) => {
  expect(parseEventLine(line, NOW)).toBe(flaw);
});

test('an event is what it was', () => {
  expect(parseEventLine(JSON.stringify(EVENT), NOW)).toEqual(EVENT);
});
