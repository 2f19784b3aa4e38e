import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { textWithin } from '@tributary/model/text-within';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { ask, connect, failureOf, serve, TOKEN } from './client.fixture.js';
import { startGitHub } from './testing/local-github.js';

const cleanUp = cleanUpIn(afterEach);
const MB = 1024 * 1024;

test('an answer within the limit is read, without its byte order mark', async () => {
  await expect(textWithin(new Response('\ufeff{}'), 10)).resolves.toBe('{}');
  await expect(textWithin(new Response(null), 10)).resolves.toBe('');
});

test('an answer without end is left', async () => {
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (queue) => {
      pulled++;
      queue.enqueue(new Uint8Array(MB));
    },
  });
  await expect(textWithin(new Response(endless), 2 * MB)).rejects.toThrow('an answer of more than 2 MB');
  expect(pulled).toBeLessThan(10);
});

test('a packed answer is measured unpacked', async () => {
  const packed = new Blob([gzipSync(Buffer.alloc(4 * MB))]).stream().pipeThrough(new DecompressionStream('gzip'));
  await expect(textWithin(new Response(packed), MB)).rejects.toThrow('an answer of more than 1 MB');
});

test.each([301, 302, 307, 308])('after a redirection with %d to another host, the token is not sent there', async (status) => {
  const other = cleanUp.add(await startGitHub(() => ({ body: { full_name: 'acme/other' } })));
  const server = await serve(cleanUp, { status, headers: { location: `${other.apiUrl}/repos/acme/other` }, body: {} });
  await ask(connect(server)).catch(() => {});
  expect(server.authorizations).toContain(`token ${TOKEN}`);
  expect(other.authorizations.filter((one) => one !== undefined)).toEqual([]);
});

test('redirections in a circle end', async () => {
  const server = await serve(cleanUp, { status: 302, headers: { location: '/api/v3/repos/acme/app' }, body: {} });
  await expect(failureOf(connect(server))).resolves.toMatchObject({ code: 'GITHUB_UNREACHABLE' });
});

test.each<[string, string]>([
  ['null', 'null'],
  ['a number', '7'],
  ['a list', '[]'],
  ['a list within lists', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ['an object with __proto__', '{"__proto__": {"full_name": "x"}}'],
])('%s in place of a repository does no harm', async (_, body) => {
  const name = await ask(connect(await serve(cleanUp, { body, sent: 'text' }))).catch((error: unknown) => error);
  expect(name).not.toBe('x');
  expect(({} as { full_name?: string }).full_name).toBeUndefined();
});
