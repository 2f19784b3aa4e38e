import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { buildkite } from '../engines/buildkite.js';
import { sameTime } from '../engines/plan.fixture.js';
import { BuildkiteRepo } from './buildkite-repo.fixture.js';
import { findTool } from './tools.fixture.js';

// The limits of an upload to Buildkite: its published schema and the agent check them, and a test runs as much as seconds allow.

const cleanUp = cleanUpIn(afterAll);
const root = findProjectRoot();

const checker = findTool('CHECK_JSONSCHEMA');

(checker === undefined ? describe.skip : describe)('the schema of Buildkite', () => {
  async function check(name: string, text: string): Promise<number | null> {
    const file = cleanUp.add(new TempFolder()).write(name, text);
    return (await runProcess(checker ?? '', ['--builtin-schema', 'vendor.buildkite', file], { cwd: root })).code;
  }

  test.each([0, 1, 7, 450, 451, 1_000])('takes %i shards', async (count) => {
    expect(await check('steps.json', buildkite.emit(sameTime(count)))).toBe(0);
  });

  test('takes the template', async () => {
    expect(await check('pipeline.yml', readFileSync(join(root, 'ci/buildkite/pipeline.yml'), 'utf8'))).toBe(0);
  });

  test('would not take a key that is not there', async () => {
    expect(await check('steps.json', buildkite.emit(sameTime(7)).replaceAll('soft_fail', 'softly_fail'))).toBe(1);
  });
});

const program = findTool('BUILDKITE_AGENT');

(program === undefined ? describe.skip : describe)('buildkite-agent', () => {
  /** Returns the upload that would go to Buildkite. */
  async function upload(
    count: number,
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly agents: unknown; readonly steps: readonly unknown[] }> {
    const file = cleanUp.add(new TempFolder()).write('steps.json', buildkite.emit(sameTime(count)));
    const { code, stdout, stderr } = await runProcess(program ?? '', ['pipeline', 'upload', '--dry-run', '--format', 'json', file], {
      cwd: root,
      env,
    });
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  }

  // Legs, the wait and the gate; an upload may have 500.
  test.each([
    [0, 1],
    [1, 3],
    [7, 9],
    [450, 452],
    [451, 452],
  ])('uploads %i shards as %i steps', async (count, steps) => {
    expect((await upload(count)).steps).toHaveLength(steps);
  });

  test('leaves no variable as it is, and lets the gate run behind failures', async () => {
    const pipeline = await upload(1);
    expect(JSON.stringify(pipeline)).not.toContain('$');
    expect(pipeline.steps.at(-2)).toMatchObject({ continue_on_failure: true });
  });

  test.each([
    ['default', {}],
    ['small', { BUILDKITE_AGENT_META_DATA_QUEUE: 'small' }],
    ['large', { BUILDKITE_AGENT_META_DATA_QUEUE: 'small', AFFECTED_QUEUE: 'large' }],
  ])('chooses the queue %s', async (queue, env) => {
    expect((await upload(1, env)).agents).toEqual({ queue });
  });
});

(program === undefined ? describe.skip : describe)('451 shards on Buildkite', () => {
  let repo: BuildkiteRepo;

  beforeAll(async () => {
    const names = Array.from({ length: 451 }, (_, at) => `@acme/a.b+${at}`);
    repo = await BuildkiteRepo.create(program ?? '', cleanUp, {
      packages: Object.fromEntries(names.map((name) => [name, {}])),
      changed: names,
    });
  });

  test('are 450 jobs, one of which runs two, and the gate misses all the others', async () => {
    // Only one of these machines exists.
    const build = await repo.build(cleanUp, {
      environment: { PLAN_OPTIONS: '--shards 451 --max-shards 451' },
      neverRun: ({ env }) => env?.['SHARDS']?.includes(' ') === false,
    });
    await build.run();
    const ended = [...build.states].filter(([, state]) => state !== 'cancelled').map(([, state]) => state);
    expect(ended).toEqual(['passed', 'passed', 'passed', 'failed']);
    expect(build.states.size).toBe(2 + 450 + 1);
    expect(repo.ran).toHaveLength(2);
  });
});
