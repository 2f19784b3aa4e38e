import { describe, expect, test } from '@jest/globals';
import { emitJenkins } from './jenkins.js';
import { idsOf, planOf, sameTime } from './plan.fixture.js';

const LINE = /^ {4}'([\d ]+)',$/;

function legsOf(text: string): readonly string[] {
  const lines = text.split('\n').slice(2, -2);
  return lines.map((line) => LINE.exec(line)?.[1] ?? `not a leg: ${line}`);
}

test('an empty plan is an empty list', () => {
  expect(emitJenkins(planOf([]))).toBe('/* Written by affected: the shards of each machine, the longest first. */\nreturn []\n');
});

test('each leg is a line, the longest first', () => {
  expect(emitJenkins(planOf([10, 30]))).toBe(
    "/* Written by affected: the shards of each machine, the longest first. */\nreturn [\n    '02',\n    '01',\n]\n",
  );
});

test('no name of a package is written down', () => expect(emitJenkins(sameTime(7))).not.toContain('acme'));

describe.each([1, 7, 249, 250, 251, 600])('%i shards', (count) => {
  const legs = legsOf(emitJenkins(sameTime(count)));

  test('are no longer list than a Pipeline may have', () => expect(legs).toHaveLength(Math.min(count, 250)));

  test('are all there once', () => expect(legs.flatMap((leg) => leg.split(' ')).sort()).toEqual([...idsOf(sameTime(count))].sort()));
});
