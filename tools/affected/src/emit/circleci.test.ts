import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { emitCircleci } from './circleci.js';
import { idsOf, planOf, sameTime } from './plan.fixture.js';

interface Configuration {
  readonly jobs: Readonly<Record<string, unknown>>;
  readonly workflows: { readonly affected: { readonly jobs: readonly (string | Readonly<Record<string, Invocation>>)[] } };
}

interface Invocation {
  readonly name: string;
  readonly shards: string;
  readonly requires: readonly Readonly<Record<string, string>>[];
}

function read(text: string): {
  readonly shards: readonly Invocation[];
  readonly gate: Invocation | undefined;
  readonly configuration: Configuration;
} {
  const configuration = parse(text) as Configuration;
  const jobs = configuration.workflows.affected.jobs.filter((job) => typeof job !== 'string');
  return { configuration, shards: jobs.flatMap(({ shard }) => shard ?? []), gate: jobs.find(({ gate }) => gate !== undefined)?.['gate'] };
}

describe('an empty plan', () => {
  const text = emitCircleci(planOf([]));

  test('leaves the gate alone', () => {
    const { configuration } = read(text);
    expect(Object.keys(configuration.jobs)).toEqual(['gate']);
    expect(configuration.workflows.affected.jobs).toEqual(['gate']);
  });

  test('has a gate that asks no workspace, because nobody put anything into one', () => {
    expect(text).not.toContain('attach_workspace');
    expect(emitCircleci(planOf([10]))).toContain('attach_workspace');
  });
});

test('the longest leg stands first, and each has the number of its first shard as its name', () => {
  expect(read(emitCircleci(planOf([10, 30, 20]))).shards).toEqual([
    { name: 'shard-02', shards: '02' },
    { name: 'shard-03', shards: '03' },
    { name: 'shard-01', shards: '01' },
  ]);
});

test('no name of a package is written down', () => expect(emitCircleci(sameTime(7))).not.toContain('acme'));

test('a step that fails stands after the one that keeps the receipts', () => {
  const { shard } = parse(emitCircleci(sameTime(1))).jobs;
  const names = shard.steps.map((step: unknown) => (typeof step === 'string' ? step : Object.keys(step as object)[0]));
  expect(names).toEqual(['checkout', 'restore_cache', 'run', 'run', 'persist_to_workspace', 'run']);
  expect(shard.steps.at(-1).run.command).toBe('test -e ~/affected/passed');
});

describe.each([1, 7, 999, 1_000, 1_001, 2_500])('%i shards', (count) => {
  const plan = sameTime(count);
  const { shards, gate } = read(emitCircleci(plan));

  test('are a thousand jobs at the most', () => expect(shards).toHaveLength(Math.min(count, 1_000)));

  test('are all there once', () => expect(shards.flatMap((one) => one.shards.split(' ')).sort()).toEqual([...idsOf(plan)].sort()));

  test('are all waited for, however they end', () => {
    expect(gate?.requires).toEqual(shards.map(({ name }) => ({ [name]: 'terminal' })));
  });
});

test('a thousand jobs with their steps written out stay below the 4 MB of older servers', () => {
  const { configuration, shards } = read(emitCircleci(sameTime(1_001)));
  const jobs = Object.fromEntries(shards.map(({ name }) => [name, configuration.jobs['shard']]));
  const compiled = JSON.stringify({ ...configuration, jobs: { ...jobs, gate: configuration.jobs['gate'] } }, undefined, 2);
  expect(compiled.length).toBeGreaterThan(1_000_000);
  expect(compiled.length).toBeLessThan(4_000_000);
});
