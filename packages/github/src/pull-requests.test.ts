import { afterEach, describe, expect, test } from '@jest/globals';
import type { PullRequestHost } from '@tributary/model/pull-request-host';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { openPullRequests } from './open-pull-requests.js';
import { type HttpAnswer, refusal } from './testing/local-github.js';
import {
  type HostedPull,
  type HostedState,
  hostedPull,
  type PullRequestGitHub,
  startPullRequestGitHub,
} from './testing/pull-request-github.js';

const cleanUp = cleanUpIn(afterEach);
const SHA = 'b'.repeat(40);

interface Scene {
  readonly server: PullRequestGitHub;
  readonly host: PullRequestHost;
  readonly pulls: HostedPull[];
}

type Fate = (call: string) => HttpAnswer | 'hang up' | 'hang' | undefined;

async function start(pulls: HostedPull[] = [], fate: Fate = () => undefined, requestLimitMs = 5000): Promise<Scene> {
  const server = cleanUp.add(await startPullRequestGitHub({ 'acme/app': { pulls } }, { fate }));
  const options = { timeLimitMs: Number.POSITIVE_INFINITY, requestLimitMs, secondMs: 1 };
  return { server, pulls, host: openPullRequests({ owner: 'acme', repo: 'app', apiUrl: server.apiUrl, token: 'ghs_s3cret', ...options }) };
}

const NEW = { title: 'T', body: 'B', head: 'x/pr-1', base: 'main', draft: true };

test('every open one is listed, over pages, in the order of their numbers, by the description of GitHub', async () => {
  const many = Array.from({ length: 230 }, (_, at) => hostedPull(230 - at, 'acme/app', { head: `b${at}`, sha: SHA }));
  const gone = hostedPull(231, 'acme/app', { head: 'x', sha: SHA, user: null, draft: true });
  const { host, server } = await start([
    ...many,
    { ...gone, head: { ...gone.head, repo: null } },
    { ...gone, number: 232, state: 'closed' },
  ]);
  const found = await host.listOpen();
  expect(found.map(({ number }) => number)).toEqual(Array.from({ length: 231 }, (_, at) => at + 1));
  expect(found.at(-1)).toEqual({
    number: 231,
    url: 'https://github.example/acme/app/pull/231',
    state: 'open',
    draft: true,
    title: 'Pull request 231',
    body: '',
    author: undefined,
    createdAt: '2026-01-02T03:04:05Z',
    base: 'main',
    head: { branch: 'x', commit: SHA, repository: undefined },
  });
  expect(await host.readRepository()).toEqual({ defaultBranch: 'main', mergeCommits: 'unknown', parent: undefined });
  expect(server.flaws).toEqual([]);
});

test.each([
  [true, 'allowed'],
  [false, 'refused'],
] as const)('allow_merge_commit: %s says that merge commits are %s', async (allowMergeCommit, mergeCommits) => {
  const server = cleanUp.add(await startPullRequestGitHub({ 'acme/app': { pulls: [], allowMergeCommit } }));
  const host = openPullRequests({ owner: 'acme', repo: 'app', apiUrl: server.apiUrl, token: undefined, timeLimitMs: 5000 });
  expect(await host.readRepository()).toEqual({ defaultBranch: 'main', mergeCommits, parent: undefined });
  expect(server.flaws).toEqual([]);
});

const LINEAR = { required_linear_history: { enabled: true } };
const FREE = { required_linear_history: { enabled: false } };
const QUEUE = { type: 'merge_queue', parameters: { merge_method: 'SQUASH' } };
const METHODS = { type: 'pull_request', parameters: { allowed_merge_methods: ['squash', 'rebase'] } };

test.each<[string, Partial<HostedState>, unknown]>([
  ['no rule', {}, { mergeCommits: 'allowed' }],
  ['a protection without it', { protection: FREE }, { mergeCommits: 'allowed' }],
  ['a protection', { protection: LINEAR }, { mergeCommits: 'refused', why: 'its protection requires a linear history' }],
  ['a protection that is not shown', { protection: 'hidden' }, { mergeCommits: 'unknown' }],
  ['another rule', { rules: [{ type: 'deletion' }] }, { mergeCommits: 'allowed' }],
  ['a rule', { rules: [{ type: 'required_linear_history' }] }, { mergeCommits: 'refused', why: 'a ruleset requires a linear history' }],
  ['a queue', { rules: [QUEUE] }, { mergeCommits: 'refused', why: 'its merge queue merges with "squash"' }],
  ['methods', { rules: [METHODS] }, { mergeCommits: 'refused', why: 'a ruleset allows only squash and rebase' }],
])('whether a branch takes merge commits: %s', async (_, rules, expected) => {
  const server = cleanUp.add(await startPullRequestGitHub({ 'acme/app': { pulls: [], ...rules } }));
  const host = openPullRequests({ owner: 'acme', repo: 'app', apiUrl: server.apiUrl, token: undefined, timeLimitMs: 5000 });
  expect(await host.readBranchRules('release/1')).toEqual(expected);
  expect(server.flaws).toEqual([]);
});

test('a server that knows no rulesets leaves it open, a plan without them has none, and one that fails is a failure', async () => {
  const { host } = await start([], (call) => (call.includes('/rules/') ? refusal(404, 'Not Found') : undefined));
  expect(await host.readBranchRules('main')).toEqual({ mergeCommits: 'unknown' });
  const plan = 'Upgrade to GitHub Pro or make this repository public to enable this feature.';
  const free = await start([], (call) => (call.includes('/rules/') ? refusal(403, plan) : undefined));
  expect(await free.host.readBranchRules('main')).toEqual({ mergeCommits: 'allowed' });
  const other = await start([], (call) => (call.includes('/branches/main') ? refusal(401, 'Bad credentials') : undefined));
  await expect(other.host.readBranchRules('main')).rejects.toMatchObject({ code: 'GITHUB_REFUSED' });
});

test('one is opened, found by its branch, and changed; a fork with a branch of that name is another', async () => {
  const fork = hostedPull(4, 'eve/app', { head: 'x/pr-1', sha: SHA });
  const { host, server, pulls } = await start([fork]);
  expect(await host.listOfBranch('x/pr-1')).toEqual([]);
  expect(await host.open(NEW)).toMatchObject({ number: 5, draft: true, state: 'open', head: { branch: 'x/pr-1' } });
  await host.update(5, { title: 'T2', body: 'B2' });
  expect(pulls[1]).toMatchObject({ title: 'T2', body: 'B2' });
  Object.assign(pulls[1] ?? {}, { state: 'closed', merged_at: '2026-01-02T03:04:05Z' });
  expect(await host.listOfBranch('x/pr-1')).toMatchObject([{ number: 5, state: 'merged' }]);
  expect(server.flaws).toEqual([]);
});

const LIMIT = refusal(429, 'Too many', { 'retry-after': '1' });

describe('an unusable answer is a failure with its code, and nothing is written twice', () => {
  test.each<[title: string, answer: HttpAnswer | 'hang up' | 'hang', code: string, hint: string]>([
    ['401', refusal(401, 'Bad credentials'), 'GITHUB_REFUSED', 'The token is wrong, revoked or has expired.'],
    ['403', refusal(403, 'Resource not accessible'), 'GITHUB_REFUSED', 'Give the token the permission "pull-requests:'],
    ['404', refusal(404, 'Not Found'), 'GITHUB_REFUSED', 'Check the names and the number.'],
    ['422', refusal(422, 'Validation Failed'), 'GITHUB_REFUSED', "See the API's documentation for status 422"],
    ['429, again and again', LIMIT, 'GITHUB_REFUSED', 'The request limit of this token is reached'],
    ['500', { status: 500, body: 'oops' }, 'GITHUB_UNREACHABLE', 'try again later'],
    ['a broken connection', 'hang up', 'GITHUB_UNREACHABLE', 'try again later'],
    ['nothing', 'hang', 'GITHUB_UNREACHABLE', 'try again later'],
    ['a page of a proxy', { body: '<html>' }, 'GITHUB_UNREACHABLE', 'proxies'],
  ])('%s', async (_, answer, code, hint) => {
    const { host, server, pulls } = await start([], () => answer, answer === 'hang' ? 50 : 5000);
    const failure = { code, hint: expect.stringContaining(hint) };
    await expect(host.listOpen()).rejects.toMatchObject(failure);
    await expect(host.listOfBranch('x/pr-1')).rejects.toMatchObject(failure);
    const before = server.requests.length;
    await expect(host.open(NEW)).rejects.toMatchObject({ code, message: expect.stringContaining('a pull request of x/pr-1 in acme/app') });
    // A used-up limit means that nothing was written, so the call is repeated after each pause.
    expect(server.requests.length - before).toBe(answer === LIMIT ? 12 : 1);
    expect([pulls, JSON.stringify(server.requests).includes('s3cret')]).toEqual([[], false]);
  });

  test('a limit that is renewed is waited for', async () => {
    let calls = 0;
    const { host, pulls } = await start([], () => (++calls <= 4 ? LIMIT : undefined));
    await host.open(NEW);
    expect([calls, pulls.length]).toEqual([5, 1]);
  });
});
