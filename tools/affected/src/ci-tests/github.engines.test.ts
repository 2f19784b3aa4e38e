import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { startGitHub } from '@tributary/github/testing/local-github';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import type { TestedPackage } from '../testing/shard-repo.fixture.js';
import { GitHubScene, outcomeOf } from './github-scene.fixture.js';
import { bringAffected } from './packed-tool.fixture.js';
import { findTool } from './tools.fixture.js';

const act = findTool('ACT');
const cleanUp = cleanUpIn(afterEach);

/** Names as teams choose them. */
const NAMES = ['@acme/a+b', '@acme/ui', '@acme/ui.icons', '@acme/under_score', 'c++', 'plain', 'two.dots.here'];
const THREE = { one: {}, two: {}, three: {} };
const one = { shards: '1' };
const three = { shards: '3' };

function create(packages: Readonly<Record<string, TestedPackage>>, more?: Parameters<typeof GitHubScene.create>[2]): Promise<GitHubScene> {
  return GitHubScene.create({ act: act ?? '', cleanUp }, packages, more);
}

/** Returns a package whose tests run a command the first time, and pass from then on. */
function atFirst(command: string): TestedPackage {
  return { test: `echo two >> "$RAN_LOG"; [ -e "$RAN_LOG.again" ] || { touch "$RAN_LOG.again"; ${command}; }` };
}

(act === undefined ? describe.skip : describe)('ci/github, run by act', () => {
  describe('a pull request', () => {
    test.each([1, 3])('with %i shards runs what was planned, and the gate passes', async (count) => {
      const scene = await create(Object.fromEntries(NAMES.map((name) => [name, {}])));
      const run = await scene.github.run({ event: scene.pullRequest, inputs: { shards: String(count) } });
      const legs = Array.from({ length: count }, (_, at) => `0${at + 1}`);
      expect(outcomeOf(run)).toEqual({ code: 0, legs, gate: 'passed', failed: [] });
      expect([scene.planned(), scene.ran()]).toEqual([NAMES, NAMES]);
      expect(existsSync(scene.pwned)).toBe(false);
    });

    test('starts the package in the repository where nothing else is said, in the gate too', async () => {
      const scene = await create({ one: {} });
      await bringAffected(scene.shards);
      scene.shards.repo.commit('Bring affected along');
      const run = await scene.github.run({ event: scene.pullRequest, inputs: one, command: '' });
      expect(outcomeOf(run)).toEqual({ code: 0, legs: ['01'], gate: 'passed', failed: [] });
      expect(scene.ran()).toEqual(['one']);
    });

    // Without help, this needs a plan of more than 256 shards.
    test('with two shards in one leg runs both', async () => {
      const scene = await create(THREE);
      const { outputs } = await scene.github.run({ event: scene.pullRequest, inputs: three, legs: ['none'] });
      const matrix = JSON.stringify({
        include: [
          { leg: '01', shards: '01 03' },
          { leg: '02', shards: '02' },
        ],
      });
      const run = await scene.github.run({ event: scene.pullRequest, planOf: { outputs: { ...outputs, matrix } } });
      expect(outcomeOf(run)).toEqual({ code: 0, legs: ['01', '02'], gate: 'passed', failed: [] });
      expect(scene.ran()).toEqual(['one', 'three', 'two']);
    });

    test('runs no more than the change can affect', async () => {
      const scene = await create({ app: { dependencies: ['@acme/ui'] }, '@acme/ui': {}, other: {} }, { changed: ['@acme/ui'] });
      const run = await scene.github.run({ event: scene.pullRequest, inputs: one });
      expect(outcomeOf(run)).toEqual({ code: 0, legs: ['01'], gate: 'passed', failed: [] });
      expect([scene.planned(), scene.ran()]).toEqual([
        ['@acme/ui', 'app'],
        ['@acme/ui', 'app'],
      ]);
    });

    // For an empty matrix, act runs one leg, and GitHub fails the run. No leg ran, so the matrix was not evaluated.
    test('that affects nobody runs no shard, and the gate passes', async () => {
      const scene = await create(THREE, { changed: [] });
      const run = await scene.github.run({ event: scene.pullRequest });
      expect(run.outputs).toMatchObject({ has_work: 'false', matrix: '{"include":[]}' });
      expect(outcomeOf(run)).toEqual({ code: 0, legs: [], gate: 'passed', failed: [] });
      expect(scene.ran()).toEqual([]);
    });

    test('keeps no timings, which other branches would read', async () => {
      const scene = await create({ one: {} });
      await scene.github.run({ event: scene.pullRequest });
      expect(scene.github.cached()).toEqual([]);
    });
  });

  describe('the gate fails', () => {
    test('where the tests of one shard do; the others run to their end', async () => {
      const scene = await create({ ...THREE, two: { fails: 3 } });
      const run = await scene.github.run({ event: scene.pullRequest, inputs: three });
      const failed = [`shards ${scene.shardOf('two')}`, 'gate'];
      expect(outcomeOf(run)).toEqual({ code: 1, legs: ['01', '02', '03'], gate: 'failed', failed });
      expect(scene.ran()).toEqual(['one', 'three', 'two']);
      expect(run.summaries['gate']).toMatch(/two failed with exit code/);
    });

    test('where a shard never came to it', async () => {
      const scene = await create(THREE);
      const run = await scene.github.run({ event: scene.pullRequest, inputs: three, legs: ['01', '03'] });
      expect(outcomeOf(run)).toEqual({ code: 1, legs: ['01', '03'], gate: 'failed', failed: ['gate'] });
      expect(run.summaries['gate']).toMatch(/Shard 02 has no receipt/);
    });

    test('where a shard was killed before it could write a receipt', async () => {
      const tasks = { build: { dependsOn: ['^build'] }, test: { dependsOn: ['^build'] } };
      const turbo = JSON.stringify({ globalPassThroughEnv: ['RAN_LOG', 'SHARD_PID'], tasks });
      const scene = await create({ ...THREE, two: { test: 'kill -9 $SHARD_PID' } }, { files: { 'turbo.json': turbo } });
      const cli = join(findProjectRoot(), 'tools/affected/out/cli.cjs');
      scene.github.folder.write('run.sh', `SHARD_PID=$$ exec node ${cli} "$@"\n`);
      const run = await scene.github.run({
        event: scene.pullRequest,
        inputs: three,
        command: `sh ${scene.github.folder.join('run.sh')}`,
      });
      const killed = scene.shardOf('two');
      expect(outcomeOf(run)).toEqual({ code: 1, legs: ['01', '02', '03'], gate: 'failed', failed: [`shards ${killed}`, 'gate'] });
      expect(run.summaries['gate']).toContain(`Shard ${killed} has no receipt`);
    });

    test('where there is no plan', async () => {
      const scene = await create(THREE, { files: { 'turbo.json': '{"tasks":{"build":{}}}' } });
      const run = await scene.github.run({ event: scene.pullRequest });
      expect(outcomeOf(run)).toEqual({ code: 1, legs: [], gate: 'failed', failed: ['plan', 'gate'] });
      expect(run.steps).toContainEqual({ job: 'gate', leg: '', step: 'Are the inputs complete?', result: 'failure' });
    });
  });

  describe('a second attempt', () => {
    test('of the failed jobs runs those alone, and the gate passes with the receipts of both', async () => {
      const scene = await create({ ...THREE, two: atFirst('exit 1') });
      const first = await scene.github.run({ event: scene.pullRequest, inputs: three });
      const failed = scene.shardOf('two');
      expect(outcomeOf(first)).toMatchObject({ code: 1, failed: [`shards ${failed}`, 'gate'] });
      const environment = { GITHUB_RUN_ATTEMPT: '2' };
      const second = await scene.github.run({ event: scene.pullRequest, inputs: three, environment, legs: [failed], planOf: first });
      expect(outcomeOf(second)).toEqual({ code: 0, legs: [failed], gate: 'passed', failed: [] });
      expect(scene.ran()).toEqual(['one', 'three', 'two', 'two']);
    });

    // The earlier artifact still exists, and says that the tests passed.
    test('of a shard that had passed, and dies before it has a receipt, does not count what it left before', async () => {
      const scene = await create(THREE);
      const first = await scene.github.run({ event: scene.pullRequest, inputs: three });
      expect(outcomeOf(first).gate).toBe('passed');
      const dying = `sh ${scene.github.folder.join('dying.sh')}`;
      const cli = join(findProjectRoot(), 'tools/affected/out/cli.cjs');
      scene.github.folder.write('dying.sh', `[ "$1" != run-shard ] || exit 1\nexec node ${cli} "$@"\n`);
      const second = await scene.github.run({
        event: scene.pullRequest,
        inputs: three,
        command: dying,
        environment: { GITHUB_RUN_ATTEMPT: '2' },
        legs: ['02'],
        planOf: first,
      });
      expect(outcomeOf(second)).toEqual({ code: 1, legs: ['02'], gate: 'failed', failed: ['shards 02', 'gate'] });
      expect(second.printed['gate']).toContain('ran and passed');
      expect(second.steps).toContainEqual({ job: 'gate', leg: '', step: 'Did the last run of every shard pass?', result: 'failure' });
    });

    test('of all jobs counts no receipt of the first', async () => {
      const scene = await create(THREE);
      const first = await scene.github.run({ event: scene.pullRequest, inputs: three });
      expect(outcomeOf(first).gate).toBe('passed');
      const environment = { GITHUB_RUN_ATTEMPT: '2' };
      const second = await scene.github.run({ event: scene.pullRequest, inputs: three, environment, legs: ['01', '02'] });
      expect(outcomeOf(second)).toEqual({ code: 1, legs: ['01', '02'], gate: 'failed', failed: ['gate'] });
      expect(second.summaries['gate']).toMatch(/Shard 03 has no receipt/);
    });
  });

  test('a group of a merge queue is compared with what it is queued behind', async () => {
    const scene = await create(THREE, { changed: ['two'] });
    const payload = { merge_group: { base_sha: scene.shards.repo.id('main'), head_sha: scene.shards.repo.id('HEAD') } };
    const run = await scene.github.run({ event: { name: 'merge_group', payload }, inputs: one });
    expect(outcomeOf(run)).toEqual({ code: 0, legs: ['01'], gate: 'passed', failed: [] });
    expect(scene.ran()).toEqual(['two']);
  });

  test('a push to main asks for the last commit that passed, and keeps timings for the next plan, also in place of broken ones', async () => {
    const scene = await create(THREE, { changed: ['two'] });
    const { repo } = scene.shards;
    const passed = { head_branch: 'main', event: 'push', conclusion: 'success', run_number: 1, head_sha: repo.id('HEAD~1') };
    const server = cleanUp.add(await startGitHub(() => ({ body: { total_count: 1, workflow_runs: [passed] } })));
    repo.git('checkout', '-q', '-B', 'main');
    const push = {
      event: {
        name: 'push' as const,
        payload: { ref: 'refs/heads/main', before: repo.id('HEAD~1'), after: repo.id('HEAD'), forced: false },
      },
    };
    const environment = {
      GITHUB_API_URL: server.apiUrl,
      GITHUB_REPOSITORY: 'acme/app',
      GITHUB_WORKFLOW_REF: 'acme/app/.github/workflows/affected.yml@refs/heads/main',
    };
    const first = await scene.github.run({ ...push, environment, secrets: { GITHUB_TOKEN: 'for-the-run' } });
    expect(outcomeOf(first)).toEqual({ code: 0, legs: ['01'], gate: 'passed', failed: [] });
    expect(scene.ran()).toEqual(['two']);
    expect([server.requests[0], server.authorizations[0]]).toEqual([expect.stringContaining('/runs'), 'token for-the-run']);
    expect(scene.github.cached()).toEqual(['affected-timings-test-node24-1-1']);
    expect(first.printed['plan']).toContain('No timings at');
    const second = await scene.github.run({ ...push, environment: { ...environment, GITHUB_RUN_ID: '2' } });
    expect(second.printed['plan']).not.toContain('No timings at');
    expect(scene.github.cached()).toEqual(['affected-timings-test-node24-1-1', 'affected-timings-test-node24-2-1']);
    scene.github.folder.write('store/cache/affected-timings-test-node24-2-1', '{');
    const third = await scene.github.run({ ...push, environment: { ...environment, GITHUB_RUN_ID: '3' } });
    expect(third.printed['plan']).toContain('[TIMINGS_INVALID]');
    expect(outcomeOf(third)).toMatchObject({ code: 0, gate: 'passed' });
    expect(readFileSync(scene.github.folder.join('store/cache/affected-timings-test-node24-3-1'), 'utf8')).toContain('"two#test"');
  });
});
