import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { ask, connect, failureOf, fine, serve } from './client.fixture.js';
import { refusal } from './testing/local-github.js';

const cleanUp = cleanUpIn(afterEach);

describe('the total time', () => {
  test('ends a call that hangs', async () => {
    const server = await serve(cleanUp, 'hang');
    const error = await failureOf(connect(server, { timeLimitMs: 150 }));
    expect(error).toMatchObject({ code: 'GITHUB_UNREACHABLE', message: 'GitHub did not show the repository acme/app within 150 ms.' });
  });

  test('ends a call between two tries, and a pause', async () => {
    for (const answer of [{ status: 502, body: '' }, refusal(503, 'busy', { 'retry-after': '20' })]) {
      const server = await serve(cleanUp, answer);
      const error = await failureOf(connect(server, { timeLimitMs: 2000, secondMs: 5000 }));
      expect(error).toMatchObject({ code: 'GITHUB_UNREACHABLE', message: expect.stringContaining('within 2') });
      expect(server.requests).toHaveLength(1);
    }
  });

  test('leaves out a pause that would outlast it', async () => {
    const reset = String(Math.floor(Date.now() / 1000) + 60);
    const server = await serve(
      cleanUp,
      refusal(403, 'API rate limit exceeded', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }),
    );
    const error = await failureOf(connect(server, { timeLimitMs: 2000, secondMs: 1000 }));
    expect(error).toMatchObject({ code: 'GITHUB_REFUSED', hint: expect.stringContaining('request limit') });
  });

  test('counts for all calls together', async () => {
    const server = await serve(cleanUp, fine, 'hang');
    const github = connect(server, { timeLimitMs: 3000 });
    await ask(github);
    await failureOf(github);
    await expect(failureOf(github)).resolves.toMatchObject({ code: 'GITHUB_UNREACHABLE' });
    expect(server.requests).toHaveLength(2);
  });
});
