import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { TestedPackage } from '../testing/shard-repo.fixture.js';
import { readTemplates } from './github-run.fixture.js';
import { GitHubScene, outcomeOf } from './github-scene.fixture.js';
import { bringAffected } from './packed-tool.fixture.js';
import { findTool } from './tools.fixture.js';

const act = findTool('ACT');
const cleanUp = cleanUpIn(afterEach);
const CALLER = '.github/workflows/affected.yml';
const CALL = '    uses: ./.github/workflows/affected-run.yml\n    secrets: inherit';

function create(packages: Readonly<Record<string, TestedPackage>>, more?: Parameters<typeof GitHubScene.create>[2]): Promise<GitHubScene> {
  return GitHubScene.create({ act: act ?? '', cleanUp }, packages, { form: 'caller', ...more });
}

/** Returns the 15 lines of the caller with a team's inputs or calls added. */
function callWith(lines: string): { readonly files: Readonly<Record<string, string>> } {
  const text = readTemplates('caller')[CALLER];
  if (!text.includes(CALL)) throw new Error('the caller does not call');
  return { files: { [CALLER]: text.replace(CALL, () => `${CALL}${lines}`) } };
}

function push({ shards: { repo } }: GitHubScene): { readonly name: 'push'; readonly payload: unknown } {
  repo.git('checkout', '-q', '-B', 'main');
  return { name: 'push', payload: { ref: 'refs/heads/main', before: repo.id('HEAD~1'), after: repo.id('HEAD'), forced: false } };
}

(act === undefined ? describe.skip : describe)('the reusable workflow, run by act', () => {
  test('runs what was planned for the 15 lines alone, and the gate passes', async () => {
    const scene = await create({ one: {}, two: {} });
    await bringAffected(scene.shards);
    scene.shards.repo.commit('Bring affected along');
    const run = await scene.github.run({ event: scene.pullRequest, variables: { AFFECTED: '' } });
    expect(outcomeOf(run)).toEqual({ code: 0, legs: ['01'], gate: 'passed', failed: [] });
    expect(scene.ran()).toEqual(['one', 'two']);
    expect(existsSync(scene.pwned)).toBe(false);
  });

  test('runs no more than the change can affect', async () => {
    const scene = await create({ app: { dependencies: ['ui'] }, ui: {}, other: {} }, { changed: ['ui'] });
    const run = await scene.github.run({ event: scene.pullRequest });
    expect(outcomeOf(run)).toEqual({ code: 0, legs: ['01'], gate: 'passed', failed: [] });
    expect([scene.planned(), scene.ran()]).toEqual([
      ['app', 'ui'],
      ['app', 'ui'],
    ]);
  });

  test('runs no shard where nothing is affected, and the gate passes', async () => {
    const scene = await create({ one: {} }, { changed: [] });
    const run = await scene.github.run({ event: scene.pullRequest });
    expect(outcomeOf(run)).toEqual({ code: 0, legs: [], gate: 'passed', failed: [] });
  });

  test('fails with a test, after the other shards have run', async () => {
    const scene = await create({ one: {}, two: { fails: 3 } }, callWith("\n    with: { shards: '2' }"));
    const run = await scene.github.run({ event: scene.pullRequest });
    const failed = [`shards ${scene.shardOf('two')}`, 'gate'];
    expect(outcomeOf(run)).toEqual({ code: 1, legs: ['01', '02'], gate: 'failed', failed });
    expect(run.summaries['gate']).toMatch(/two failed with exit code/);
  });

  test.each([
    ['a shard that never came to it', { legs: ['01'] }, { legs: ['01'], failed: ['gate'] }],
    ['a plan that failed', { variables: { AFFECTED: 'false' } }, { legs: [], failed: ['plan', 'gate'] }],
  ])('the gate fails for %s', async (_, options, expected) => {
    const scene = await create({ one: {}, two: {} }, callWith("\n    with: { shards: '2' }"));
    const run = await scene.github.run({ event: scene.pullRequest, ...options });
    expect(outcomeOf(run)).toEqual({ code: 1, gate: 'failed', ...expected });
  });

  test('fails where the installation does, in its first command too', async () => {
    const scene = await create({ one: {} }, callWith('\n    with: { install: "false && true" }'));
    const run = await scene.github.run({ event: scene.pullRequest });
    expect(outcomeOf(run)).toEqual({ code: 1, legs: ['01'], gate: 'failed', failed: ['shards 01', 'gate'] });
    expect(scene.ran()).toEqual([]);
  });

  test('takes the inputs of the caller, and stores times after a push if it may', async () => {
    const install = `yarn install --immutable && echo '$(installed)' >> "$RAN_LOG.installed"`;
    const inputs = { shards: '2', install, timings: false };
    const scene = await create({ one: {}, two: {} }, callWith(`\n    with: ${JSON.stringify(inputs)}`));
    const run = await scene.github.run({ event: push(scene) });
    expect(outcomeOf(run)).toEqual({ code: 0, legs: ['01', '02'], gate: 'passed', failed: [] });
    expect(readFileSync(`${scene.shards.log}.installed`, 'utf8')).toBe('$(installed)\n$(installed)\n');
    expect(scene.github.cached()).toEqual([]);
    const other = await create({ one: {} });
    await other.github.run({ event: push(other) });
    expect(other.github.cached()).toEqual(['affected-timings-test-node24-1-1']);
  });

  test('runs several tasks in one plan with one gate, and stores the times of all', async () => {
    const scripts = (name: string): TestedPackage => ({
      manifest: { scripts: Object.fromEntries(['test', 'build'].map((task) => [task, `node ../../run-tests.mjs ${task}-${name} 0`])) },
    });
    const tasks = { one: scripts('one'), two: scripts('two') };
    const scene = await create(tasks, callWith('\n    with: { task: "test,build" }'));
    const run = await scene.github.run({ event: push(scene) });
    expect(outcomeOf(run)).toEqual({ code: 0, legs: ['01'], gate: 'passed', failed: [] });
    expect(scene.planned()).toEqual(['one#build', 'one#test', 'two#build', 'two#test']);
    expect(scene.ran()).toEqual(['build-one', 'build-two', 'test-one', 'test-two']);
    expect(scene.github.cached()).toEqual(['affected-timings-test+build-node24-1-1']);
    expect(run.printed['gate']).toContain('All 4 planned pieces in 1 shard ran and passed.');
  });

  // Artifacts belong to the run. With equal names, a gate could judge the plan of the other call, and miss the tests of its own.
  test('keeps two calls of one run apart', async () => {
    const again = '  again:\n    permissions: { actions: read, contents: read }';
    const scene = await create({ one: {}, two: {} }, callWith(`\n    with: { shards: '1' }\n${again}\n${CALL}\n    with: { shards: '2' }`));
    const run = await scene.github.run({ event: scene.pullRequest });
    expect(outcomeOf(run)).toEqual({ code: 0, legs: ['01', '02'], gate: 'passed', failed: [] });
    expect(scene.ran()).toEqual(['one', 'one', 'two', 'two']);
    const artifacts = readdirSync(scene.github.folder.join('store/artifacts/1'));
    const plans = artifacts.filter((name) => !name.includes('receipts'));
    const receipts = plans.map((plan) => artifacts.filter((name) => name.startsWith(`${plan}-receipts-`)).length);
    expect(receipts.sort()).toEqual([1, 2]);
    expect(run.printed['gate']).toMatch(/in 1 shard ran and passed/);
    expect(run.printed['gate']).toMatch(/in 2 shards ran and passed/);
  });

  test('can be in a repository of its own, with the actions, each pinned by its commit', async () => {
    const [actions, workflow] = ['a'.repeat(40), 'b'.repeat(40)];
    const { [CALLER]: caller, ...others } = readTemplates('caller');
    const shared = cleanUp.add(new TempFolder());
    const pinned = (text: string): string => text.replaceAll(/\.\/(\.github\/actions\/affected\/\w+)/g, `acme/ci/$1@${actions}`);
    for (const [file, text] of Object.entries(others)) shared.write(file, pinned(text));
    const files = { [CALLER]: caller.replace(/uses: \.\/(.*)/, `uses: acme/ci/$1@${workflow}`) };
    const scene = await GitHubScene.create({ act: act ?? '', cleanUp }, { one: {} }, { files });
    scene.shards.repo.git('rm', '-rq', '.github/actions');
    scene.shards.repo.commit('Use the shared actions');
    const repositories = { [`acme/ci@${actions}`]: shared.path, [`acme/ci@${workflow}`]: shared.path };
    const run = await scene.github.run({ event: scene.pullRequest, repositories });
    expect(outcomeOf(run)).toEqual({ code: 0, legs: ['01'], gate: 'passed', failed: [] });
    expect(scene.ran()).toEqual(['one']);
  });
});

(act === undefined ? describe.skip : describe)('the action of the gate, run by act', () => {
  test.each(['plan', 'attempt', 'plan-result', 'shards-result'])('fails if a workflow does not say its `%s`', async (input) => {
    const text = readTemplates()[CALLER];
    const at = text.indexOf('/affected/gate');
    const gate = text.slice(at).replace(new RegExp(`^ {10}${input}: .*\n`, 'm'), '');
    expect(gate.length).toBeLessThan(text.length - at);
    const scene = await create({ one: {} }, { files: { [CALLER]: text.slice(0, at) + gate } });
    const run = await scene.github.run({ event: scene.pullRequest });
    expect(outcomeOf(run)).toEqual({ code: 1, legs: ['01'], gate: 'failed', failed: ['gate'] });
  });
});
