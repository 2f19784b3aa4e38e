import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import { monorepoFiles } from '@tributary/test-repo/temp-monorepo';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { action, actionAt, CI, HARMLESS, STALE, TESTS, workflow } from '../ci-files/ci-files.fixture.js';
import type { AffectedResult, ReplayResult } from '../result.js';
import { MONOREPO, manifestOf } from './monorepo.fixture.js';
import { type Answer, answerOf, ask, MonorepoScene, readText } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

const ALL = 'all: RULE';
const EVERYBODY = 'all: FILE_UNCLAIMED';
const NOBODY: Answer = [];

/** The variables of a job of `ci.yml` in GitHub Actions. */
const IN_CI = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'acme/app',
  GITHUB_WORKFLOW_REF: 'acme/app/.github/workflows/ci.yml@refs/heads/main',
};
const before = { [CI]: workflow('uses: ./.github/actions/x'), [STALE]: HARMLESS, [actionAt('x')]: action('run: a') };

test('in CI the workflow that runs counts, and what it uses; others do not', async () => {
  const { all } = await scene.resultOf({ before, files: { [actionAt('x')]: null }, env: IN_CI });
  expect(all).toEqual({
    code: 'RULE',
    reason: `${actionAt('x')} changed, and it is used by ${CI}. To narrow that, write a rule in tributary.json.`,
    subject: actionAt('x'),
  });
  expect(await scene.ask({ before, files: { [STALE]: TESTS }, env: IN_CI })).toEqual(NOBODY);
  expect(await scene.ask({ before, files: { [STALE]: null }, env: IN_CI })).toEqual(NOBODY);
});

test('outside of CI what can run tests counts', async () => {
  const scripts = manifestOf('packages/tool', { scripts: { go: 'jest' } });
  const { all } = await scene.resultOf({ before: scripts, files: { [STALE]: workflow('run: yarn go') } });
  expect(all).toEqual({
    code: 'RULE',
    reason: `${STALE} changed, and it can run tests ("jest" in packages/tool/package.json#go). To narrow that, write a rule in tributary.json.`,
    subject: STALE,
  });
  expect(await scene.ask({ before, files: { [STALE]: workflow('run: git tag v1') } })).toEqual(NOBODY);
});

describe('files that a job with tests calls count, whoever else refers to them', () => {
  const files = {
    'tools/a.sh': 'sh tools/b.sh\n',
    'tools/b.sh': 'a\n',
    'tools/c.json': '{}\n',
    'packages/tool/d.sh': 'a\n',
    'packages/tool/run': 'a\n',
  };
  const used = manifestOf('packages/alone', { scripts: { go: 'sh ../../tools/a.sh ../../tools/c.json' } });

  test.each<[sentence: string, step: string, file: string, affected: Answer]>([
    ['a script', 'run: sh tools/a.sh', 'tools/a.sh', ALL],
    ['one that a script calls', 'run: sh tools/a.sh', 'tools/b.sh', ALL],
    ['data', 'run: cat tools/c.json', 'tools/c.json', 'all: FILE_UNCLAIMED'],
    ['data that nothing of CI names', 'run: echo', 'tools/c.json', ['alone', 'monorepo']],
    ['a script of a workspace', 'run: sh packages/tool/d.sh', 'packages/tool/d.sh', ALL],
    ['a script without an ending, in its folder', '{run: ./run, working-directory: packages/tool}', 'packages/tool/run', ALL],
    ['what only a workspace calls', 'run: yarn workspaces foreach -A run go', 'tools/a.sh', ['alone', 'monorepo']],
  ])('%s', async (_, step, file, affected) => {
    const before = { ...files, ...used, [CI]: workflow(step, 'run: yarn test') };
    expect(await scene.ask({ before, files: { [file]: 'b\n' }, env: IN_CI })).toEqual(affected);
  });
});

describe('of what pipelines name, only the jobs count that can run tests, or that these need', () => {
  const before = { 'tools/c.json': '{}\n', ...manifestOf('packages/alone', { scripts: { go: 'cat ../../tools/c.json' } }) };
  const jobs = (...texts: readonly string[]): string => `on: push\njobs:\n${texts.join('')}`;
  const job = (id: string, run: string, more = ''): string => `  ${id}:\n    runs-on: x\n${more}    steps:\n      - run: ${run}\n`;
  const tests = job('test', 'yarn test');
  const named = job('publish', 'cat tools/c.json');

  test.each<[sentence: string, ci: string, stale: string, affected: Answer]>([
    ['another job', jobs(tests, named), TESTS, ['alone', 'monorepo']],
    ['another workflow', jobs(tests), jobs(named), ['alone', 'monorepo']],
    ['the job with tests', jobs(job('test', 'cat tools/c.json && yarn test')), TESTS, EVERYBODY],
    ['the job with tests, too', jobs(named, job('test', 'yarn test ./tools/c.json')), TESTS, EVERYBODY],
    ['a job that it needs', jobs(named, job('test', 'yarn test', '    needs: [publish]\n')), TESTS, EVERYBODY],
    ['its folder, in a job with tests', jobs(tests, job('more', 'cd ./tools/ && yarn test')), TESTS, EVERYBODY],
    ['what all jobs share', `env: { DATA: tools/c.json }\n${jobs(tests, named)}`, TESTS, EVERYBODY],
    ['a workflow that cannot be read', jobs(tests), `${jobs(named)}  - {\n`, EVERYBODY],
  ])('%s', async (_, ci, stale, affected) => {
    expect(await scene.ask({ before: { ...before, [CI]: ci, [STALE]: stale }, files: { 'tools/c.json': '[]\n' }, env: IN_CI })).toEqual(
      affected,
    );
  });
});

test.each(['acme/other/.github/workflows/ci.yml@main', 'acme/app/.github/workflows/gone.yml@main', ''])(
  'where it is not known what runs, all count: "%s"',
  async (ref) => {
    expect(await scene.ask({ before, files: { [STALE]: TESTS }, env: { ...IN_CI, GITHUB_WORKFLOW_REF: ref } })).toBe(ALL);
  },
);

test.each<[string, Record<string, string>, Answer]>([
  ['GitLab', { GITLAB_CI: 'true' }, NOBODY],
  ['Jenkins, whose file is elsewhere', { JENKINS_URL: 'http://localhost' }, ALL],
])('in a job of another engine: %s', async (_, env, affected) => {
  expect(await scene.ask({ before: { ...before, '.gitlab-ci.yml': '' }, files: { [CI]: TESTS }, env })).toEqual(affected);
});

test('other files beside a change of CI are answered as ever', async () => {
  const env = IN_CI;
  expect(await scene.ask({ before, files: { [STALE]: TESTS, 'packages/alone/a.js': '' }, env })).toEqual(['alone']);
  expect(await scene.ask({ before, files: { [STALE]: TESTS, ...manifestOf('packages/alone', { private: true }) }, env })).toEqual([
    'alone',
  ]);
  const { all, unclaimedFiles } = await scene.resultOf({
    before,
    files: { [STALE]: TESTS, 'tools/a.sh': '', '.github/stale.yml': '' },
    env,
  });
  expect([all?.code, unclaimedFiles]).toEqual(['FILE_UNCLAIMED', ['tools/a.sh']]);
});

test.each<[sentence: string, file: string, Answer]>([
  ['what a built-in rule counts for nobody stays so', '.github/dependabot.yml', NOBODY],
  ['a script of .github is as unclaimed as anywhere', '.github/scripts/a.sh', 'all: FILE_UNCLAIMED'],
  ['a file beside workflows that is none counts', '.github/workflows/deep/a.yml', ALL],
])('%s', async (_, file, affected) => {
  expect(await scene.ask({ before: { [CI]: workflow('uses: some/action@v1') }, files: { [file]: '' }, env: IN_CI })).toEqual(affected);
});

test('a symbolic link, and a file that is no text, count', async () => {
  expect(await scene.ask({ before: { ...before, [STALE]: { symlink: 'ci.yml' } }, files: { [STALE]: { symlink: 'a.yml' } } })).toBe(ALL);
  expect(await scene.ask({ before: { ...before, [STALE]: { symlink: 'ci.yml' } }, files: { [STALE]: HARMLESS }, env: IN_CI })).toBe(ALL);
  expect(await scene.ask({ before, files: { [STALE]: `${HARMLESS}\0` }, env: IN_CI })).toBe(ALL);
});

describe('other tasks', () => {
  test.each<[task: string, text: string, affected: Answer]>([
    ['lint', workflow('run: yarn lint'), ALL],
    ['lint', TESTS, ['monorepo']],
    ['format', TESTS, ['monorepo']],
    ['build', workflow('run: yarn build'), ALL],
    ['build', workflow('run: yarn lint'), NOBODY],
    ['docs', workflow('uses: actions/labeler@v5'), ALL],
  ])('%s, after a change to %j', async (task, text, affected) => {
    const turbo = { ...manifestOf('packages/tool', { scripts: { [task]: 'go' } }), 'turbo.json': `{"tasks": {"${task}": {}}}\n` };
    const repo = await scene.changed({ before: { ...before, ...turbo }, files: { [STALE]: text } });
    const out = join(repo.path, 'plan.json');
    await runCli('affected', ['plan', '--task', task, '--base', 'HEAD~1', '--out', out], { cwd: repo.path });
    expect(answerOf((JSON.parse(readText(repo, 'plan.json')) as { affected: AffectedResult }).affected)).toEqual(affected);
  });
});

describe('rules', () => {
  const before = (affected: unknown): Files => ({ [CI]: TESTS, [STALE]: HARMLESS, 'tributary.json': JSON.stringify({ affected }) });

  test('of the user come first', async () => {
    const files = { [STALE]: TESTS, [CI]: workflow('run: yarn jest') };
    expect(await scene.ask({ before: before({ rules: [{ files: '.github/**', affects: 'none' }] }), files, env: IN_CI })).toEqual(NOBODY);
    expect(await scene.ask({ before: before({ rules: [{ files: '.github/**', affects: ['tool'] }] }), files, env: IN_CI })).toEqual([
      'monorepo',
      'tool',
    ]);
    const stale = { [STALE]: TESTS };
    expect(await scene.ask({ before: before({ rules: [{ files: '.github/**', affects: 'all' }] }), files: stale, env: IN_CI })).toBe(ALL);
    expect(await scene.ask({ before: before({ rules: [{ files: 'x', affects: 'all' }] }), files: stale, env: IN_CI })).toEqual(NOBODY);
  });

  test('of turbo.json too', async () => {
    const turbo = { [CI]: TESTS, 'turbo.json': '{"globalDependencies": [".github/**"]}' };
    expect(await scene.ask({ before: turbo, files: { [STALE]: HARMLESS }, env: IN_CI })).toBe(ALL);
  });
});

test('without a base nothing is known of what ran, and all count', async () => {
  const repo = await scene.changed({ before: { [CI]: TESTS }, files: { [STALE]: HARMLESS } });
  repo.write({ 'list.txt': `${STALE}\n` });
  expect(await ask(repo, ['--files-from', 'list.txt'], { env: IN_CI })).toBe(ALL);
  expect(await ask(repo, ['--files-from', 'list.txt', '--base', 'HEAD~1'], { env: IN_CI })).toEqual(NOBODY);
});

test('what is not committed is read where it is asked about', async () => {
  const repo = await scene.changed({ files: { [STALE]: HARMLESS } });
  repo.write({ [STALE]: workflow('uses: actions/stale@v8') });
  expect(await ask(repo, ['--base', 'HEAD', '--uncommitted'])).toEqual(NOBODY);
  repo.write({ [STALE]: TESTS });
  expect(await ask(repo, ['--base', 'HEAD', '--uncommitted'])).toBe(ALL);
});

test('a project in a folder of the repository has its workflows at the top', async () => {
  const repo = cleanUp.add(TempRepo.create());
  const files = { ...monorepoFiles(MONOREPO), 'yarn.lock': readText(scene.copy(), 'yarn.lock') };
  repo.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`js/app/${path}`, text])));
  repo.commit('Start', {
    files: {
      [CI]: workflow('{run: sh a.sh, working-directory: js/app}'),
      'js/app/a.sh': 'sh ../../.github/actions/x/run.sh\n',
      [STALE]: HARMLESS,
    },
  });
  const changed = async (path: string, text: string): Promise<Answer> => {
    repo.commit('Change', { files: { [path]: text } });
    return ask(repo, ['--base', 'HEAD~1', '--cwd', join(repo.path, 'js/app')], { env: IN_CI });
  };
  expect(await changed(STALE, TESTS)).toEqual(NOBODY);
  expect(await changed(CI, `${readText(repo, CI)}# more\n`)).toEqual(NOBODY);
  expect(await changed(CI, readText(repo, CI).replace('ubuntu-latest', 'macos-latest'))).toBe(ALL);
  expect(await changed('.github/actions/x/run.sh', 'a')).toBe(ALL);
  expect(await changed(actionAt('y'), action('run: a'))).toEqual(NOBODY);
  expect(await changed('js/app/.github/workflows/ci.yml', TESTS)).toBe(ALL);
});

test('replay judges every commit by the rules of the head', async () => {
  const repo = scene.copy();
  repo.write({ 'starters/a.sh': '' });
  repo.commit('Begin');
  repo.write({ 'tributary.json': JSON.stringify({ affected: { rules: [{ files: 'starters/**', affects: 'none' }] } }) });
  repo.commit('Rule');
  const run = await runCli('affected', ['replay', '--last', '2', '--json'], { cwd: repo.path });
  const { commits } = JSON.parse(run.stdout) as ReplayResult;
  expect(commits.map(({ all, affected }) => all?.code ?? affected)).toEqual(['CONFIG_CHANGED', 0]);
});

const ELSEWHERE = 'on: pull_request\njobs:\n  one:\n    uses: acme/ci/.github/workflows/test.yml@main\n';

describe('replay --workflow', () => {
  async function replay(repo: TempRepo, ...args: readonly string[]): Promise<readonly (string | undefined)[]> {
    const run = await runCli('affected', ['replay', '--last', '2', '--json', ...args], { cwd: repo.path });
    return (JSON.parse(run.stdout) as ReplayResult).commits.map(({ all }) => all?.code);
  }

  test('asks as if that workflow ran', async () => {
    const repo = await scene.changed({ before: { [CI]: TESTS }, files: { [STALE]: TESTS } });
    expect(await replay(repo)).toEqual(['RULE', 'RULE']);
    expect(await replay(repo, '--workflow', CI)).toEqual([undefined, 'RULE']);
    expect(await replay(repo, '--workflow', `./${STALE}`)).toEqual(['RULE', 'RULE']);
  });

  const ON_PULLS = TESTS.replace('on: [push]', 'on: { pull_request: {} }');

  test.each<[what: string, before: Files, assumed: string | null]>([
    ['of one that tests pull requests', { [CI]: ON_PULLS, [STALE]: HARMLESS.replace('push', 'pull_request') }, CI],
    ['of one for another event, and one for pull requests', { [CI]: ON_PULLS, [STALE]: TESTS }, CI],
    ['of one for several events', { [CI]: TESTS.replace('[push]', '[push, pull_request]') }, CI],
    ['of one that only mentions them', { [CI]: TESTS.replace('yarn test', 'yarn test # pull_request') }, null],
    ['of two', { [CI]: ON_PULLS, [STALE]: ON_PULLS }, null],
    ['of one, and another that runs a workflow elsewhere', { [CI]: ON_PULLS, [STALE]: ELSEWHERE }, null],
    ['of none', { [CI]: TESTS }, null],
    ['where there are no workflows', { a: '' }, null],
  ])('assumes the only one that tests pull requests: %s', async (_, before, assumed) => {
    const repo = await scene.changed({ files: before });
    for (const command of ['replay', 'tune']) {
      const { stdout } = await runCli('affected', [command, '--last', '2', '--json'], { cwd: repo.path });
      expect((JSON.parse(stdout) as ReplayResult).workflow.path).toBe(assumed);
    }
  });

  test('so that a change of another one selects nothing', async () => {
    const repo = await scene.changed({ before: { [CI]: ON_PULLS }, files: { [STALE]: TESTS } });
    expect(await replay(repo)).toEqual([undefined, 'RULE']);
  });

  test('refuses what is no file of the head', async () => {
    const run = await runCli('affected', ['replay', '--workflow', 'ci.yml', '--json'], { cwd: scene.copy().path });
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'FILE_UNUSABLE', message: 'ci.yml is not a file of HEAD.' } });
  });
});
