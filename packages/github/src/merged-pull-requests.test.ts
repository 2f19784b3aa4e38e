import { afterEach, describe, expect, test } from '@jest/globals';
import { schema } from '@octokit/graphql-schema';
import { isToolError, type ToolError } from '@tributary/model/errors';
import type { MergedPullRequest, MergedPullRequestsAsked, PullRequestPage } from '@tributary/model/forge';
import type { Instant } from '@tributary/model/time';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { buildSchema, parse, validate } from 'graphql';
import type { GitHubOptions } from './client.js';
import { MERGED_PULL_REQUESTS } from './merged-pull-requests-query.js';
import { openGitHub } from './open-github.js';
import { answerGraphql, at, type PullNode, pullNode } from './testing/graphql-github.js';
import { type HttpAnswer, type LocalGitHub, refusal, startGitHub } from './testing/local-github.js';

const cleanUp = cleanUpIn(afterEach);
const TOKEN = 'ghs_s3cretS3cretS3cret';
const repository = { owner: 'acme', repo: 'app' };
const asked: MergedPullRequestsAsked = { branch: 'main' };
const BAD_GATEWAY: HttpAnswer = { status: 502, body: '<html>Bad Gateway</html>' };
const many = (count: number): PullNode[] => Array.from({ length: count }, (_, index) => pullNode(index + 1));

interface Scene {
  readonly server: LocalGitHub;
  /** The page size of each request. */
  readonly sizes: number[];
  readonly read: (more?: Partial<MergedPullRequestsAsked>) => AsyncIterable<PullRequestPage>;
}

type Fate = (request: number, size: number) => HttpAnswer | 'hang' | 'hang up' | undefined;

/** `fate`: the answer to the n-th request, from 1; `undefined`: the normal one. */
async function start(pulls: readonly PullNode[], fate: Fate = () => undefined, options: Partial<GitHubOptions> = {}): Promise<Scene> {
  const sizes: number[] = [];
  const server = cleanUp.add(
    await startGitHub((url, body) => {
      if (!/^(\/api)?\/graphql$/.test(url.pathname)) return refusal(404, 'Not Found');
      const { size } = (JSON.parse(body) as { variables: { size: number } }).variables;
      return fate(sizes.push(size), size) ?? answerGraphql({ pulls }, body);
    }),
  );
  const access = { apiUrl: server.apiUrl, token: TOKEN, secondMs: 2, timeLimitMs: Number.POSITIVE_INFINITY };
  const forge = openGitHub({ ...repository, ...access, ...options });
  return { server, sizes, read: (more = {}) => forge.readMergedPullRequests({ ...asked, ...more }) };
}

function numberOf({ url }: MergedPullRequest): number {
  return Number(url.slice(url.lastIndexOf('/') + 1));
}

async function numbersOf(pages: AsyncIterable<PullRequestPage>): Promise<number[]> {
  const numbers: number[] = [];
  for await (const page of pages) numbers.push(...page.pullRequests.map(numberOf));
  return numbers;
}

async function failureOf(pages: AsyncIterable<PullRequestPage>): Promise<ToolError> {
  const error = await numbersOf(pages).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isToolError(error)) throw new Error('it did not fail with a ToolError', { cause: error });
  return error;
}

test("the query is one of GitHub's schema", () => {
  const github = buildSchema(schema.idl, { assumeValidSDL: true, assumeValid: true });
  expect(validate(github, parse(MERGED_PULL_REQUESTS))).toEqual([]);
  expect(validate(github, parse(MERGED_PULL_REQUESTS.replace('mergedAt', 'mergedWhen')))).toHaveLength(1);
});

test('all merged pull requests, the last updated first, each once', async () => {
  const { read, server } = await start(many(60));
  await expect(numbersOf(read())).resolves.toEqual(Array.from({ length: 60 }, (_, index) => 60 - index));
  expect(new Set(server.requests)).toEqual(new Set(['POST beside /api/graphql']));
  expect(server.authorizations[0]).toBe(`token ${TOKEN}`);
});

test('1,000 pull requests take 22 requests, well below 25', async () => {
  const { read, server } = await start(many(1000));
  await expect(numbersOf(read())).resolves.toHaveLength(1000);
  expect(server.requests).toHaveLength(22);
});

test('none', async () => {
  const { read } = await start([]);
  for await (const page of read()) expect(page).toMatchObject({ pullRequests: [], cursor: undefined, withoutCommit: 0 });
});

test('since: what was not touched since then is not asked for', async () => {
  const { read, sizes } = await start(many(200));
  const numbers = await numbersOf(read({ since: Date.parse(at(10 * 180)) as Instant }));
  expect(numbers).toEqual(Array.from({ length: 21 }, (_, index) => 200 - index));
  expect(sizes).toEqual([25]);
});

test('after the cursor of a page that was kept nothing comes twice and nothing is missing', async () => {
  const { read } = await start(many(120));
  const kept: number[] = [];
  let cursor: string | undefined;
  for (let killed = 0; killed < 2; killed++)
    for await (const page of read({ after: cursor })) {
      kept.push(...page.pullRequests.map(numberOf));
      cursor = page.cursor;
      break;
    }
  kept.push(...(await numbersOf(read({ after: cursor }))));
  expect(kept).toEqual(Array.from({ length: 120 }, (_, index) => 120 - index));
});

test('one that has no commit on the branch is counted', async () => {
  const { read } = await start([pullNode(1), pullNode(2, { mergeCommit: null })]);
  for await (const page of read()) expect(page).toMatchObject({ pullRequests: [{ url: pullNode(1)['url'] }], withoutCommit: 1 });
});

describe('the size of a page', () => {
  test('is halved by a server that is too slow for it, and doubled after three pages that came', async () => {
    const { read, sizes } = await start(many(120), (_, size) => (size > 12 ? BAD_GATEWAY : undefined));
    await expect(numbersOf(read())).resolves.toHaveLength(120);
    expect(sizes.slice(0, 9)).toEqual([25, 12, 12, 12, 24, 12, 12, 12, 24]);
  });

  const slow = 'Something went wrong while executing your query. This may be the result of a timeout.';
  test.each<[string, HttpAnswer | 'hang up' | 'hang']>([
    ['502', BAD_GATEWAY],
    ['504', { status: 504, body: 'Gateway Time-out' }],
    ['500', refusal(500, 'Server Error')],
    ['a timeout that says 200', { body: { data: null, errors: [{ message: slow }] } }],
    ['what the query costs', { body: { data: null, errors: [{ type: 'RESOURCE_LIMITS_EXCEEDED', message: 'too much' }] } }],
    ['a connection that breaks', 'hang up'],
    ['a body that breaks off', { body: { data: { repository: null } }, sent: 'half' }],
    ['a body that is no JSON', { body: '{"data": {"repository": {"pullReq', sent: 'text' }],
    ['a page of a proxy', { body: '<html>Welcome to the hotel</html>' }],
    ['an answer of something else', { body: { data: { repository: { pullRequests: { nodes: 'none' } } } } }],
    ['304', { status: 304, body: '' }],
    ['no answer', 'hang'],
  ])('is halved by %s', async (_, answer) => {
    // Only a server that never answers needs the limit, which a busy machine might reach.
    const options = answer === 'hang' ? { requestLimitMs: 2000 } : {};
    const { read, sizes } = await start(many(30), (request) => (request === 1 ? answer : undefined), options);
    await expect(numbersOf(read())).resolves.toHaveLength(30);
    expect(sizes.slice(0, 3)).toEqual([25, 12, 12]);
  });

  test('but not for ever, and what came before stays', async () => {
    const { read, sizes } = await start(many(60), (request) => (request > 1 ? BAD_GATEWAY : undefined));
    const kept: number[] = [];
    const reading = async (): Promise<void> => {
      for await (const page of read()) kept.push(...page.pullRequests.map(numberOf));
    };
    await expect(reading()).rejects.toMatchObject({ code: 'GITHUB_UNREACHABLE', message: expect.stringContaining('502') });
    expect(kept).toHaveLength(25);
    expect(sizes).toEqual([25, 25, 12, 6, 3, 1, 1]);
  });
});

describe('a limit of requests is waited for', () => {
  const reset = String(Math.floor(Date.now() / 1000) + 1800);
  const date = new Date().toUTCString();
  test.each<[string, HttpAnswer, number]>([
    ['403 with Retry-After', refusal(403, 'You have exceeded a secondary rate limit.', { 'retry-after': '90' }), 90],
    ['a secondary one without a time', refusal(403, 'You have exceeded a secondary rate limit.'), 60],
    ['429', refusal(429, 'Too many requests'), 60],
    [
      'that of this hour',
      refusal(403, 'API rate limit exceeded', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset, date }),
      1801,
    ],
    [
      'that of GraphQL, which says 200',
      {
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset, date },
        body: { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] },
      },
      1801,
    ],
  ])('%s', async (_, answer, seconds) => {
    const pauses: number[] = [];
    const options = { secondMs: 0.1, onPause: (pause: number) => void pauses.push(pause) };
    const { read, sizes } = await start(many(30), (request) => (request === 2 ? answer : undefined), options);
    await expect(numbersOf(read())).resolves.toHaveLength(30);
    expect(pauses.map((pause) => Math.abs(pause - seconds) <= 1)).toEqual([true]);
    // The size of the page is not the cause.
    expect(sizes).toEqual([25, 25, 25]);
  });

  test('that of GraphQL at github.com, where octokit notices it first', async () => {
    const used = {
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset, date },
      body: { errors: [{ type: 'RATE_LIMITED', message: 'no' }] },
    };
    const { server, sizes } = await start(many(1), (request) => (request === 1 ? used : undefined));
    const forge = openGitHub({ ...repository, apiUrl: new URL(server.apiUrl).origin, token: TOKEN, secondMs: 0.1 });
    await expect(numbersOf(forge.readMergedPullRequests(asked))).resolves.toEqual([1]);
    expect(server.requests).toEqual(['POST beside /graphql', 'POST beside /graphql']);
    expect(sizes).toEqual([25, 25]);
  });

  test('but not for a day, and not again and again', async () => {
    const long = await start(many(1), () => refusal(429, 'Too many requests', { 'retry-after': '86400' }));
    await expect(failureOf(long.read())).resolves.toMatchObject({
      code: 'GITHUB_REFUSED',
      hint: expect.stringContaining('request limit'),
    });
    expect(long.sizes).toHaveLength(1);
    const again = await start(many(1), () => refusal(403, 'You have exceeded a secondary rate limit.'), { secondMs: 0.1 });
    await expect(failureOf(again.read())).resolves.toMatchObject({ code: 'GITHUB_REFUSED' });
    expect(again.sizes).toHaveLength(4);
  });

  test('and a signal ends the pause', async () => {
    const controller = new AbortController();
    const options = { signal: controller.signal, secondMs: 1000, onPause: () => controller.abort() };
    const { read } = await start(many(1), () => refusal(429, 'Too many requests'), options);
    await expect(failureOf(read())).resolves.toMatchObject({ code: 'INTERRUPTED' });
  });
});

describe('what the token may not see', () => {
  const forbidden = (...path: (string | number)[]): HttpAnswer => ({
    body: {
      data: { repository: { pullRequests: { totalCount: 1, pageInfo: { hasNextPage: false, endCursor: null }, nodes: [null] } } },
      errors: [{ type: 'FORBIDDEN', path, message: 'Resource not accessible by integration' }],
    },
  });
  const node = ['repository', 'pullRequests', 'nodes', 0];
  test.each<[string, HttpAnswer, RegExp]>([
    ['checks', forbidden(...node, 'mergeCommit', 'checkSuites'), /"checks: read"/],
    ['statuses', forbidden(...node, 'commits', 'nodes', 0, 'commit', 'status'), /"statuses: read"/],
    ['pull requests', forbidden('repository', 'pullRequests'), /"pull-requests: read"/],
    ['anything', refusal(401, 'Bad credentials'), /expired/],
    ['this repository', { body: { data: { repository: null }, errors: [{ type: 'NOT_FOUND', message: 'Could not resolve' }] } }, /names/],
    ['a query with this field', { body: { errors: [{ message: "Field 'x' doesn't exist on type 'PullRequest'" }] } }, /older/],
  ])('%s: the permission is named, and it is asked once', async (_, answer, hint) => {
    const { read, sizes } = await start(many(3), () => answer);
    await expect(failureOf(read())).resolves.toMatchObject({ code: 'GITHUB_REFUSED', hint: expect.stringMatching(hint) });
    expect(sizes).toEqual([25]);
  });

  test('the token is never said again', async () => {
    const { read } = await start([], () => ({ body: { errors: [{ type: 'FORBIDDEN', message: `no ${TOKEN} here` }] } }));
    const error = await failureOf(read());
    expect(JSON.stringify(error) + String(error.stack)).not.toContain(TOKEN);
    expect(error.message).toBe('GitHub did not show the pull requests of acme/app: no *** here');
  });
});

test('pages that do not end are no answer', async () => {
  const page = { totalCount: 9, pageInfo: { hasNextPage: true, endCursor: 'same' }, nodes: [pullNode(1)] };
  const { read } = await start([], () => ({ body: { data: { repository: { pullRequests: page } } } }));
  await expect(failureOf(read())).resolves.toMatchObject({ code: 'GITHUB_UNREACHABLE', message: expect.stringContaining('do not end') });
});

test('pages that lead in a circle are no answer', async () => {
  const { read, sizes } = await start([], (request) => {
    const page = { totalCount: 9, pageInfo: { hasNextPage: true, endCursor: `${request % 3}` }, nodes: [pullNode(1)] };
    return request > 20 ? BAD_GATEWAY : { body: { data: { repository: { pullRequests: page } } } };
  });
  await expect(failureOf(read())).resolves.toMatchObject({ message: expect.stringContaining('do not end') });
  expect(sizes.length).toBeLessThan(10);
});

test('no server at all', async () => {
  const { read, server } = await start([]);
  await server.close();
  await expect(failureOf(read())).resolves.toMatchObject({ code: 'GITHUB_UNREACHABLE', message: expect.stringContaining('ECONNREFUSED') });
});

test.each([
  ['of the same time', 0],
  ['an hour ahead', 3600],
  ['a minute behind', -60],
])('a clock %s is told, and no time is changed by it', async (_, seconds) => {
  const { read } = await start([], () => ({
    headers: { date: new Date(Date.now() + seconds * 1000).toUTCString() },
    body: answerGraphql(
      { pulls: [pullNode(1)] },
      JSON.stringify({ query: MERGED_PULL_REQUESTS, variables: { ...repository, ...asked, size: 25, after: null } }),
    ).body,
  }));
  for await (const page of read()) {
    expect(Math.abs((page.clockSkew ?? Number.NaN) - seconds * 1000)).toBeLessThanOrEqual(2000);
    expect(page.pullRequests[0]?.mergedAt).toBe(Date.parse(at(16)));
  }
});
