import { describe, expect, test } from '@jest/globals';
import type { Plan } from '../plan/plan.js';
import { emitGithub } from './github.js';
import { planOf, sameTime } from './plan.fixture.js';

/** What GitHub makes of the lines: each is a name, an equals sign and a value. */
function outputsOf(text: string): Record<string, string> {
  return Object.fromEntries(text.split('\n').flatMap((line) => (line === '' ? [] : [splitLine(line)])));
}

function splitLine(line: string): [string, string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}

interface Row {
  readonly leg: string;
  readonly shards: string;
}

function rowsOf(plan: Plan): readonly Row[] {
  return JSON.parse(outputsOf(emitGithub(plan))['matrix'] ?? '').include;
}

test('an empty plan has no work and an empty list', () => {
  expect(emitGithub(planOf([]))).toBe('has_work=false\nmatrix={"include":[]}\n');
});

test('one shard is one leg', () => {
  expect(emitGithub(planOf([10]))).toBe('has_work=true\nmatrix={"include":[{"leg":"01","shards":"01"}]}\n');
});

test('the longest leg stands first', () => {
  expect(rowsOf(planOf([10, 30, 20])).map(({ leg }) => leg)).toEqual(['02', '03', '01']);
});

test('no name of a package is handed on', () => {
  expect(emitGithub(sameTime(7))).not.toContain('acme');
});

describe.each([1, 7, 255, 256])('%i shards', (count) => {
  test('have a leg each', () => {
    const rows = rowsOf(sameTime(count));
    expect(rows).toHaveLength(count);
    expect(rows.filter(({ leg, shards }) => leg !== shards)).toEqual([]);
  });
});

describe.each([257, 300, 513, 5_000])('%i shards, which GitHub would refuse', (count) => {
  const text = emitGithub(sameTime(count));
  const rows = rowsOf(sameTime(count));

  test('are put together in 256 legs', () => expect(rows).toHaveLength(256));

  test('all are there once', () => {
    const ids = rows.flatMap(({ shards }) => shards.split(' '));
    expect(ids.sort()).toEqual(
      sameTime(count)
        .shards.map(({ id }) => id)
        .sort(),
    );
  });

  test('are below the 1 MB of UTF-16 that a job may hand on', () => expect(Buffer.byteLength(text, 'utf16le')).toBeLessThan(1_000_000));

  test('are two lines of plain characters, so that nothing ends a value early', () => {
    expect(text).toMatch(/^has_work=true\nmatrix=\{[\w",:[\]{} ]*\}\n$/);
  });
});
