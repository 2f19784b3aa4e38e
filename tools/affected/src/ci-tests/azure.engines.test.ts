import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { parse, stringify } from 'yaml';
import { azure } from '../engines/azure.js';
import { sameTime } from '../engines/plan.fixture.js';
import { AzurePipeline, type AzureRun } from './azure-engine.fixture.js';
import { Hosted, readTemplate } from './hosted.fixture.js';
import { describeCases, type HostedRun } from './hosted-cases.fixture.js';
import { findTool } from './tools.fixture.js';

const cleanUp = cleanUpIn(afterAll);
const validator = findTool('CHECK_JSONSCHEMA');
const template = readTemplate('azure/azure-pipelines.yml');

/** Returns the errors of the published Azure Pipelines schema for a pipeline; empty if there are none. */
async function flawsOf(text: string): Promise<string> {
  const file = cleanUp.add(new TempFolder()).write('azure-pipelines.yml', text);
  // The schema has a pattern with an escape that the flag u does not allow.
  const args = ['--regex-variant', 'nonunicode', '--builtin-schema', 'vendor.azure-pipelines', file];
  const { code, stdout, stderr } = await runProcess(validator ?? '', args, { cwd: '/' });
  return code === 0 ? '' : stdout + stderr;
}

/** Returns the template with the matrix that its expression would give. */
function expanded(count: number): string {
  const [, legs = ''] = /variable=legs;isOutput=true\](.*)/.exec(azure.emit(sameTime(count))) ?? [];
  const pipeline = parse(template);
  const shards = pipeline.jobs.find(({ job }: { job: string }) => job === 'shards');
  shards.strategy.matrix = JSON.parse(legs);
  return stringify(pipeline);
}

(validator === undefined ? describe.skip : describe)('the published schema', () => {
  test('takes the template, and the one with one job', async () => {
    expect(await flawsOf(template)).toBe('');
    expect(await flawsOf(readTemplate('azure/one-job.yml'))).toBe('');
  });

  test('takes a cap on machines in quotes only', async () => {
    expect(await flawsOf(template.replace("# maxParallel: '10'", "maxParallel: '10'"))).toBe('');
    expect(await flawsOf(template.replace("# maxParallel: '10'", 'maxParallel: 10'))).toContain('maxParallel');
  });

  test.each([1, 7, 254, 255])('takes the matrix that is emitted for %i shards', async (count) => {
    expect(await flawsOf(expanded(count))).toBe('');
  });

  test('refuses an empty matrix, which no job gets to see', async () => expect(await flawsOf(expanded(0))).toContain('matrix'));

  test('finds a key that is misspelt', async () => {
    expect(await flawsOf(template.replace('dependsOn: plan', 'dependOn: plan'))).not.toBe('');
  });
});

function runOf({ results, printed }: AzureRun): HostedRun {
  const gate = { Succeeded: 'passed', Failed: 'failed', Skipped: 'not run', Canceled: 'not run' } as const;
  return {
    gate: gate[results.get('gate') ?? 'Skipped'],
    output: printed.get('gate') ?? '',
    machines: [...printed.keys()].filter((name) => name.startsWith('shards')).sort(),
  };
}

describe('the commands of the template, in the order of Azure Pipelines', () => {
  describeCases(
    {
      machine: (id) => `shards leg_${id}`,
      again: 'the failed shard',
      start: async (hosted, shards, trouble) => {
        const pipeline = new AzurePipeline(hosted, shards, trouble);
        let before: AzureRun | undefined;
        return {
          first: async ({ canceled = [] } = {}) => {
            before = await pipeline.run({ canceled: canceled.map((id) => `leg_${id}`) });
            return runOf(before);
          },
          again: async () => runOf(await pipeline.run({ after: before })),
        };
      },
    },
    cleanUp,
  );
});

test('a plan that cannot be made fails the gate, and no shard runs', async () => {
  const run = await new AzurePipeline(await Hosted.create(cleanUp, { turbo: 'no JSON' }), 7).run();
  expect([...run.results]).toEqual([
    ['check', 'Skipped'],
    ['plan', 'Failed'],
    ['shards', 'Skipped'],
    ['gate', 'Failed'],
  ]);
});

test('a stage that is run again as a whole makes a new plan, and receipts of before do not count', async () => {
  const hosted = await Hosted.create(cleanUp, { flaky: 'e8' });
  const pipeline = new AzurePipeline(hosted, 2);
  const first = await pipeline.run();
  expect(runOf(first).gate).toBe('failed');
  hosted.mend();
  const second = await pipeline.run({ restarted: first });
  expect(second.outputs['plan']?.['emit.attempt']).toBe('2');
  expect(runOf(second)).toMatchObject({ gate: 'passed', machines: ['shards leg_01', 'shards leg_02'] });
  const third = await pipeline.run({ restarted: second, canceled: ['leg_02'] });
  expect(runOf(third)).toMatchObject({ gate: 'failed', output: expect.stringContaining('Shard 02') });
});

// As a team with a remote cache uses it.
test('the lines about the tokens of the remote cache can be uncommented', async () => {
  const text = template.replace(/^( {8})# (?=env:$| {2}\$\{\{| {4}TURBO_TOKEN:)/gm, '$1');
  const { jobs } = parse(text) as { readonly jobs: readonly { readonly steps: readonly { readonly env?: unknown }[] }[] };
  expect(jobs.flatMap(({ steps }) => steps.flatMap(({ env }) => env ?? []))).toEqual([
    {
      [`\${{ if eq(variables['Build.SourceBranch'], 'refs/heads/main') }}`]: { TURBO_TOKEN: '$(TURBO_TOKEN)' },
      [`\${{ else }}`]: { TURBO_TOKEN: '$(TURBO_READ_TOKEN)' },
    },
  ]);
});

test('only main, and no pull request, writes to the remote cache', async () => {
  const pipeline = new AzurePipeline(await Hosted.create(cleanUp, { changed: 0 }), 1);
  const cacheOf = (branch: string, reason: string): string | undefined => pipeline.variables(branch, reason)['TURBO_CACHE'];
  expect(cacheOf('refs/heads/main', 'IndividualCI')).toBe('local:rw,remote:rw');
  expect(cacheOf('refs/heads/topic', 'IndividualCI')).toBe('local:rw,remote:r');
  expect(cacheOf('refs/heads/main', 'PullRequest')).toBe('local:rw,remote:r');
});

test('of one shard more than a stage has jobs for, one machine runs two', async () => {
  const names = Array.from({ length: 255 }, (_, at) => `@acme/p${at}`);
  const hosted = await Hosted.create(cleanUp, { names });
  const pipeline = new AzurePipeline(hosted, 255);
  const run = await pipeline.run({ only: (legs) => Object.keys(legs).filter((name) => legs[name]?.['SHARDS']?.includes(' ')) });
  expect(Object.keys(run.legs)).toHaveLength(254);
  expect(runOf(run).machines).toHaveLength(1);
  expect(hosted.ran()).toHaveLength(2);
  expect(runOf(run).gate).toBe('failed');
  expect(runOf(run).output.match(/has no receipt/g)).toHaveLength(253);
});
