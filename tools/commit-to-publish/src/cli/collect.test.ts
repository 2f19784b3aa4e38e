import { afterEach, expect, test } from '@jest/globals';
import { startDescribedGitHub } from '@tributary/github/testing/described-github';
import { answerGraphql } from '@tributary/github/testing/graphql-github';
import { refusal, startGitHub } from '@tributary/github/testing/local-github';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, runCli } from '@tributary/test-repo/run-cli';
import { Story } from '../collect/story.fixture.js';
import { compileSchema } from '../schemas.fixture.js';

const cleanUp = cleanUpIn(afterEach);
const TOKEN = 'ghs_s3cretS3cretS3cret';

/** A clone of `acme/core` with a version and a change behind it. */
function clone(): Story {
  const story = new Story();
  cleanUp.add(story.repo);
  story.repo.git('remote', 'add', 'origin', 'http://127.0.0.1/acme/core.git');
  story.at(0).version('Start', { name: 'core', version: '1.0.0' });
  story.at(10).repo.tag('v1.0.0');
  story.at(20).commit('Add', { 'a.js': '1' });
  return story;
}

function collect({ repo }: Story, apiUrl: string, ...args: readonly string[]): Promise<CliResult> {
  const env = { GITHUB_TOKEN: TOKEN, GITHUB_API_URL: apiUrl };
  return runCli('commit-to-publish', ['collect', '--branch', 'main', ...args], { cwd: repo.path, env });
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
  expect([compileSchema('collect-result')(JSON.parse(stdout)), JSON.parse(stdout).repositories[0].clockSkew]).toEqual([
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
] as const)('%s: code, sentence and hint, and the next run has everything', async (_, answer, said) => {
  const story = clone();
  const server = cleanUp.add(await startGitHub(answer));
  const failed = await collect(story, server.apiUrl, '--github');
  expect([failed.code, failed.stdout]).toEqual([1, '']);
  expect(failed.stderr).toMatch(said);
  expect(failed.stderr).not.toContain(TOKEN);
  const { code, stdout } = await collect(story, server.apiUrl, '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { repositories: [{ events: { fresh: 3, all: 3 } }] }]);
});

test('jobs without GitHub, and a name of one for several clones, are a wrong command line', async () => {
  const story = clone();
  for (const args of [['--jobs'], ['--github', 'acme/core', '--repo', '.', '--repo', '..']])
    expect(await collect(story, 'http://127.0.0.1:1', ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('[USAGE]') });
});
