import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventNumber } from './event.fixture.js';
import { isPlainLine } from './is-plain-line.js';
import { parseEventLine } from './parse-event.js';

const NOW = eventNumber(1).recordedAt;
const LINE = JSON.stringify(eventNumber(1));

function isPlain(line: string): boolean {
  const event = parseEventLine(line, NOW);
  return typeof event !== 'string' && isPlainLine(line, event);
}

test('an event as JSON.stringify writes it is plain', () => {
  expect(isPlain(LINE)).toBe(true);
});

test.each([
  ['a field that is there twice', LINE.replace('{', '{"id":"x",')],
  ['a number with an exponent', LINE.replace('"attempt":1', '"attempt":1e0')],
  ['a number with a fraction', LINE.replace('"attempt":1', '"attempt":1.0')],
  ['an escape', LINE.replace('"id":"', '"id":"\\u0041')],
  ['a letter that is not ASCII', LINE.replace('"id":"', '"id":"ü')],
  ['a space between two fields', LINE.replace(',', ', ')],
  ['a carriage return', `${LINE}\r`],
])('%s is an event, and not plain', (_, line) => {
  expect(parseEventLine(line, NOW)).toMatchObject({ schemaVersion: 1 });
  expect(isPlain(line)).toBe(false);
});

test('a plain line with any name and team is what JSON.stringify would write', () => {
  const text = fc.string({ unit: 'grapheme-ascii', minLength: 1 });
  fc.assert(
    fc.property(text, text, (id, team) => {
      const line = JSON.stringify({ ...eventNumber(1), id, team });
      const event = parseEventLine(line, NOW);
      if (typeof event !== 'string' && isPlainLine(line, event)) expect(line).toBe(JSON.stringify(event));
    }),
  );
});
