import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { circleci } from '../engines/circleci.js';
import { sameTime } from '../engines/plan.fixture.js';
import { CirclePipeline, type WorkflowRun } from './circleci-engine.fixture.js';
import { Hosted, NAMES, readTemplate } from './hosted.fixture.js';
import { describeCases, type HostedRun } from './hosted-cases.fixture.js';
import { findTool } from './tools.fixture.js';

const cleanUp = cleanUpIn(afterAll);
const validator = findTool('CHECK_JSONSCHEMA');

/** Returns the errors of CircleCI's published schema for a configuration; empty if there are none. */
async function flawsOf(text: string): Promise<string> {
  const file = cleanUp.add(new TempFolder()).write('config.yml', text);
  const args = ['--builtin-schema', 'vendor.circle-ci', file];
  const { code, stdout, stderr } = await runProcess(validator ?? '', args, { cwd: '/' });
  return code === 0 ? '' : stdout + stderr;
}

(validator === undefined ? describe.skip : describe)('the published schema', () => {
  test('takes the template', async () => expect(await flawsOf(readTemplate('circleci/config.yml'))).toBe(''));

  test.each([0, 1, 7, 1_000, 1_001])('takes what is emitted for %i shards', async (count) => {
    expect(await flawsOf(circleci.emit(sameTime(count)))).toBe('');
  });

  test('finds a status that a job cannot have, and a key that is misspelt', async () => {
    const text = circleci.emit(sameTime(1));
    expect(await flawsOf(text.replace(': terminal', ': over'))).toContain('requires');
    expect(await flawsOf(text.replace('root: ', 'roots: '))).toContain('root');
  });
});

function runOf({ statuses, printed }: WorkflowRun): HostedRun {
  const gate = { success: 'passed', failed: 'failed', canceled: 'not run', unauthorized: 'not run', not_run: 'not run' } as const;
  return {
    gate: gate[statuses.get('gate') ?? 'not_run'],
    output: printed.get('gate') ?? '',
    machines: [...printed.keys()].filter((name) => name !== 'gate').sort(),
  };
}

describe('the commands of the template, in the order of CircleCI', () => {
  describeCases(
    {
      machine: (id) => `shard-${id}`,
      again: 'the failed shard',
      start: async (hosted, shards, trouble) => {
        const pipeline = await CirclePipeline.start(hosted, { cleanUp, shards, trouble });
        let before: WorkflowRun | undefined;
        return {
          first: async ({ canceled = [] } = {}) => {
            expect((await pipeline.runSetup()).statuses.get('plan')).toBe('success');
            before = await pipeline.runContinuation({ canceled: canceled.map((id) => `shard-${id}`) });
            return runOf(before);
          },
          again: async () => runOf(await pipeline.runContinuation({ after: before })),
        };
      },
    },
    cleanUp,
  );
});

test('what the pipeline continues with names no workspace, and reads the remote cache only', async () => {
  const pipeline = await CirclePipeline.start(await Hosted.create(cleanUp), { cleanUp, shards: 7 });
  await pipeline.runSetup();
  const { configuration, parameters } = pipeline.continued();
  for (const name of NAMES) expect(configuration).not.toContain(name);
  expect(parameters['turbo-cache']).toBe('local:rw,remote:r');
});

test('main writes to the remote cache', async () => {
  const pipeline = await CirclePipeline.start(await Hosted.create(cleanUp), { cleanUp, shards: 7, branch: 'main' });
  await pipeline.runSetup();
  expect(pipeline.continued().parameters['turbo-cache']).toBe('local:rw,remote:rw');
});

describe('the tokens of the remote cache', () => {
  const project = { TURBO_READ_TOKEN: 'may-read' };
  const contexts = { 'turbo-write': { TURBO_TOKEN: 'may-write' } };

  async function logOf(branch: string, more: { readonly writeContext?: string; readonly project?: Readonly<Record<string, string>> }) {
    const hosted = await Hosted.create(cleanUp, { changed: 1 });
    hosted.note('$TURBO_CACHE token:$TURBO_TOKEN');
    const pipeline = await CirclePipeline.start(hosted, { cleanUp, shards: 1, branch, contexts, project: more.project ?? project });
    await pipeline.runSetup(more);
    const { statuses } = await pipeline.runContinuation();
    return [statuses.get('gate'), ...hosted.noted()];
  }

  test.each<[branch: string, expected: string, more: Parameters<typeof logOf>[1]]>([
    ['main', 'local:rw,remote:rw token:may-write', { writeContext: 'turbo-write' }],
    ['main', 'local:rw,remote:rw token:may-read', {}],
    ['topic', 'local:rw,remote:r token:may-read', { writeContext: 'turbo-write' }],
    ['topic', 'local:rw,remote:r token:', { writeContext: 'turbo-write', project: {} }],
  ])('on %s: %s', async (branch, what, more) => {
    expect(await logOf(branch, more)).toEqual(['success', what]);
  });
});

test('a setup that is run again cannot continue a second time, and fails', async () => {
  const pipeline = await CirclePipeline.start(await Hosted.create(cleanUp), { cleanUp, shards: 1 });
  expect((await pipeline.runSetup()).statuses.get('plan')).toBe('success');
  expect((await pipeline.runSetup()).statuses.get('plan')).toBe('failed');
});

test('without the plan, which a cache may lose, nothing passes', async () => {
  const pipeline = await CirclePipeline.start(await Hosted.create(cleanUp), { cleanUp, shards: 1 });
  await pipeline.runSetup();
  pipeline.loseCaches();
  expect([...(await pipeline.runContinuation()).statuses]).toEqual([
    ['shard-01', 'failed'],
    ['gate', 'failed'],
  ]);
});

test('a plan that cannot be made continues nothing', async () => {
  const hosted = await Hosted.create(cleanUp, { turbo: 'no JSON' });
  const pipeline = await CirclePipeline.start(hosted, { cleanUp, shards: 1 });
  expect((await pipeline.runSetup()).statuses.get('plan')).toBe('failed');
  expect(() => pipeline.continued()).toThrow('nothing asked to continue');
});
