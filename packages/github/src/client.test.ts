import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { ask, connect, failureOf, fine, serve, TOKEN } from './client.fixture.js';
import { createGitHub } from './client.js';
import { type HttpAnswer, refusal, startGitHub } from './testing/local-github.js';

const cleanUp = cleanUpIn(afterEach);

test('the token is sent, and the API of an Enterprise server is asked below its own path', async () => {
  const server = await serve(cleanUp, fine);
  await expect(ask(connect(server, { apiUrl: `${server.apiUrl}/` }))).resolves.toBe('acme/app');
  expect(server.requests).toEqual(['GET /repos/acme/app']);
  expect(server.authorizations).toEqual([`token ${TOKEN}`]);
});

test('without a token nobody is announced', async () => {
  const server = await serve(cleanUp, fine);
  await ask(connect(server, { token: undefined }));
  expect(server.authorizations).toEqual([undefined]);
});

describe('what passes by itself is tried again', () => {
  const soon = String(Math.floor(Date.now() / 1000));
  test.each<[string, HttpAnswer | 'hang up', number]>([
    ['a bad gateway', { status: 502, body: '<html>Bad Gateway</html>' }, 2],
    ['a broken connection', 'hang up', 2],
    ['503 with Retry-After', refusal(503, 'busy', { 'retry-after': '1' }), 2],
    ['429 with Retry-After and no more', refusal(429, 'Too many requests', { 'retry-after': '2' }), 2],
    ['the secondary limit', refusal(403, 'You have exceeded a secondary rate limit.', { 'retry-after': '3' }), 2],
    [
      'a used-up limit that is renewed now',
      refusal(403, 'API rate limit exceeded', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': soon }),
      2,
    ],
  ])('%s', async (_, answer, count) => {
    const server = await serve(cleanUp, answer, fine);
    await expect(ask(connect(server))).resolves.toBe('acme/app');
    expect(server.requests).toHaveLength(count);
  });
});

describe('but not for ever', () => {
  const later = String(Math.floor(Date.now() / 1000) + 1800);
  test.each<[string, HttpAnswer | 'hang up', string, number]>([
    ['a bad gateway', { status: 502, body: '<html>Bad Gateway</html>' }, 'GITHUB_UNREACHABLE', 3],
    ['a broken connection', 'hang up', 'GITHUB_UNREACHABLE', 3],
    ['429 with Retry-After', refusal(429, 'Too many requests', { 'retry-after': '1' }), 'GITHUB_REFUSED', 3],
    ['a pause that is too long', refusal(403, 'You have exceeded a secondary rate limit.', { 'retry-after': '60' }), 'GITHUB_REFUSED', 1],
    ['a secondary limit without a time', refusal(403, 'You have exceeded a secondary rate limit.'), 'GITHUB_REFUSED', 1],
    [
      'a limit that is renewed in half an hour',
      refusal(403, 'API rate limit exceeded', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': later }),
      'GITHUB_REFUSED',
      1,
    ],
  ])('%s', async (_, answer, code, count) => {
    const server = await serve(cleanUp, answer);
    await expect(failureOf(connect(server))).resolves.toMatchObject({ code });
    expect(server.requests).toHaveLength(count);
  });
});

test.each([
  [401, 'Bad credentials', /expired/],
  [403, 'Resource not accessible by integration', /"contents: read"/],
  [404, 'Not Found', /"contents: read"/],
  [429, 'API rate limit exceeded', /request limit/],
  [451, 'Unavailable due to DMCA', /451/],
])('%d is a refusal and not asked again', async (status, text, hint) => {
  const server = await serve(cleanUp, refusal(status, text));
  const error = await failureOf(connect(server));
  expect(error).toMatchObject({ code: 'GITHUB_REFUSED', data: { status } });
  expect(error.message).toContain(`GitHub did not show the repository acme/app: ${status}, ${text}`);
  expect(error.hint).toMatch(hint);
  expect(server.requests).toHaveLength(1);
});

test('a refusal of what was sent tells the reasons that GitHub gives', async () => {
  const errors = [
    { resource: 'PullRequest', code: 'custom', message: 'A pull request already exists for acme:main.' },
    { resource: 'PullRequest', field: 'base', code: 'invalid' },
    'Draft pull requests are not supported.',
  ];
  const error = await failureOf(connect(await serve(cleanUp, { status: 422, body: { message: 'Validation Failed', errors } })));
  expect(error).toMatchObject({
    message:
      'GitHub did not show the repository acme/app: 422, Validation Failed: A pull request already exists for acme:main.; "base" is invalid; Draft pull requests are not supported.',
    hint: 'GitHub says what it does not accept. Change that, then run the same command again.',
  });
});

test.each([
  ['as text', { message: 'Validation Failed', errors: 'Only one default' }, 'Validation Failed: Only one default'],
  [
    'without a message, and some without a word',
    { errors: [{ resource: 'PullRequest', code: 'custom' }, { message: null, field: 'base', code: 'missing_field' }, null] },
    '"base" is missing_field',
  ],
  [
    'without a field',
    { message: ' ', errors: [{ resource: 'Label', code: 'already_exists' }, { code: 'invalid' }] },
    '"Label" is already_exists; invalid',
  ],
])('reasons %s are told as far as there are any', async (_, body, told) => {
  const error = await failureOf(
    connect(await serve(cleanUp, { status: 422, body: { ...body, documentation_url: 'https://docs.github.com/x' } })),
  );
  expect(error.message).toBe(`GitHub did not show the repository acme/app: 422, ${told}`);
  expect(error.hint).toContain('GitHub says what it does not accept.');
});

test.each([{}, { errors: [] }, { errors: [null, { code: 'custom' }] }, { errors: '' }])(
  'a refusal of what was sent without reasons is not said to have some: %j',
  async (more) => {
    const error = await failureOf(connect(await serve(cleanUp, { status: 422, body: { message: 'Validation Failed', ...more } })));
    expect(error.message).toBe('GitHub did not show the repository acme/app: 422, Validation Failed');
    expect(error.hint).toBe("See the API's documentation for status 422.");
  },
);

test('a server that says nothing is asked three times, each for the limit of one request', async () => {
  const server = await serve(cleanUp, 'hang');
  const error = await failureOf(connect(server, { requestLimitMs: 50 }));
  const message = 'GitHub did not show the repository acme/app: no answer within 50 ms';
  expect([error.code, error.message, server.requests.length]).toEqual(['GITHUB_UNREACHABLE', message, 3]);
});

test('a server that falls silent in the middle of an answer is asked three times too, and one that then answers is believed', async () => {
  const stalled: HttpAnswer = { ...fine, sent: 'stall' };
  const server = await serve(cleanUp, stalled);
  const error = await failureOf(connect(server, { requestLimitMs: 50 }));
  const message = 'GitHub did not show the repository acme/app: no answer within 50 ms';
  expect([error.code, error.message, server.requests.length]).toEqual(['GITHUB_UNREACHABLE', message, 3]);
  const mended = await serve(cleanUp, stalled, fine);
  await expect(ask(connect(mended, { requestLimitMs: 500 }))).resolves.toBe('acme/app');
  expect(mended.requests).toHaveLength(2);
});

test('a signal interrupts, before and during a call', async () => {
  const server = await serve(cleanUp, 'hang');
  const early = connect(server, { signal: AbortSignal.abort() });
  await expect(failureOf(early)).resolves.toMatchObject({ code: 'INTERRUPTED' });
  expect(server.requests).toHaveLength(0);
  const controller = new AbortController();
  const running = failureOf(connect(server, { signal: controller.signal }));
  setTimeout(() => controller.abort(), 50);
  await expect(running).resolves.toMatchObject({ code: 'INTERRUPTED' });
});

test('no server at all', async () => {
  const server = await startGitHub(() => 'hang');
  await server.close();
  const error = await failureOf(connect(server));
  expect(error).toMatchObject({ code: 'GITHUB_UNREACHABLE', message: expect.stringContaining('ECONNREFUSED') });
});

test('a failure shows neither the token nor control characters, wherever it is looked at', async () => {
  for (const [status, secret] of [
    [404, TOKEN],
    [500, `https://x:${TOKEN}@github.example/`],
    [422, `\u001b[31m\n::error::${TOKEN}\u2028`],
  ] as const) {
    const error = await failureOf(connect(await serve(cleanUp, refusal(status, `no ${secret}`))));
    const shown = [inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error), String(error.stack)].join();
    expect(shown).not.toContain(TOKEN);
    expect(error.message).toMatch(/^[\x20-\x7e]+$/);
  }
});

test('a token with a line break and an address of no API are refused before anything is sent', () => {
  for (const token of [`${TOKEN}\n`, '', 'two words']) {
    expect(() => createGitHub({ apiUrl: 'https://api.github.com', token })).toThrow(expect.objectContaining({ code: 'USAGE' }));
    expect(() => createGitHub({ apiUrl: 'https://api.github.com', token })).not.toThrow(TOKEN);
  }
  for (const apiUrl of [
    '',
    'api.github.com',
    'file:///etc',
    `https://user:${TOKEN}@github.example/api/v3`,
    'https://github.example/?x=1',
  ]) {
    expect(() => createGitHub({ apiUrl, token: undefined })).toThrow(expect.objectContaining({ code: 'USAGE' }));
    expect(() => createGitHub({ apiUrl, token: undefined })).not.toThrow(TOKEN);
  }
});
