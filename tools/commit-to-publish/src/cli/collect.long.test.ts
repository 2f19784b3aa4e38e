import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { startDescribedGitHub } from '@tributary/github/testing/described-github';
import { answerGraphql } from '@tributary/github/testing/graphql-github';
import { refusal, startGitHub } from '@tributary/github/testing/local-github';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, runCli } from '@tributary/test-repo/run-cli';
import { compileSchema } from '@tributary/test-repo/schemas';
import { CloneStory } from '../collect/story.fixture.js';

const cleanUp = cleanUpIn(afterEach);
const TOKEN = 'ghs_s3cretS3cretS3cret';

/** Creates a clone of `acme/core` with a version and a later change. */
function clone(): CloneStory {
  const story = new CloneStory();
  cleanUp.add(story.repo);
  story.repo.git('remote', 'add', 'origin', 'http://127.0.0.1/acme/core.git');
  story.at(0).version('Start', { name: 'core', version: '1.0.0' });
  story.at(10).repo.tag('v1.0.0');
  story.at(20).commit('Add', { 'a.js': '1' });
  return story;
}

function collect({ repo }: CloneStory, apiUrl: string, ...args: readonly string[]): Promise<CliResult> {
  const env = { GITHUB_TOKEN: TOKEN, GITHUB_API_URL: apiUrl };
  const branch = args.includes('--github') ? ['--branch', 'main'] : [];
  return runCli('commit-to-publish', ['collect', ...branch, ...args], { cwd: repo.path, env });
}

test('pull requests, releases and jobs are asked for at the address and with the token of the environment, as the remote says', async () => {
  const server = cleanUp.add(
    await startDescribedGitHub(
      ({ pathname }) => (pathname.endsWith('/releases') ? { entries: [] } : { entries: [], wrap: 'workflow_runs' }),
      ({ pathname }, body) => (pathname.endsWith('/graphql') ? answerGraphql({}, body) : undefined),
    ),
  );
  const { code, stdout, stderr } = await collect(clone(), server.apiUrl, '--github', '--jobs', '--json');
  expect([code, stderr]).toEqual([0, expect.stringContaining('The record is')]);
  expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, repositories: [{ repo: 'acme/core', events: { fresh: 3, retracted: 0 } }] });
  expect([compileSchema('commit-to-publish', 'collect-result')(JSON.parse(stdout)), JSON.parse(stdout).repositories[0].clockSkew]).toEqual([
    true,
    expect.any(Number),
  ]);
  expect(new Set(server.authorizations)).toEqual(new Set([`token ${TOKEN}`]));
  const asked = ['beside /api/graphql', '/repos/acme/core/releases', '/repos/acme/core/actions/runs'];
  for (const place of asked) expect(server.requests.some((request) => request.includes(place))).toBe(true);
  expect(server.flaws).toEqual([]);
});

test.each([
  [
    'a token that may not look',
    () => refusal(403, 'Resource not accessible by personal access token'),
    /GITHUB_REFUSED[\s\S]*"pull-requests: read"/,
  ],
  ['a token that is wrong', () => refusal(401, 'Bad credentials'), /GITHUB_REFUSED[\s\S]*expired/],
  ['a repository that is not there', () => refusal(404, 'Not Found'), /GITHUB_REFUSED[\s\S]*names/],
] as const)('%s: code, sentence and hint, and the next run has everything', async (_, answer, message) => {
  const story = clone();
  const server = cleanUp.add(await startGitHub(answer));
  const failed = await collect(story, server.apiUrl, '--github');
  expect([failed.code, failed.stdout]).toEqual([1, '']);
  expect(failed.stderr).toMatch(message);
  expect(failed.stderr).not.toContain(TOKEN);
  const { code, stdout } = await collect(story, server.apiUrl, '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { repositories: [{ events: { fresh: 3, all: 3 } }] }]);
});

test('jobs without GitHub, and a name of one for several clones, are a wrong command line', async () => {
  const story = clone();
  for (const args of [['--jobs'], ['--github', 'acme/core', '--repo', '.', '--repo', '..']])
    expect(await collect(story, 'http://127.0.0.1:1', ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('[USAGE]') });
});

test('a branch without GitHub is a wrong command line, and the hint says whose main line is read', async () => {
  const { code, stderr } = await collect(clone(), 'http://127.0.0.1:1', '--branch', 'main');
  expect(code).toBe(2);
  expect(stderr).toMatch(/--branch has no effect without --github.*\[USAGE\]\nhint: .*git remote set-head origin <branch>/);
});

/** Creates a clone of `acme/nothing` with the given files. */
function cloneWith(files: Readonly<Record<string, string>>): CloneStory {
  const story = new CloneStory();
  cleanUp.add(story.repo);
  story.repo.git('remote', 'add', 'origin', 'http://127.0.0.1/acme/nothing.git');
  story.at(0).commit('Start', files);
  return story;
}

test.each([
  [
    'no package.json',
    { 'main.py': '1', 'web/package.json': '{"name":"web","version":"1.0.0"}' },
    /repositories without a package\.json at the root \(1\)/,
  ],
  [
    'no package.json',
    {
      'package.json': '{"name":"root","private":true,"workspaces":["*"]}',
      'a/package.json': '{"name":"x"}',
      'b/package.json': '{"name":"x"}',
    },
    /repositories whose packages cannot be read \(1\)/,
  ],
  [
    'no published package',
    { 'package.json': '{"name":"root","private":true,"workspaces":["a"]}', 'a/package.json': '{"name":"a","private":true}' },
    /repositories whose packages are all private \(1\)/,
  ],
] as const)(
  'where nothing can be measured collect says why (%s), and report does not send anybody back to it',
  async (nothing, files, why) => {
    const story = cloneWith(files);
    const run = (...args: readonly string[]): Promise<CliResult> => runCli('commit-to-publish', args, { cwd: story.repo.path });
    const result = await run('collect');
    expect([result.code, result.stdout, result.stderr]).toEqual([
      0,
      expect.stringMatching(why),
      expect.stringContaining('There is nothing to report on'),
    ]);
    const document = JSON.parse((await run('collect', '--json')).stdout);
    expect([document.repositories[0].nothing, compileSchema('commit-to-publish', 'collect-result')(document)]).toEqual([nothing, true]);
    const { code, stderr } = await run('report', '--channels', 'latest');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/has no events, because acme\/nothing had nothing to record\. \[RECORD_MISSING\]\nhint: See the output of "/),
    ]);
  },
);

test('--package records and tells of that package alone; without it, the next one records the rest', async () => {
  const story = new CloneStory();
  cleanUp.add(story.repo);
  story.repo.git('remote', 'add', 'origin', 'http://127.0.0.1/acme/both.git');
  story.at(0).commit('Start', { 'package.json': '{"name":"root","private":true,"workspaces":["*"]}' });
  for (const name of ['ui', 'core']) story.version(`Add ${name}`, { name, version: '1.0.0' }, `${name}/`);
  story.at(10).commit('Both', { 'ui/a.js': '1', 'core/a.js': '1' });
  story.at(11).commit('Core', { 'core/a.js': '2' });
  for (const name of ['ui', 'core']) {
    story.at(20).version(`Release ${name}`, { name, version: '1.1.0' }, `${name}/`);
    story.repo.tag(`${name}@1.1.0`);
  }
  const run = (...args: readonly string[]): Promise<CliResult> => runCli('commit-to-publish', args, { cwd: story.repo.path });
  const { stdout } = await run('collect', '--package', 'ui', '--json');
  // Of ui: its first change with its first publication, and one more.
  expect(JSON.parse(stdout).repositories[0]).toMatchObject({ packages: ['ui'], changes: { person: 2 }, events: { fresh: 4, all: 4 } });
  expect(compileSchema('commit-to-publish', 'collect-result')(JSON.parse(stdout))).toBe(true);
  const reported = await run('report', '--channels', 'latest', '--package', 'core');
  expect(reported.stderr).toMatch(/has no package core\. \[NOT_RECORDED\]\nhint: It has ui\./);
  const rest = JSON.parse((await run('collect', '--json')).stdout).repositories[0];
  expect(rest).toMatchObject({ packages: ['core', 'ui'], changes: { person: 4 }, events: { fresh: 6, all: 10, retracted: 0 } });
  const stray = await run('collect', '--package', 'uj');
  expect([stray.code, stray.stderr]).toEqual([
    1,
    expect.stringMatching(/publishes a package uj\. \[NOT_RECORDED\]\nhint: Published are core/),
  ]);
});

test('what --since leaves is said, also where it is nothing', async () => {
  const story = clone();
  const run = (...args: readonly string[]): Promise<CliResult> => runCli('commit-to-publish', args, { cwd: story.repo.path });
  expect((await run('collect', '--since', '2099-01-01', '--verbose')).stdout).toContain(
    'acme/core: no change was merged since 2099-01-01 (--since), so there is nothing to record.',
  );
  const document = JSON.parse((await run('collect', '--since', '2099-01-01', '--json')).stdout);
  expect(document.repositories[0]).toMatchObject({ since: { from: Date.UTC(2099, 0) * 1000, changes: 0 }, events: { all: 0 } });
  expect(compileSchema('commit-to-publish', 'collect-result')(document)).toBe(true);
  expect((await run('report', '--channels', 'latest')).stderr).toContain('no change since --since');
  expect((await run('collect', '--since', '2020-01-01', '--verbose')).stdout).toContain(
    '2 of 2 changes were merged since 2020-01-01; the others are not recorded.',
  );
  rmSync(join(story.repo.path, '.tributary/record/journal'), { recursive: true });
  expect((await run('report', '--channels', 'latest')).stderr).toMatch(
    /no longer has a record, although events were collected of acme\/core\.[\s\S]*--full/,
  );
});
