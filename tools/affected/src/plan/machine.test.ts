import { expect, test } from '@jest/globals';
import { concurrencyOf } from './machine.js';

test.each<[variable: string | undefined, text: string | undefined, concurrency: number]>([
  [undefined, undefined, 10],
  [undefined, '{ "tasks": {} }', 10],
  [undefined, '// so few\n{ "concurrency": "3", }', 3],
  [undefined, '{ "concurrency": "50%" }', 4],
  [undefined, '{ "concurrency": "1%" }', 1],
  ['7', '{ "concurrency": "3" }', 7],
  ['200%', undefined, 16],
  // turborepo refuses these values.
  ['', '{ "concurrency": "3" }', 3],
  ['many', undefined, 10],
  [undefined, '{ "concurrency": 3 }', 10],
  [undefined, '{ "concurrency": "0" }', 10],
  [undefined, 'broken', 10],
])('TURBO_CONCURRENCY=%j and turbo.json %j on 8 processors: %d at once', (variable, text, concurrency) => {
  expect(concurrencyOf(8, { variable, text })).toBe(concurrency);
});
