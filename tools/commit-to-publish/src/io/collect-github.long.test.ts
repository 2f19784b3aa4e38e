import { afterEach, expect, test } from '@jest/globals';
import { answerGraphql, checkRun, commitNode, type PullNode, pullNode } from '@tributary/github/testing/graphql-github';
import { startGitHub } from '@tributary/github/testing/local-github';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { BEGIN, CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';
import type { CollectWork } from './collect-work.js';

const cleanUp = cleanUpIn(afterEach);

/** Returns a time in hours after the start of the story, in GitHub's format. */
const hour = (hours: number): string => new Date((BEGIN + hours * 3600) * 1000).toISOString();
const HEAD = 'e'.repeat(40);

/** A pull request that was opened and pushed at 18, tested until 18:30, approved at 19, merged at 20, and tested again until 21. */
function pull(number: number, merged: string, more: Readonly<Record<string, unknown>> = {}): PullNode {
  const check = (event: string, from: number, to: number): unknown => ({
    workflowRun: { event, workflow: { name: 'CI' } },
    checkRuns: { totalCount: 1, nodes: [{ ...checkRun('test', 0), startedAt: hour(from), completedAt: hour(to) }] },
  });
  const commit = (oid: string, at: number, checks: unknown): Readonly<Record<string, unknown>> => ({
    ...commitNode(oid, 0, [checks]),
    committedDate: hour(at),
    authoredDate: hour(at),
  });
  return pullNode(number, {
    createdAt: hour(18),
    updatedAt: hour(21),
    mergedAt: hour(20),
    headRefOid: HEAD,
    reviews: { nodes: [{ submittedAt: hour(19), commit: { oid: HEAD } }] },
    commits: { totalCount: 2, nodes: [{ commit: commit(HEAD, 18, check('pull_request', 18, 18.5)) }] },
    mergeCommit: { ...commit(merged, 20, check('push', 20, 21)), messageHeadline: `Add (#${number})` },
    ...more,
  });
}

interface Scene {
  readonly story: CloneStory;
  readonly collecting: Collecting;
  readonly pulls: PullNode[];
  readonly forge: NonNullable<CollectWork['forge']>;
}

async function start(): Promise<Scene> {
  const story = new CloneStory();
  cleanUp.add(story.repo);
  story.at(0).version('Start', { name: 'core', version: '1.0.0' });
  story.at(10).repo.tag('v1.0.0');
  const pulls: PullNode[] = [];
  const server = cleanUp.add(
    await startGitHub((url, body) => (url.pathname.endsWith('/releases') ? { body: [] } : answerGraphql({ pulls }, body))),
  );
  const forge = { repository: { owner: 'acme', repo: 'app' }, branch: undefined, apiUrl: server.apiUrl, token: 'ghs_x' };
  return { story, collecting: cleanUp.add(new Collecting()), pulls, forge };
}

function release(story: CloneStory): void {
  story.at(30).version('1.1.0', { name: 'core', version: '1.1.0' });
  story.repo.tag('v1.1.0');
}

const WAYS = [
  'core pr-tests 18:00 to 18:30',
  'core merge-wait 19:00 to 20:00',
  'core post-merge-tests 20:00 to 21:00',
  'core publish 1.1.0 (latest) 30:00',
];

test('approval, merge and tests come from GitHub, the publication from git; a commit without a pull request stays with git', async () => {
  const { story, collecting, pulls, forge } = await start();
  const change = story.at(20).commit('Add', { 'a.js': '1' });
  const direct = story.at(22).commit('Directly', { 'a.js': '2' });
  release(story);
  pulls.push(
    pull(7, change, { author: { __typename: 'Bot', login: 'renovate' } }),
    pull(8, 'f'.repeat(40)),
    pull(9, HEAD, { mergeCommit: null }),
  );
  const { repositories } = await collecting.run([story], { forge });
  expect(eventLines(collecting.events(), change)).toEqual(WAYS);
  expect(eventLines(collecting.events(), direct)).toEqual(['core merge-wait 22:00', 'core publish 1.1.0 (latest) 30:00']);
  const own = collecting.events().filter((event) => event.change === change);
  expect(new Set(own.map(({ actor, url }) => `${actor} ${url}`))).toEqual(new Set(['bot https://github.example/acme/app/pull/7']));
  expect(own.map(({ stage, source, confidence }) => `${stage} ${source} ${confidence}`).sort()).toEqual([
    'merge-wait api exact',
    'post-merge-tests api exact',
    'pr-tests api exact',
    'publish git derived',
  ]);
  expect(repositories[0]).toMatchObject({ pullRequests: { changes: 1, withoutCommit: 1 }, changes: { person: 2, bot: 1 } });
});

test('both commits of a rebase have the times of their pull request', async () => {
  const { story, collecting, pulls, forge } = await start();
  const one = story.at(20).commit('One', { 'a.js': '1' });
  const two = story.commit('Two', { 'a.js': '2' });
  release(story);
  const { commits } = pull(7, two);
  pulls.push(pull(7, two, { mergeCommit: { ...(commits as { nodes: [{ commit: object }] }).nodes[0].commit, oid: two } }));
  await collecting.run([story], { forge });
  for (const commit of [one, two]) expect(eventLines(collecting.events(), commit)[1]).toBe('core merge-wait 19:00 to 20:00');
});

test('collected later without GitHub, what it has said stays', async () => {
  const { story, collecting, pulls, forge } = await start();
  const change = story.at(20).commit('Add', { 'a.js': '1' });
  release(story);
  pulls.push(pull(7, change));
  await collecting.run([story], { forge });
  expect((await collecting.run([story])).repositories[0]?.events.fresh).toBe(0);
  expect(eventLines(collecting.events(), change)).toEqual(WAYS);
});

test('before GitHub is asked git stands for it, and nothing is recorded twice', async () => {
  const { story, collecting, pulls, forge } = await start();
  const change = story.at(20).commit('Add', { 'a.js': '1' });
  release(story);
  pulls.push(pull(7, change));
  await collecting.run([story]);
  expect(eventLines(collecting.events(), change)[0]).toBe('core merge-wait 20:00');
  await collecting.run([story], { forge });
  expect(eventLines(collecting.events(), change)).toEqual(WAYS);
  expect((await collecting.run([story])).repositories[0]?.events.fresh).toBe(0);
  expect((await collecting.run([story], { forge })).repositories[0]?.events.fresh).toBe(0);
  expect(eventLines(collecting.events(), change)).toEqual(WAYS);
});

test('GitHub that does not answer is a failure, and nothing is recorded', async () => {
  const { story, collecting } = await start();
  const server = cleanUp.add(await startGitHub(() => ({ status: 401, body: { message: 'Bad credentials' } })));
  const forge = { repository: { owner: 'acme', repo: 'app' }, branch: 'main', apiUrl: server.apiUrl, token: 'ghs_x' };
  await expect(collecting.run([story], { forge })).rejects.toMatchObject({ code: 'GITHUB_REFUSED' });
  expect(collecting.lines()).toEqual([]);
});

test('a clone whose HEAD is no branch needs its name', async () => {
  const { story, collecting, forge } = await start();
  story.repo.git('checkout', '-q', '--detach');
  await expect(collecting.run([story], { forge })).rejects.toMatchObject({ code: 'USAGE', hint: expect.stringContaining('--branch') });
  await expect(collecting.run([story], { forge: { ...forge, branch: 'main' } })).resolves.toBeDefined();
});
