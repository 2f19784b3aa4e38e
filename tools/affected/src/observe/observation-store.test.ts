import { expect, test } from '@jest/globals';
import { observations } from '../observation-documents.fixture.js';
import { formatObservations } from './kept-observation.js';
import type { Observation } from './observation.js';
import { addObservations, joinParts, KEPT_RUNS, parseObservationLines, parseObservations } from './observation-store.js';

const [ONE] = observations() as readonly [Observation];

function at(commit: string, more: Partial<Observation> = {}): Observation {
  return { ...ONE, task: 'test', commit: commit.repeat(40), ...more };
}

test('the last runs of each piece are kept, one that is collected again once', () => {
  const runs = ['1', '2', '3', '4', '5', '6'].map((commit) => at(commit));
  const other = at('1', { workspace: 'other' });
  const kept = addObservations([other, ...runs], [at('6')]);
  expect(kept).toEqual([other, ...runs.slice(-KEPT_RUNS)]);
  const mac = at('7', { platform: { os: 'darwin', arch: 'arm64', node: '22' } });
  expect(addObservations(kept, [mac])).toEqual([...kept, mac]);
});

test('a run that is collected again is the last one; another version of Node is another platform', () => {
  const [failed, passed] = [at('1', { exit: 1 }), at('1')];
  expect(addObservations([failed, passed], [failed])).toEqual([passed, failed]);
  const runs = ['1', '2', '3', '4', '5'].map((commit) => at(commit));
  const old = at('1', { platform: { ...ONE.platform, node: '20' } });
  expect(addObservations([old], runs)).toEqual([old, ...runs]);
});

test('a file is read as it was written', () => {
  const all = observations();
  expect(parseObservations(formatObservations(all), 'o.json')).toEqual(all);
  expect(parseObservations(formatObservations([]), 'o.json')).toEqual([]);
  expect(() => parseObservationLines(JSON.stringify(ONE), 'o')).toThrow('cut off');
  expect(parseObservationLines(`${JSON.stringify(ONE)}\n`, 'o')).toEqual([ONE]);
});

test('the variables of all parts count', () => {
  const variables = (read: readonly string[], all: boolean): Required<Observation>['variables'] => ({ read, unset: ['X'], all });
  const [first, second] = [
    at('1', { part: [1, 2], variables: variables(['B'], false) }),
    at('1', { part: [2, 2], variables: variables(['A'], true) }),
  ];
  expect(joinParts([first, second]).whole[0]?.variables).toEqual({ read: ['A', 'B'], unset: ['X'], all: true });
});

test.each<[string, unknown]>([
  ['place behind the end', { shared: [7], search: [], each: {} }],
  ['place of a file behind the end', { shared: [], search: [], each: { 'a.test.js': [7] } }],
  ['negative place', { shared: [], search: [-1], each: {} }],
  ['missing list', { shared: [], each: {} }],
  ['list of files', { shared: [], search: [], each: [] }],
  ['reason that is no text', { unclear: 1 }],
])('a %s is no observation: it would name no input', (_, testFiles) => {
  expect(() => parseObservationLines(`${JSON.stringify({ ...ONE, testFiles })}\n`, 'o')).toThrow('it is no observation');
});

test('the parts of a suite are one observation, if all of them are there', () => {
  const gaps = [{ gap: 'daemon', detail: 'x' }] as const;
  const [first, second] = [
    at('1', { part: [1, 2], files: ['a'] }),
    at('1', { part: [2, 2], files: ['b'], complete: false, gaps, exit: 1 }),
  ];
  const { part: _, ...rest } = second;
  expect(joinParts([first, second])).toEqual({ whole: [{ ...rest, files: ['a', 'b'] }], missing: [] });
  expect(joinParts([first, first])).toEqual({ whole: [], missing: ['app'] });
  expect(joinParts([first, at('2', { part: [2, 2] })]).whole).toEqual([]);
  expect(
    joinParts([
      { ...first, plan: 'a' },
      { ...second, plan: 'b' },
    ]).whole,
  ).toEqual([]);
});
