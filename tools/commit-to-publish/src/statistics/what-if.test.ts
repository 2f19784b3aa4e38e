import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MODES, type StagedChange, whatIf } from './what-if.js';

const OPTIONS = { percentiles: [0.5, 0.9], method: 'linear' } as const;

const CHANGE = fc.record({
  stages: fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 3, maxLength: 3 }),
  cluster: fc.constantFrom('a', 'b', 'c'),
});

test('the order of the changes does not matter', () => {
  fc.assert(
    fc.property(fc.array(CHANGE, { minLength: 1, maxLength: 20 }), (changes) => {
      expect(whatIf([...changes].reverse(), { ...OPTIONS, kept: [0, 2] })).toEqual(whatIf(changes, { ...OPTIONS, kept: [0, 2] }));
    }),
    { numRuns: 3 },
  );
});

test('of one stage all modes say the same, but for the chance of a simulation', () => {
  const changes: StagedChange[] = Array.from({ length: 100 }, (_, at) => ({ stages: [at], cluster: `${at % 10}` }));
  const { simulation, replay, article } = whatIf(changes, { ...OPTIONS, kept: [0] });
  expect(replay.map(({ value }) => value)).toEqual([49.5, expect.closeTo(89.1, 9)]);
  expect(article.map(({ value }) => value)).toEqual(replay.map(({ value }) => value));
  for (const [at, { value }] of simulation.entries()) expect(Math.abs(value - (replay[at]?.value ?? 0))).toBeLessThanOrEqual(1.5);
});

test('stages that depend on each other are the difference between replay and simulation', () => {
  // A change that waits long in one stage does not wait in the other.
  const changes: StagedChange[] = Array.from({ length: 100 }, (_, at) => ({ stages: [at, 99 - at], cluster: `${at % 10}` }));
  const { simulation, replay, article } = whatIf(changes, { ...OPTIONS, kept: [0, 1] });
  expect(replay.map(({ value }) => value)).toEqual([99, 99]);
  expect(article[1]?.value).toBeCloseTo(178.2, 9);
  expect(simulation[1]?.value).toBeGreaterThan(140);
  expect(simulation[1]?.value).toBeLessThan(170);
});

test('a replay alone has intervals, for they are of changes', () => {
  const changes: StagedChange[] = Array.from({ length: 100 }, (_, at) => ({ stages: [at, 1], cluster: `${at % 10}` }));
  const found = whatIf(changes, { ...OPTIONS, kept: [0] });
  expect(found.replay[0]?.interval).toBeDefined();
  expect([...found.simulation, ...found.article].map(({ interval }) => interval)).toEqual([undefined, undefined, undefined, undefined]);
});

test('one release alone says nothing of how releases differ; no change, and no stage, is no failure', () => {
  const one = whatIf([{ stages: [1], cluster: 'a' }], { ...OPTIONS, kept: [0] });
  for (const mode of MODES)
    expect(one[mode].map(({ value, interval }) => [value, interval])).toEqual([
      [1, undefined],
      [1, undefined],
    ]);
  expect(whatIf([], { ...OPTIONS, kept: [0] }).replay).toEqual([]);
  expect(whatIf([{ stages: [1], cluster: 'a' }], { ...OPTIONS, kept: [] }).article.map(({ value }) => value)).toEqual([0, 0]);
});
