import { beforeAll, describe, expect, test } from '@jest/globals';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { Hosted, NAMES, type Trouble } from './hosted.fixture.js';

/** The result of a run, in terms that all engines share. */
export interface HostedRun {
  readonly gate: 'passed' | 'failed' | 'not run';
  /** The output of the gate. */
  readonly output: string;
  /** The machines that ran shards, sorted by name. */
  readonly machines: readonly string[];
}

export interface HostedEngine {
  /** Runs the pipeline. `canceled` has the ids of legs that people cancel before they start. */
  first(more?: { readonly canceled?: readonly string[] }): Promise<HostedRun>;
  /** Runs it again, as the template tells people to do after a failure. */
  again(): Promise<HostedRun>;
}

export interface EngineKind {
  readonly start: (hosted: Hosted, shards: number, trouble?: Trouble) => Promise<HostedEngine>;
  /** The name of a leg's machine: `shard-01`. */
  readonly machine: (id: string) => string;
  /** What `again` runs. */
  readonly again: 'the failed shard' | 'everything';
}

const ALL = [...NAMES].sort();
/** For tests that depend on a shard's result and not on names: each machine takes seconds. */
const THREE = ['@acme/ui', 'e8', 'with.dot'];
const TWO = ['e8', 'with.dot'];

/** The cases that every engine must pass, each with real git, turborepo and the bundled tool. */
export function describeCases({ start, machine, again }: EngineKind, cleanUp: CleanUp): void {
  describe('three shards', () => {
    let hosted: Hosted;
    let run: HostedRun;

    beforeAll(async () => {
      hosted = await Hosted.create(cleanUp);
      run = await (await start(hosted, 3)).first();
    });

    test('run on a machine each', () => expect(run.machines).toEqual(['01', '02', '03'].map(machine)));
    test('run the tests of everybody who is affected once', () => expect(hosted.ran()).toEqual(ALL));
    test('pass the gate', () => {
      expect(run.output).toContain(`All ${NAMES.length} planned pieces in 3 shards ran and passed.`);
      expect(run.gate).toBe('passed');
    });
  });

  test('one shard runs all tests on one machine', async () => {
    const hosted = await Hosted.create(cleanUp, { names: THREE });
    const run = await (await start(hosted, 1)).first();
    expect(run).toMatchObject({ gate: 'passed', machines: [machine('01')] });
    expect(hosted.ran()).toEqual(THREE);
  });

  test('where nothing is affected no shard runs, and the gate passes', async () => {
    const hosted = await Hosted.create(cleanUp, { changed: 0 });
    const run = await (await start(hosted, 7)).first();
    expect(run).toMatchObject({ gate: 'passed', machines: [] });
    expect(run.output).toContain('Nothing was planned');
    expect(hosted.ran()).toEqual([]);
  });

  describe('a shard that fails', () => {
    let hosted: Hosted;
    let engine: HostedEngine;
    let run: HostedRun;

    beforeAll(async () => {
      hosted = await Hosted.create(cleanUp, { names: THREE, flaky: 'with.dot' });
      engine = await start(hosted, 3);
      run = await engine.first();
    });

    test('does not stop the others', () => expect(hosted.ran()).toEqual(THREE));

    test('fails the gate, which says so', () => {
      expect(run.output).toContain('with.dot failed with exit code 1');
      expect(run.output.match(/failed with exit code/g)).toHaveLength(1);
      expect(run.gate).toBe('failed');
    });

    test(`passes when ${again} is run again, and so does the gate`, async () => {
      hosted.mend();
      hosted.forget();
      const next = await engine.again();
      expect(next.output).toContain('All 3 planned pieces in 3 shards ran and passed.');
      expect(next.gate).toBe('passed');
      expect(next.machines).toHaveLength(again === 'everything' ? 3 : 1);
      // Earlier passes come out of turborepo's cache if machines outlive a run.
      expect(hosted.ran()).toEqual(['with.dot']);
    });
  });

  test('a shard that is cancelled fails the gate, which runs all the same', async () => {
    const hosted = await Hosted.create(cleanUp, { names: TWO });
    const run = await (await start(hosted, 2)).first({ canceled: ['02'] });
    expect(run.machines).toEqual([machine('01')]);
    expect(run.output).toContain('Shard 02 has no receipt');
    expect(run.gate).toBe('failed');
  });

  test('a shard that passes and leaves no receipt fails the gate', async () => {
    const hosted = await Hosted.create(cleanUp, { names: TWO });
    const run = await (await start(hosted, 2, { lost: ['02'] })).first();
    expect(run.machines).toEqual(['01', '02'].map(machine));
    expect(run.output).toContain('Shard 02 has no receipt');
    expect(run.gate).toBe('failed');
  });
}
