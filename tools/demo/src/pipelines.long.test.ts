import { expect, test } from '@jest/globals';
import { compileSchema } from '@tributary/test-repo/schemas';
import { SOURCES } from './organisation.js';
import { pipelineEvents, WEEKS } from './pipelines.js';

const MOVED = Date.UTC(2026, 0, 5) / 1000;
const SPAN = WEEKS * 7 * 24 * 3600;

test('what pipelines write down are events as the schema has them, each once, and the same every time', () => {
  const events = pipelineEvents(MOVED);
  const validate = compileSchema('commit-to-publish', 'event');
  expect(events.filter((event) => !validate(event))).toEqual([]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  expect(pipelineEvents(MOVED)).toEqual(events);
});

test('before the move each package is released in its own repository, after it with the app', () => {
  const merges = pipelineEvents(MOVED).filter(({ stage }) => stage === 'merge-wait');
  const of = (test: (endedAt: number) => boolean): string[] =>
    [...new Set(merges.filter(({ endedAt }) => test(endedAt / 1e6)).map(({ repo }) => repo))].sort();
  expect(of((at) => at < MOVED)).toEqual(Object.values(SOURCES).sort());
  expect(of((at) => at >= MOVED)).toEqual(['harbor']);
  expect(merges.every(({ endedAt }) => Math.abs(endedAt / 1e6 - MOVED) <= SPAN)).toBe(true);
});

test('nothing ends before it begins, and nothing was written down before it was over', () => {
  expect(pipelineEvents(MOVED).filter(({ startedAt, endedAt, recordedAt }) => startedAt > endedAt || recordedAt < endedAt)).toEqual([]);
});
