import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessIn, checkToken } from './token-check.js';

const server = createServer((request, response) => {
  const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const scopes: Readonly<Record<string, string>> = { classic: 'repo, read:org', weak: 'gist', none: '' };
  if (request.url !== '/rate_limit' || token === 'wrong') response.statusCode = 401;
  if (token === 'broken') response.statusCode = 500;
  if (scopes[token] !== undefined) response.setHeader('x-oauth-scopes', scopes[token]);
  response.end('{}');
});
let apiUrl: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const check = (token: string | undefined, url = apiUrl): ReturnType<typeof checkToken> =>
  checkToken({ apiUrl: url, token, scopes: ['repo'], permissions: 'contents: read', purpose: 'X', signal: new AbortController().signal });

test.each([
  [undefined, 'limited', 'none'],
  ['classic', 'ok', 'scopes: repo, read:org'],
  ['weak', 'limited', 'scopes: gist'],
  ['none', 'limited', 'scopes: none'],
  ['fine-grained', 'ok', 'valid; GitHub does not show its permissions'],
  ['wrong', 'limited', 'GitHub refuses it'],
  ['broken', 'unknown', 'GitHub answers 500'],
])('the token %p is %s: %s', async (token, state, found) => {
  const answer = await check(token);
  expect(answer).toMatchObject({ name: 'token', state, found });
  // The token itself must never appear.
  if (token !== undefined && token !== 'none') expect(JSON.stringify(answer)).not.toContain(`"${token}`);
});

test('a server that does not answer, or an address that is none, makes it unknown', async () => {
  expect(await check('classic', 'http://127.0.0.1:1')).toMatchObject({ state: 'unknown', found: '127.0.0.1:1 does not answer' });
  expect(await check('classic', 'nowhere')).toMatchObject({ state: 'unknown' });
  expect(await check('line\nbreak')).toMatchObject({ state: 'unknown' });
});

test.each([
  [{ GITHUB_TOKEN: 'a', GH_TOKEN: 'b', GITHUB_API_URL: 'https://x.example/api/v3' }, 'https://x.example/api/v3', 'a'],
  [{ GITHUB_TOKEN: '', GH_TOKEN: 'b', GITHUB_API_URL: '' }, 'https://api.github.com', 'b'],
  [{ GITHUB_TOKEN: '' }, 'https://api.github.com', undefined],
])('the environment %j names the API and the token, where an empty variable is unset', (env, apiUrl, token) => {
  expect(accessIn(env)).toEqual({ apiUrl, token });
});
