import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { BuildkiteBuild } from './buildkite-build.fixture.js';
import { BuildkiteRepo, type BuildRequest } from './buildkite-repo.fixture.js';
import { findTool } from './tools.fixture.js';

// The real agent runs each job of the templates of `ci/buildkite`. A test server and a test scheduler stand for buildkite.com.

const program = findTool('BUILDKITE_AGENT');
const cleanUp = cleanUpIn(afterAll);
const afterBuild = cleanUpIn(afterEach);
let repo: BuildkiteRepo;

/** Ends with the number in `ran.log.fails`, if the file exists. */
const UNSTEADY = `node ../../run-tests.mjs 'c++lib' $(cat "$RAN_LOG.fails" 2> /dev/null || echo 0)`;
/** Logs its start and never ends, if `ran.log.hangs` exists. */
const HANGING = `import { existsSync, writeFileSync } from 'node:fs';
const log = process.env.RAN_LOG;
if (existsSync(log + '.hangs')) {
  writeFileSync(log + '.hanging', '');
  setInterval(() => {}, 1_000);
}
`;
const CHANGED = ['@acme/core', 'c++lib', '@acme/a.b+c', 'docs', 'tools'];
const AFFECTED = [...CHANGED, '@acme/ui', 'app.web'].sort();
/** The changes since the branch `before`. Nothing has changed since `last`. */
const FEW = ['c++lib', 'docs', 'tools'];

(program === undefined ? describe.skip : describe)('Buildkite', () => {
  beforeAll(async () => {
    const packages = {
      '@acme/core': {},
      '@acme/ui': { dependencies: ['@acme/core'] },
      'app.web': { dependencies: ['@acme/ui'] },
      'c++lib': { test: UNSTEADY },
      '@acme/a.b+c': {},
      docs: { test: 'node hang.mjs && node ../../run-tests.mjs docs 0', files: { 'hang.mjs': HANGING } },
      tools: {},
      untouched: {},
    };
    repo = await BuildkiteRepo.create(program ?? '', cleanUp, { packages, changed: CHANGED });
    const { repo: git } = repo.shards;
    git.write(Object.fromEntries(FEW.map((name) => [`packages/p${Object.keys(packages).indexOf(name)}/src.js`, '2;\n'])));
    git.commit('Change a few again');
    git.branch('last');
    git.commit('Say it again');
  });

  beforeEach(() => {
    repo.reset();
    for (const end of ['fails', 'hangs', 'hanging']) without(end);
  });

  test('runs four shards on several machines, and every planned workspace once', async () => {
    const build = await run({ environment: { PLAN_OPTIONS: '--shards 4' } });
    expect(build.state).toBe('passed');
    expect([...build.states.keys()].sort()).toEqual(['gate', 'plan', ...[1, 2, 3, 4].map((at) => `shard-0${at}`), 'upload']);
    expect(repo.ran).toEqual(AFFECTED);
    expect(build.server.pipelines.map(({ files }) => files)).toEqual([[], ['.tributary/plan.json']]);
  });

  test('runs one shard, shows what it did, and tells turborepo to read only', async () => {
    const build = await runFew({ environment: { PLAN_OPTIONS: '--shards 1' } });
    expect([build.state, [...build.states.keys()]]).toEqual(['passed', ['upload', 'plan', 'shard-01', 'gate']]);
    expect(repo.ran).toEqual(FEW);
    expect([...build.server.annotations].map(([context, { style }]) => [context, style])).toEqual([
      ['affected-plan', 'info'],
      ['affected-gate', 'success'],
    ]);
    expect(repo.cacheSettings).toEqual(['local:rw,remote:r token:']);
  });

  test('runs the gate alone where nothing is affected', async () => {
    const build = await run({ variables: { BUILDKITE_PULL_REQUEST_BASE_BRANCH: 'last' } });
    expect([build.state, [...build.states.keys()]]).toEqual(['passed', ['upload', 'plan', 'gate']]);
    expect(repo.ran).toEqual([]);
  });

  test('ends with the plan if there cannot be one', async () => {
    const build = await run({ environment: { PLAN_OPTIONS: '--task nonsense' } });
    expect([build.state, [...build.states]]).toEqual([
      'failed',
      [
        ['upload', 'passed'],
        ['plan', 'failed'],
      ],
    ]);
  });

  test('fails with a test, after all the others have run; run again, the shard and then the gate pass', async () => {
    having('fails', '3');
    const build = await runFew({ environment: { PLAN_OPTIONS: '--shards 3' } });
    const [broken = ''] = failedIn(build).filter((key) => key.startsWith('shard-'));
    expect([build.state, failedIn(build)]).toEqual(['failed', ['gate', broken].sort()]);
    expect(build.logs.get('gate')).toContain('c++lib failed with exit code 3');
    expect(build.server.annotations.get('affected-gate')?.style).toBe('error');
    expect(repo.ran).toEqual(FEW);
    without('fails');
    await build.retry(broken);
    expect(build.state).toBe('failed');
    await build.retry('gate');
    expect(build.state).toBe('passed');
  });

  test('fails where a shard is cancelled while it runs', async () => {
    having('hangs', '');
    const cancel = new Map([['shard-01', `${repo.shards.log}.hanging`]]);
    const build = await runFew({ environment: { PLAN_OPTIONS: '--shards 1' }, cancel });
    expect([...build.states].slice(2)).toEqual([
      ['shard-01', 'cancelled'],
      ['gate', 'failed'],
    ]);
    expect(build.logs.get('gate')).toContain('Shard 01 has no receipt');
  });

  test('fails where a shard never gets a machine', async () => {
    const build = await runFew({ environment: { PLAN_OPTIONS: '--shards 3' }, neverRun: ({ key }) => key === 'shard-02' });
    expect(build.states.get('gate')).toBe('failed');
    expect(build.logs.get('gate')).toContain('Shard 02 has no receipt');
  });

  test('fails where the receipts of a machine are lost', async () => {
    const build = await runFew({ environment: { PLAN_OPTIONS: '--shards 3' } });
    expect(build.state).toBe('passed');
    build.server.lose('shard-03');
    await build.retry('gate');
    expect([build.state, failedIn(build)]).toEqual(['failed', ['gate']]);
    expect(build.logs.get('gate')).toContain('Shard 03 has no receipt');
  });

  test('writes to the remote cache on the default branch, and keeps the times', async () => {
    const timings = `${repo.shards.work}/timings.json`;
    const { repo: git } = repo.shards;
    const build = await run({
      variables: { BUILDKITE_PIPELINE_DEFAULT_BRANCH: 'topic', BUILDKITE_PULL_REQUEST: 'false', AFFECTED_BASE_REVISION: git.id('before') },
      environment: { PLAN_OPTIONS: '--shards 1', AFFECTED_TIMINGS: timings, TURBO_TOKEN: 'may-write' },
    });
    expect([build.state, repo.ran]).toEqual(['passed', FEW]);
    expect(repo.cacheSettings).toEqual(['local:rw,remote:rw token:may-write']);
    expect(readFileSync(timings, 'utf8')).toContain('c++lib');
  });

  test('makes a plan also where the times that are shared cannot be used, says so, and leaves them to the default branch', async () => {
    const timings = `${repo.shards.work}/broken.json`;
    writeFileSync(timings, '{');
    const build = await runFew({ environment: { PLAN_OPTIONS: '--shards 1', AFFECTED_TIMINGS: timings } });
    expect([build.state, repo.ran]).toEqual(['passed', FEW]);
    expect(build.logs.get('plan')).toContain('[TIMINGS_INVALID]');
    expect(build.logs.get('plan')).toContain(`Warning: ${timings} cannot be used`);
    expect(readFileSync(timings, 'utf8')).toBe('{');
  });

  test('makes the plan by the times that are shared, and does not write to them', async () => {
    const timings = `${repo.shards.work}/shared.json`;
    const text = '{ "schemaVersion": 1, "tasks": { "c++lib#test": [10000] } }';
    writeFileSync(timings, text);
    const build = await runFew({ environment: { PLAN_OPTIONS: '--shards 1', AFFECTED_TIMINGS: timings } });
    expect(build.state).toBe('passed');
    expect(build.server.annotations.get('affected-plan')?.body).toMatch(/^## 1 shard, about 8 h /); // the others are guessed by it
    expect(readFileSync(timings, 'utf8')).toBe(text);
  });

  test('sends shards and gate to the queue that is named, else to that of the plan', async () => {
    const build = await runFew({ environment: { PLAN_OPTIONS: '--shards 1', AFFECTED_QUEUE: 'large' } });
    expect([...build.queues]).toEqual([
      ['upload', 'default'],
      ['plan', 'default'],
      ['shard-01', 'large'],
      ['gate', 'large'],
    ]);
  });
});

async function run(request: BuildRequest): Promise<BuildkiteBuild> {
  const build = await repo.build(afterBuild, request);
  await build.run();
  return build;
}

/** Runs a build of the few workspaces that the last commits change. Each costs seconds, and most tests need no large number. */
function runFew(request: BuildRequest): Promise<BuildkiteBuild> {
  return run({ ...request, variables: { BUILDKITE_PULL_REQUEST_BASE_BRANCH: 'before', ...request.variables } });
}

function failedIn({ states }: BuildkiteBuild): readonly string[] {
  return [...states].flatMap(([key, state]) => (state === 'failed' ? [key] : [])).sort();
}

function having(end: string, text: string): void {
  writeFileSync(`${repo.shards.log}.${end}`, text);
}

function without(end: string): void {
  rmSync(`${repo.shards.log}.${end}`, { force: true });
}
