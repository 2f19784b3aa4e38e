import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { BY_REFERENCE, parseReference, withInput } from '../init/forms.js';
import type { TestedPackage } from '../testing/shard-repo.fixture.js';
import { legsOf } from './github-log.fixture.js';
import { type Form, readTemplates } from './github-run.fixture.js';
import { GitHubScene, outcomeOf } from './github-scene.fixture.js';
import { findTool } from './tools.fixture.js';

const act = findTool('ACT');
const cleanUp = cleanUpIn(afterEach);
const WORKFLOW = '.github/workflows/affected.yml';

function create(packages: Readonly<Record<string, TestedPackage>>, more?: Parameters<typeof GitHubScene.create>[2]): Promise<GitHubScene> {
  return GitHubScene.create({ act: act ?? '', cleanUp }, packages, more);
}

function said(expression: string): string {
  return `"\${{ ${expression} }}"`;
}

function push({ shards: { repo } }: GitHubScene): { readonly name: 'push'; readonly payload: unknown } {
  repo.git('checkout', '-q', '-B', 'main');
  return { name: 'push', payload: { ref: 'refs/heads/main', before: repo.id('HEAD~1'), after: repo.id('HEAD'), forced: false } };
}

(act === undefined ? describe.skip : describe)('the action in three jobs, run by act', () => {
  test('restores the cache of Yarn in the shards, and installs there', async () => {
    const scene = await create({ one: {} });
    const run = await scene.github.run({ event: scene.pullRequest });
    expect(run.printed['shards']).toMatch(/cache of \S+\.yarn\/berry\/cache \.yarn\/cache by affected-yarn-\w+-[0-9a-f]{64}/);
    for (const job of ['plan', 'gate']) expect(run.printed[job]).not.toContain('cache of');
  });

  test('fails where the installation does, in its first command too', async () => {
    const workflow = withInput(readTemplates()[WORKFLOW], "install: 'false && true'", 'every');
    const scene = await create({ one: {} }, { files: { [WORKFLOW]: workflow } });
    const run = await scene.github.run({ event: scene.pullRequest });
    expect(outcomeOf(run)).toEqual({ code: 1, legs: ['01'], gate: 'failed', failed: ['shards 01', 'gate'] });
    expect(scene.ran()).toEqual([]);
  });

  test('takes the command of the installation, and keeps no times if it may not', async () => {
    const install = `yarn install --immutable && echo '$(installed)' >> "$RAN_LOG.installed"`;
    const workflow = withInput(readTemplates()[WORKFLOW], `install: ${JSON.stringify(install)}`, 'every');
    const scene = await create({ one: {}, two: {} }, { files: { [WORKFLOW]: workflow } });
    const run = await scene.github.run({ event: push(scene), inputs: { shards: '2', timings: 'false' } });
    expect(outcomeOf(run)).toEqual({ code: 0, legs: ['01', '02'], gate: 'passed', failed: [] });
    expect(readFileSync(`${scene.shards.log}.installed`, 'utf8')).toBe('$(installed)\n$(installed)\n');
    expect(scene.github.cached()).toEqual([]);
  });

  test('runs several tasks in one plan with one gate, and stores the times of all', async () => {
    const scripts = (name: string): TestedPackage => ({
      manifest: { scripts: Object.fromEntries(['test', 'build'].map((task) => [task, `node ../../run-tests.mjs ${task}-${name} 0`])) },
    });
    const scene = await create({ one: scripts('one'), two: scripts('two') });
    const run = await scene.github.run({ event: push(scene), inputs: { task: 'test,build' } });
    expect(outcomeOf(run)).toEqual({ code: 0, legs: ['01'], gate: 'passed', failed: [] });
    expect(scene.planned()).toEqual(['one#build', 'one#test', 'two#build', 'two#test']);
    expect(scene.ran()).toEqual(['build-one', 'build-two', 'test-one', 'test-two']);
    expect(scene.github.cached()).toEqual(['affected-timings-test+build-node24-1-1']);
    expect(run.printed['gate']).toContain('All 4 planned pieces in 1 shard ran and passed.');
  });

  // Artifacts belong to the run. With equal names, a gate could judge the plan of the other three jobs, and miss the tests of its own.
  test('keeps two plans of one run apart', async () => {
    const text = readTemplates()[WORKFLOW];
    const [, jobs = ''] = text.split('\njobs:\n');
    const again = jobs.replaceAll(/^ {2}(?=\w+:$)/gm, '  again-').replaceAll(/needs(: \[?|\.)(?=plan)|(?<=, )(?=shards\])/g, '$&again-');
    const scene = await create({ one: {}, two: {} }, { files: { [WORKFLOW]: text + again } });
    const run = await scene.github.run({ event: scene.pullRequest, inputs: { shards: '2' } });
    expect([run.code, run.code === 0 ? '' : run.output, scene.ran()]).toEqual([0, '', ['one', 'one', 'two', 'two']]);
    const artifacts = readdirSync(scene.github.folder.join('store/artifacts/1'));
    const plans = artifacts.filter((name) => !name.includes('receipts'));
    const receipts = plans.map((plan) => artifacts.filter((name) => name.startsWith(`${plan}-receipts-`)).length);
    expect(receipts.sort()).toEqual([1, 2]);
    expect(run.printed['gate']).toMatch(/in 2 shards ran and passed/);
    expect(run.printed['again-gate']).toMatch(/in 1 shard ran and passed/);
  });

  test.each([
    ['a gate without a plan', `, plan: ${said('needs.plan.outputs.plan')}, results`, ', results'],
    ['a gate without results', `, results: ${said('join(needs.*.result)')}`, ''],
    ['a shard without its ids', `, shard: ${said('matrix.shards')}`, ''],
    ['a gate by another name', 'part: gate', 'part: gates'],
    ['a plan by another name', 'part: plan', 'part: plans'],
  ])('fails for %s', async (_, from, to) => {
    const text = readTemplates()[WORKFLOW];
    const wrong = text.replace(from, to);
    expect(wrong).not.toBe(text);
    const scene = await create({ one: {} }, { files: { [WORKFLOW]: wrong } });
    const run = await scene.github.run({ event: scene.pullRequest });
    expect([run.code, outcomeOf(run).gate]).toEqual([1, 'failed']);
  });
});

(act === undefined ? describe.skip : describe)('the action by reference, run by act', () => {
  const COMMIT = 'c'.repeat(40);

  /** Returns the repository of Tributary, as a runner unpacks it, with what a build makes. */
  function tributary(): Readonly<Record<string, string>> {
    const folder = cleanUp.add(new TempFolder());
    for (const path of ['ci/github', 'tools/affected/package.json', 'tools/affected/out'])
      cpSync(join(findProjectRoot(), path), folder.join(path), { recursive: true });
    return { [`acme/tributary@${COMMIT}`]: folder.path };
  }

  function referring(form: Form): string {
    const reference = parseReference(`acme/tributary@${COMMIT}`);
    return BY_REFERENCE['github']?.(readTemplates(form)[WORKFLOW], reference, { node: '24', tasks: ['test'] }) ?? '';
  }

  test.each<[form: Form, lines: number]>([
    ['one-job', 15],
    ['workflow', 39],
  ])('%s.yml is all that a team has, in %i lines, without a package in its repository', async (form, lines) => {
    const workflow = referring(form);
    expect([workflow.trimEnd().split('\n').length, workflow.includes('uses: ./')]).toEqual([lines, false]);
    const scene = await create({ one: {}, two: {}, three: {} }, { form, files: { [WORKFLOW]: workflow }, changed: ['one', 'two'] });
    const inputs = form === 'one-job' ? {} : { shards: '2' };
    const run = await scene.github.run({ event: scene.pullRequest, command: '', inputs, repositories: tributary() });
    expect([run.code, run.code === 0 ? '' : run.output, scene.ran()]).toEqual([0, '', ['one', 'two']]);
    expect(legsOf(run)).toEqual(form === 'one-job' ? [] : ['01', '02']);
    expect(existsSync(scene.pwned)).toBe(false);
  });

  test('its gate fails with a test', async () => {
    const scene = await create({ one: { fails: 3 } }, { files: { [WORKFLOW]: referring('workflow') } });
    const run = await scene.github.run({ event: scene.pullRequest, command: '', repositories: tributary() });
    expect(outcomeOf(run)).toEqual({ code: 1, legs: ['01'], gate: 'failed', failed: ['shards 01', 'gate'] });
  });
});
