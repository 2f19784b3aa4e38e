import { afterEach, expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { createGitHub, type GitHub } from './client.js';
import { readListPages } from './rest-list.js';
import { type Handler, type HttpAnswer, type LocalGitHub, pageOf, refusal, startGitHub } from './testing/local-github.js';

const cleanUp = cleanUpIn(afterEach);
const question = { what: 'the issues of acme/app', permission: 'issues: read' };
const TOKEN = '0000000000000000000000000000000000000001';

/** Returns the titles on each page. */
async function pagesOf(github: GitHub, path: string): Promise<string[][]> {
  const pages: string[][] = [];
  for await (const { entries } of readListPages(github, question, { path })) pages.push(entries.map((entry) => entry.text('title')));
  return pages;
}

async function serve(handler: Handler, secondMs = 2): Promise<{ server: LocalGitHub; github: GitHub }> {
  const server = cleanUp.add(await startGitHub(handler));
  return { server, github: createGitHub({ apiUrl: server.apiUrl, token: TOKEN, secondMs, timeLimitMs: Number.POSITIVE_INFINITY }) };
}

const issues = Array.from({ length: 5 }, (_, index) => ({ title: `issue ${index}` }));
const titles = issues.map(({ title }) => title);
const PATH = '/repos/acme/app/issues?per_page=2';

test.each<[string, HttpAnswer | 'hang up']>([
  ['502', { status: 502, body: '<html>' }],
  ['a connection that breaks', 'hang up'],
  ['a body that breaks off', { body: issues, sent: 'half' }],
  ['403 with Retry-After', refusal(403, 'You have exceeded a secondary rate limit.', { 'retry-after': '1' })],
  ['a secondary limit without a time', refusal(403, 'You have exceeded a secondary rate limit.')],
])('%s on the way is tried again', async (_, answer) => {
  let requests = 0;
  const { github } = await serve((url) => (++requests === 2 ? answer : pageOf(issues, url)));
  expect((await pagesOf(github, PATH)).flat()).toEqual(titles);
});

test.each<[string, HttpAnswer]>([
  ['304', { status: 304, body: '' }],
  ['409', refusal(409, 'Git Repository is empty.')],
  ['a body that is no JSON', { body: '[{"title": "issue', sent: 'text' }],
  ['a page of a proxy', { body: '<html>Welcome</html>' }],
  ['an object', { body: {} }],
  ['nothing', { status: 204, body: '' }],
  ['a list of something else', { body: ['issue 0'] }],
])('%s is a failure and no end of the list', async (_, answer) => {
  let requests = 0;
  const { github } = await serve((url) => (++requests === 2 ? answer : pageOf(issues, url)));
  const pages: number[] = [];
  const reading = async (): Promise<void> => {
    for await (const { entries } of readListPages(github, question, { path: PATH })) pages.push(entries.length);
  };
  const error = await reading().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(isToolError(error) && error.code).toMatch(/^GITHUB_(UNREACHABLE|REFUSED)$/);
  expect(isToolError(error) && error.message).toContain('issues of acme/app');
  expect(pages).toEqual([2]);
});

test('pages that lead in a circle', async () => {
  const { github, server } = await serve((url) => ({ headers: { link: `<${url.href}>; rel="next"` }, body: issues }));
  await expect(pagesOf(github, PATH)).rejects.toMatchObject({ code: 'GITHUB_UNREACHABLE', message: expect.stringContaining('do not end') });
  expect(server.requests).toHaveLength(1);
});

test('pages without end', async () => {
  let page = 0;
  const { github } = await serve((url) => ({ headers: { link: `<${url.origin}${url.pathname}?page=${++page}>; rel="next"` }, body: [] }));
  const read = async (): Promise<void> => {
    for await (const { entries } of readListPages(github, question, { path: PATH, most: 5 })) expect(entries).toEqual([]);
  };
  await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('do not end') });
  expect(page).toBe(5);
});

test('a next page of another host is asked from the same one: the token goes nowhere else', async () => {
  const other = cleanUp.add(await startGitHub(() => ({ body: [] })));
  const { github, server } = await serve((url) => {
    const { headers, body } = pageOf(issues, url);
    return { headers: { link: headers?.['link']?.replaceAll(url.origin, new URL(other.apiUrl).origin) ?? '' }, body };
  });
  expect((await pagesOf(github, PATH)).flat()).toEqual(titles);
  expect(other.requests).toEqual([]);
  expect(server.requests).toHaveLength(3);
});

test('a next page beside the API is no answer', async () => {
  const { github } = await serve((url) => ({ headers: { link: `<${url.origin}/login>; rel="next"` }, body: issues }));
  await expect(pagesOf(github, PATH)).rejects.toMatchObject({ code: 'GITHUB_UNREACHABLE' });
});
